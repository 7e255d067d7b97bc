"""Playing in a notebook: each way to play is one short line in a cell."""

from exdec.notebook.ways import solo

__all__ = ["solo"]
