"""Playing in a notebook: each way to play is one short line in a cell."""

from exdec.notebook.start import start
from exdec.notebook.ways import hot_seat, replay, resume, solo, watch

__all__ = ["hot_seat", "replay", "resume", "solo", "start", "watch"]
