"""Lets the Auto classes of `transformers` load a model folder.

    import oscar.auto
    from transformers import AutoModel

    model = AutoModel.from_pretrained("run")  # what OscarModel.from_pretrained("run") gives

It is imported by name, for `transformers` is not needed otherwise. No code is taken from the
folder.
"""

from pathlib import Path
from typing import Any

from oscar.config import MODEL_TYPE
from oscar.model import OscarModel
from static_analysis.errors import OscarError

try:
    from transformers import AutoConfig, AutoModel, PretrainedConfig
except ImportError:
    raise OscarError(
        "oscar.auto needs transformers: pip install transformers, or use OscarModel.from_pretrained"
    ) from None

# What AutoModel passes on of its own, and what asks for nothing else than what is done.
_PASSED = {"config", "trust_remote_code", "adapter_kwargs", "local_files_only", "_commit_hash"}


class AutoOscarConfig(PretrainedConfig):
    """The fields of config.json, for AutoConfig; `OscarModel.config` is what a model reads."""

    model_type = MODEL_TYPE


class AutoOscarModel(OscarModel):
    """An OscarModel as AutoModel loads it."""

    config_class = AutoOscarConfig

    @classmethod
    def from_pretrained(cls, path: str | Path, **options: Any) -> OscarModel:
        """Load a model folder, ready to embed (in evaluation mode, on the CPU).

        Raises:
            OscarError: the folder is none, or there is an option that would load it otherwise.
        """
        unknown = sorted(name for name in options.keys() - _PASSED if options[name] is not None)
        if unknown:
            raise OscarError(
                f"an OSCAR model is loaded whole, without {', '.join(unknown)}: "
                "move or cast it afterwards, with model.to(…)"
            )
        return super().from_pretrained(path)


AutoConfig.register(MODEL_TYPE, AutoOscarConfig)
AutoModel.register(AutoOscarConfig, AutoOscarModel)
