"""The example lesson as a notebook, for tests in a browser and for screenshots."""

import json
import shutil
from pathlib import Path

DATA = Path(__file__).parent / "lessons" / "data"

CELLS = (
    'from exdec.lessons import *\n\nlesson("91", sources="sources")',
    'predict("91-a")',
    'reveal("91-a")',
    *(f'ask("91-{number}")' for number in range(1, 7)),
    'cost = ...\ncheck("91-6", cost)',
    'explain("91-e1")',
    "progress()",
)


def write_lesson(folder: Path, name: str = "lesson.ipynb") -> str:
    """Put the example's notebook and its sources into a folder."""
    shutil.copytree(DATA, folder / "sources", dirs_exist_ok=True)
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{at}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for at, source in enumerate(CELLS)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4}
    (folder / name).write_text(json.dumps({**whole, "nbformat_minor": 5}), "utf-8")
    return name
