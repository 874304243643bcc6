"""Program fragments that do not compile as they are, and how they are mended."""
