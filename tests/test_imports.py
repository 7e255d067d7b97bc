import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import exdec

PACKAGE = Path(exdec.__file__).parent
CORE = ("errors", "items", "rules", "model", "production", "costs", "engine", "observe", "game")
HEAVY = {"numpy", "pandas", "plotly", "ipywidgets", "tornado", "IPython", "jupyterlab"}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_name(path): path for path in PACKAGE.rglob("*.py")}


def imported(name: str) -> Iterator[str]:
    """Modules of exdec that importing this one runs; not what functions or types ask for later."""
    for node in ast.parse(MODULES[name].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (a.name.partition("exdec.")[2] for a in node.names if "exdec." in a.name)
        elif isinstance(node, ast.ImportFrom) and node.module == "exdec":
            yield from (a.name if a.name in MODULES else "" for a in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("exdec."):
            package = node.module.partition("exdec.")[2]
            inside = [f"{package}.{a.name}" for a in node.names]
            yield from (name if name in MODULES else package for name in inside)


@pytest.mark.parametrize("name", CORE)
def test_the_core_imports_only_what_stands_below_it(name):
    assert set(imported(name)) <= set(CORE[: CORE.index(name)])


def test_no_import_goes_round_in_a_circle():
    uses = {name: set(imported(name)) for name in MODULES if name}
    assert uses["engine"] >= {"rules", "model"}
    order = list(TopologicalSorter(uses).static_order())
    assert order.index("rules") < order.index("engine") < order.index("cli")


def layers() -> list[list[str]]:
    """Modules as docs/architecture.md has them, from the rules upwards."""
    text = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[1] for line in text.splitlines() if re.match(r"\| .+ \| `", line)]
    return [re.findall(r"`([\w.]+)`", row) for row in rows]


@pytest.mark.skipif(not (PACKAGE.parent / "docs").is_dir(), reason="a wheel has no such page")
def test_each_layer_imports_only_itself_and_what_stands_below_it():
    level = {name: at for at, row in enumerate(layers()) for name in row}

    def of(module: str) -> int:
        return level[module.partition(".")[0]]

    modules = [name for name in MODULES if name not in ("", "__main__")]
    assert {name.partition(".")[0] for name in modules} == set(level)
    assert [(name, one) for name in modules for one in imported(name) if of(one) > of(name)] == []


def loaded_by(code: str) -> set[str]:
    code += "; import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_exdec_loads_nothing_heavy():
    loaded = loaded_by("import exdec")
    assert "exdec" in loaded
    assert not loaded & HEAVY


def test_people_at_one_machine_and_the_lessons_need_no_numpy():
    code = "from exdec.lessons import *; from exdec.notebook import hot_seat, solo"
    for seats in ('hot_seat(["Ann", "Ben"])', 'solo("hard")'):
        loaded = loaded_by(f"{code}; {seats}")
        assert "ipywidgets" in loaded
        assert not loaded & {"numpy", "pandas", "plotly", "tornado"}
