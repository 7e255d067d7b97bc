"""How long somebody waits who has nothing yet, and for what.

uv run python tests/benchmarks/cold_start.py            # from `exdec lab` to a form to bid in
uv run python tests/benchmarks/cold_start.py --install  # and the README's commands, from nothing
uv run python tests/benchmarks/cold_start.py --imports  # and what Python reads on the way

Each run has a new home and an empty browser. --install copies what git knows of this tree, makes a
virtual environment that has nothing but pip, gives pip and uv empty caches, and times what the
README tells people to type. That takes a network, and its speed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from lab_page import Notebook, chromium, serving
from playwright.sync_api import Browser, expect

TREE = Path(__file__).parents[2]
FIRST = "00_start_here.ipynb"

Told = dict[str, float]


@contextmanager
def timed(told: Told, what: str) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    told[what] = time.perf_counter() - begun


def cold_start(browser: Browser) -> Told:
    """One start of `exdec lab`, up to where a learner can bid."""
    told: Told = {}
    with TemporaryDirectory() as folder:
        home = Path(folder)
        work = home / "work"
        shutil.copytree(TREE / "notebooks", work, ignore=shutil.ignore_patterns("games", ".*"))
        server = serving(work, home, watched=False)
        with timed(told, "server: from the command to its address"):
            lab = server.__enter__()
        try:
            # A busy machine makes everything slower but this.
            told["  of it, the server's processor time"] = busy(lab.pid)
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            notebook = Notebook(page)
            with timed(told, "page: from the address to the notebook's text"):
                page.goto(lab.url(FIRST))
                page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=90_000)
            with timed(told, "kernel: until it is ready"):
                expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=90_000)
            with timed(told, "cells: from Run All to a form to bid in"):
                notebook.menu("Run", "Run All Cells")
                units = notebook.form.get_by_label("X-FINE, units")
                expect(units).to_be_editable(timeout=90_000)
            with timed(told, "chart: after the form"):
                page.locator(".js-plotly-plot .trace").first.wait_for(timeout=90_000)
            page.context.close()
        finally:
            server.__exit__(None, None, None)
    steps = ("server", "page", "kernel", "cells")
    told["all, up to the form"] = sum(told[what] for what in told if what.startswith(steps))
    return told


def busy(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def install() -> Told:
    """What the README tells people to type, in a place that has Python and pip."""
    told: Told = {}
    with TemporaryDirectory() as folder:
        home = Path(folder)
        tree = home / "exdec"
        known = subprocess.run(
            ["git", "ls-files", "-z"], cwd=TREE, capture_output=True, text=True, check=True
        )
        for name in filter(None, known.stdout.split("\0")):
            if (TREE / name).is_file():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(TREE / name, tree / name)
        subprocess.run([sys.executable, "-m", "venv", str(home / "python")], check=True)
        # How packages are reached here is no part of what is measured, so it stays.
        dropped = ("VIRTUAL_ENV", "PYTHON", "JUPYTER", "UV_PROJECT", "UV_CACHE", "PIP_CACHE")
        env = {name: text for name, text in os.environ.items() if not name.startswith(dropped)}
        env |= {
            "HOME": str(home),
            "PATH": f"{home / 'python' / 'bin'}{os.pathsep}{env['PATH']}",
            "PIP_CACHE_DIR": str(home / "pip"),
            "UV_CACHE_DIR": str(home / "uv"),
            "UV_LINK_MODE": "copy",
        }

        def run(what: str, *words: str, then: Callable[[], None] = lambda: None) -> None:
            before = os.times()
            with timed(told, what):
                subprocess.run(words, cwd=tree, env=env, check=True, capture_output=True)
            after = os.times()
            user, system = (after[n] - before[n] for n in (2, 3))  # of children that have ended
            told[f"  of it, processor time of {what.partition(':')[0]}"] = user + system
            then()

        def emptied() -> None:
            shutil.rmtree(home / "uv")
            shutil.rmtree(tree / ".venv")

        def size() -> None:
            files = (tree / ".venv").rglob("*")
            told["  megabytes"] = sum(f.stat().st_size for f in files if f.is_file()) / 1e6

        run("pip install uv", "python", "-m", "pip", "install", "uv")
        run("uv lock: which versions", "uv", "lock")
        run("uv sync: everything, with what developers use", "uv", "sync", then=size)
        told["  megabytes with what developers use"] = told.pop("  megabytes")
        emptied()
        run("uv sync --no-dev: what a learner uses", "uv", "sync", "--no-dev", then=size)
        told["  megabytes without"] = told.pop("  megabytes")
        first = "exdec --version, the first time"
        run(first, "uv", "run", "--no-sync", "exdec", "--version")
        lab = "import jupyterlab.labapp"
        for when in ("the first time", "from then on"):
            run(f"{lab}, {when}", "uv", "run", "--no-sync", "python", "-c", lab)
    return told


def imports(statement: str, least: float = 0.02) -> Told:
    """Seconds that each package takes to be read, by its name; those that matter."""
    words = [sys.executable, "-X", "importtime", "-c", statement]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stderr
    own: Told = defaultdict(float)
    for micro, name in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+([\w.]+)", lines):
        own[name.partition(".")[0]] += int(micro) / 1e6
    ranked = sorted(own.items(), key=lambda item: -item[1])
    told = {f"  {name}": seconds for name, seconds in ranked if seconds >= least}
    return {f"{statement}, in all": sum(own.values()), **told}


def show(title: str, runs: list[Told]) -> None:
    print(f"\n{title}" + (f", median of {len(runs)} (least–most)" if len(runs) > 1 else ""))
    for what in runs[0]:
        seconds = [run[what] for run in runs if what in run]
        unit, digits = ("MB", 0) if "megabytes" in what else ("s ", 2)
        spread = f"  ({min(seconds):.2f}–{max(seconds):.2f})" if len(seconds) > 1 else ""
        print(f"  {what:52}{statistics.median(seconds):8.{digits}f} {unit}{spread}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="starts of exdec lab (3)")
    parser.add_argument("--install", action="store_true", help="the README's commands as well")
    parser.add_argument("--imports", action="store_true", help="what is read on the way")
    args = parser.parse_args()
    if args.imports:
        for statement in (
            "import exdec.cli",
            "import jupyterlab.labapp",
            "import exdec.classroom.extension",
            "from exdec.notebook import solo",
        ):
            show(statement, [imports(statement)])
    if args.install:
        show("The README's commands, from nothing", [install()])
    if args.runs:
        with chromium() as browser:
            show("exdec lab, with a new home", [cold_start(browser) for _ in range(args.runs)])


if __name__ == "__main__":
    main()
