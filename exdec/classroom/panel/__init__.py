"""The instructor's panel in a notebook, one part of it a module."""

from exdec.classroom.panel.host import HostPanel

__all__ = ["HostPanel"]
