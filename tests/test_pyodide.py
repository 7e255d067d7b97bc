"""What runs in a page: the engine, records, forms and the lessons' checks, without NumPy.

Pyodide is CPython for browsers, and what JupyterLite runs; here it runs in Node.js, from npm. npm
has neither NumPy nor pandas for it, so rivals and tables are not tried.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import distribution, files, requires
from zipfile import ZipFile

import pytest

from exdec.lite import pack

PYODIDE = "pyodide@314.0.7"

pytestmark = pytest.mark.slow

SCENE = """
import json, sys, tempfile
from pathlib import Path

from exdec import Game
from exdec.errors import ExdecError
from exdec.record import dumps, parse, read
from exdec.score import score

told = {}
game = Game(["Ann", "Ben", "Cy"], months=1)
game.order("Ann", X=(2, 40), F=(4, 35), S=(6, 23))
game.order("Ben", X=(6, 44), F=(5, 36), S=(1, 20))
game.order("Cy", X=(3, 41), F=(6, 37))
told["materials"] = str(game.report)
game.offer("Ann", C=(3, 90))
game.offer("Ben", A=(3, 140))
game.offer("Cy", A=(1, 143), B=(1, 120), C=(1, 95))
told["goods"], told["profit"] = str(game.report), game.profit
try:
    game.order("Ann", X=(1, 40))
except ExdecError as error:
    told["refused"] = str(error)

text = dumps(game, title="ours")
told["record"] = text
told["score"] = score(parse(text))

from exdec.lessons import ask, lesson, predict
from exdec.lessons.desk import Desk

here = Path(tempfile.mkdtemp())
head = lesson("02", here=here)
recorded = read(Desk().workbook("02").recorded)
told["recorded"] = score(recorded)
view = ask("02-1")
told["question"] = view.question
told["wrong"] = view.check("25")
told["right"] = view.check("65")
predict("02-a").seal(dict.fromkeys(predict("02-a").fields, 40))
told["progress"] = json.loads((here / "progress.json").read_text("utf-8"))

from exdec.charts import price_figure, price_sentence
from exdec.notebook import hot_seat
from exdec.notebook.static import game_html
from exdec.notebook.live import chart_json

seats = hot_seat(["Ann", "Ben"], months=1, record=here / "games" / "ours.jsonl")
table = seats.table
for step in ({"X": (2, 50)}, {"S": (3, 30)}), ({}, {}):
    for player, bids in zip(table.game.players, step, strict=True):
        table.hand_in(player, bids)
told["kept"] = score(read(here / "games" / "ours.jsonl"))
told["page"] = game_html(table.game)
told["sentence"] = price_sentence(game.rules, game.observe("Ann").postings)
told["chart"] = chart_json(price_figure(game.rules, game.observe("Ann").postings))

heavy = {"numpy", "pandas", "tornado", "jupyter_server", "jupyterlab", "sqlite3"}
told["heavy"] = sorted(heavy & sys.modules.keys())
print("told:" + json.dumps(told))
"""

PAGE = """
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
const [wheel, packages, scene] = process.argv.slice(2);
try {
  const pyodide = await loadPyodide();
  await pyodide.loadPackage(wheel, { checkIntegrity: false });
  pyodide.unpackArchive(new Uint8Array(readFileSync(packages)), "zip");
  pyodide.runPython("import sys; sys.path.append('.')");
  pyodide.runPython(readFileSync(scene, "utf-8"));
} catch (error) {  // thrown on, it would come with all of Pyodide's source
  console.error(error.message);
  process.exit(1);
}
"""


@cache
def pure(name: str) -> frozenset[str]:
    """A package of this environment with all it needs, if a page could have it."""
    found = {name}
    for need in requires(name) or ():
        wanted, marker = re.match(r"([\w.-]+)[^;]*;?(.*)", need).groups()
        if "extra" in marker or "win32" in marker or wanted in ("pexpect", "psutil"):
            continue
        try:
            distribution(wanted)
        except ModuleNotFoundError:
            continue
        found |= pure(wanted)
    return frozenset(found)


@pytest.fixture(scope="module")
def node_folder(tmp_path_factory):
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node and npm are not here to run Pyodide; apt-get install npm")
    folder = tmp_path_factory.mktemp("pyodide")
    install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), PYODIDE]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode and "CI" not in os.environ:
        pytest.skip(f"Pyodide cannot be had here: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    return folder


def told_by(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.partition("told:")[2])


def test_a_page_plays_reads_draws_and_checks_as_this_python_does(node_folder, tmp_path):
    packages = tmp_path / "packages.zip"
    with ZipFile(packages, "w") as packed:
        for name in pure("ipywidgets") | pure("plotly"):
            for file in files(name):
                wanted = file.suffix in (".py", ".json") or file.name == "METADATA"
                if wanted and not {"..", "tests"} & {*file.parts}:
                    packed.write(file.locate(), file.as_posix())
    wheel = pack(tmp_path)
    scene, page = tmp_path / "scene.py", node_folder / "page.mjs"
    scene.write_text(SCENE, encoding="utf-8")
    page.write_text(PAGE, encoding="utf-8")

    here = told_by([sys.executable, str(scene)])
    there = told_by(["node", str(page), str(wheel), str(packages), str(scene)], cwd=node_folder)

    assert there == here
    assert there["profit"] == {"Ann": 27, "Ben": 43, "Cy": 23}
    assert there["right"][0] == "right"
    assert there["wrong"][0] == "misconception"
    assert there["heavy"] == []
