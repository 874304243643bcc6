"""Names inside a corpus folder, and the version of their format."""

FORMAT_VERSION = 2

MANIFEST = "manifest.json"
SHARDS = "shards"
ERRORS = "errors.parquet"
STAGING = ".staging"
PLAN = "plan.json"
