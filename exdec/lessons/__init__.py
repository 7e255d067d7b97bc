"""Lessons: exercises that are checked on the learner's own game, predictions, and progress."""

from exdec.lessons.calls import (
    answered,
    ask,
    check,
    explain,
    hint,
    lesson,
    own_game,
    predict,
    progress,
    reveal,
)

__all__ = [
    "answered",
    "ask",
    "check",
    "explain",
    "hint",
    "lesson",
    "own_game",
    "predict",
    "progress",
    "reveal",
]
