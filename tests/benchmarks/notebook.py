"""How fast and how light the game is in a notebook, beside the least that a notebook can do.

uv run python tests/benchmarks/notebook.py             # six minutes
uv run python tests/benchmarks/notebook.py --quick     # less than three
uv run python tests/benchmarks/notebook.py --messages  # what the bytes are spent on
uv run python tests/benchmarks/notebook.py --imports   # what the first cell waits for

A real JupyterLab and a real Chromium play three notebooks in turn. The floor is a bare form of six
fields and a button beside one Plotly figure by raw display, which its click redraws. The usual way
is the same with a plotly FigureWidget. Keys are pressed as by somebody who types fast; each run has
a fresh kernel and an empty browser.

Bytes are counted twice: as the messages that page and kernel exchange, and as what crosses the wire
when the server packs them, which `exdec lab` has it do for all three.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.request import Request, urlopen

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from lab_page import Lab, Notebook, chromium, open_page, serving
from playwright.sync_api import Browser, Page, WebSocket, expect
from playwright.sync_api import TimeoutError as NotInTimeError

MATERIALS = ("X-FINE", "FINE", "STANDARD")
GOODS = ("A", "B", "C")
KEY_PAUSE = 80
"""Milliseconds from key to key: a fast typist. ipywidgets sends fewer messages to a faster one."""

EXDEC = """
from exdec.notebook import solo

solo(["cautious", "full capacity"], months=12, record="games/benchmark.jsonl")
"""

FORM = """
import ipywidgets as widgets
import plotly.graph_objects as go
from IPython.display import display

items = ["X-FINE", "FINE", "STANDARD"]
columns = ["units", "price a unit in dollars"]
fields = [
    widgets.FloatText(description=f"{item}, {column}") for item in items for column in columns
]
button = widgets.Button(description="Hand in")
prices = {name: [price] for name, price in zip([*"ABC", *items], [140, 120, 100, 40, 35, 20])}

def traces():
    return [
        {"type": "scatter", "mode": "lines+markers", "name": name, "y": list(line)}
        for name, line in prices.items()
    ]

def next_month():
    for line in prices.values():
        line.append(line[-1] + 1)
"""

FLOOR = f"""{FORM}
def bundle():
    figure = go.Figure({{"data": traces(), "layout": {{"height": 340, "template": None}}}})
    return {{"application/vnd.plotly.v1+json": figure.to_plotly_json(), "text/plain": ""}}

def hand_in(_):
    next_month()
    # Without an output between them JupyterLab would not draw the second figure.
    chart.update({{"text/plain": ""}}, raw=True)
    chart.update(bundle(), raw=True)

button.on_click(hand_in)
display(widgets.VBox([*fields, button]))
chart = display(bundle(), raw=True, display_id=True)
"""

USUAL = f"""{FORM}
figure = go.FigureWidget(traces())
figure.layout.height = 340

def hand_in(_):
    next_month()
    with figure.batch_update():
        for trace in figure.data:
            trace.y = prices[trace.name]

button.on_click(hand_in)
display(widgets.VBox([*fields, button, figure]))
"""

CELLS = {"exdec": EXDEC, "floor": FLOOR, "FigureWidget": USUAL}

# What the chart draws, as text; null while there is none.
DRAWN = """(plot => plot?.calcdata && plot.querySelector('.trace')
    ? JSON.stringify(plot.data.map(trace => trace.y)) : null)(
    document.querySelector('.js-plotly-plot'))"""

# Six fields and the button can be seen and used.
USABLE = """(seen => seen('button').some(button => button.textContent.startsWith('Hand in'))
    && seen('input').length >= 6)(what =>
    [...document.querySelectorAll('.jp-OutputArea ' + what)].filter(one =>
        one.offsetParent && !one.disabled))"""

# Counts from the next click until what is waited for has changed and is there.
STOPWATCH = """() => {
    const watch = {seconds: null};
    const look = was => requestAnimationFrame(() => {
        const now = %s;
        if (now && now !== was) requestAnimationFrame(() => {
            watch.seconds = (performance.now() - watch.start) / 1000;
        });
        else look(was);
    });
    addEventListener('pointerup', () => {
        watch.start = performance.now();
        look(%s);
    }, {capture: true, once: true});
    return watch;
}"""


@dataclass
class Run:
    """What one run of one notebook measured."""

    form: float = 0.0
    chart: float = 0.0
    redrawn: list[float] = field(default_factory=list)
    frames: list[tuple[str, bytes]] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    """How many frames had passed when all cells had run, and at the end of each month."""
    wire: list[int] = field(default_factory=list)
    """How many bytes had crossed the wire at the same moments."""
    sockets: int = 0
    packing: str = ""
    memory: int = 0

    @property
    def unpacked(self) -> list[int]:
        """How many bytes the frames held at the same moments, as page and kernel see them."""
        return [sum(len(frame) for _, frame in self.frames[:mark]) for mark in self.marks]

    def hear(self, websocket: WebSocket) -> None:
        """Keep what passes between the page and a kernel."""
        if websocket.url.partition("?")[0].endswith("/channels"):
            self.sockets += 1
            websocket.on("framesent", lambda frame: self.frames.append(("to the kernel", frame)))
            websocket.on("framereceived", lambda frame: self.frames.append(("to the page", frame)))

    def mark(self, relay: Relay) -> None:
        self.marks.append(len(self.frames))
        self.wire.append(sum(relay.passed))


def play(browser: Browser, lab: Lab, name: str, months: int) -> Run:
    """Run one notebook, and play some months in it."""
    run = Run()
    write_notebook(lab, name)
    with relaying(lab.port) as relay:
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        page.on("websocket", run.hear)
        notebook = open_page(page, replace(lab, port=relay.port), f"{name}.ipynb")

        page.get_by_role("menuitem", name="Run", exact=True).click()
        item = page.get_by_role("menuitem", name="Run All Cells", exact=True)
        item.hover()
        form, chart = stopwatch(page, USABLE), stopwatch(page, DRAWN)
        run.frames.clear()
        relay.passed.clear()
        item.click()
        run.form, run.chart = form(), chart()
        settle(notebook)
        run.mark(relay)

        goods = GOODS if name == "exdec" else MATERIALS
        for _ in range(months):
            # Above the price and below it, so that rivals are outbid and cash goes on and on.
            run.redrawn.append(hand_in(notebook, MATERIALS, units=3, margin=8))
            run.redrawn.append(hand_in(notebook, goods, units=1, margin=-15))
            run.mark(relay)

        (kernel,) = (
            child
            for child in psutil.Process(lab.pid).children()
            if "ipykernel" in str(child.cmdline())
        )
        run.memory = kernel.memory_info().rss
        context.close()
    assert len(relay.packing) == run.sockets > 0, "a kernel's websocket went past the relay"
    (run.packing,) = set(relay.packing)
    assert run.packing.startswith("permessage-deflate"), "the server does not pack its websockets"
    shut_down(lab)
    kernel.wait(30)
    return run


def write_notebook(lab: Lab, name: str) -> None:
    for record in lab.folder.glob("games/*"):
        record.unlink()
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "id": "only",
        "metadata": {},
        "outputs": [],
        "source": CELLS[name].strip(),
    }
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": [cell],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (lab.folder / f"{name}.ipynb").write_text(json.dumps(whole))


def stopwatch(page: Page, condition: str) -> Callable[[], float]:
    """Make ready to count from the next click; what is returned waits and tells the seconds."""
    watch = page.evaluate_handle(STOPWATCH % (condition, condition))

    def seconds() -> float:
        try:
            stopped = page.wait_for_function("watch => watch.seconds", arg=watch, timeout=60_000)
        except NotInTimeError:
            shown = page.locator(".jp-OutputArea").all_inner_texts()
            raise RuntimeError("\n".join(["The notebook shows only:", *shown])) from None
        return stopped.json_value()

    return seconds


def settle(notebook: Notebook) -> None:
    """Wait until the kernel has nothing more to do."""
    idle = notebook.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
    expect(idle).to_be_visible(timeout=60_000)
    expect(notebook.page.locator("#jp-main-statusbar")).to_contain_text("| Idle")


def hand_in(notebook: Notebook, items: Sequence[str], units: int, margin: int) -> float:
    """Type a full order or offer and hand it in; the seconds until the chart is drawn anew."""
    page = notebook.page
    for item in items:
        price = [price for price in notebook.prices(item) if price is not None][-1]
        for column, number in (
            ("units", units),
            ("price a unit in dollars", max(1, price + margin)),
        ):
            box = page.get_by_label(f"{item}, {column}", exact=True)
            box.press("Control+a")
            box.press_sequentially(str(number), delay=KEY_PAUSE)
    settle(notebook)
    redrawn = stopwatch(page, DRAWN)
    page.get_by_role("button", name=re.compile("^Hand in")).click()
    seconds = redrawn()
    settle(notebook)
    return seconds


def shut_down(lab: Lab) -> None:
    sessions = f"http://127.0.0.1:{lab.port}/api/sessions"
    headers = {"Authorization": f"token {lab.token}"}
    with urlopen(Request(sessions, headers=headers)) as answer:
        for session in json.load(answer):
            end = Request(f"{sessions}/{session['id']}", headers=headers, method="DELETE")
            urlopen(end).close()


# -- what crosses the wire -----------------------------------------------------------------------


class Relay(ThreadingTCPServer):
    """Stands between the browser and the server, and counts what passes to and from a kernel."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.port = self.server_address[1]
        self.onward = ("127.0.0.1", port)
        self.passed: list[int] = []
        """The size of each piece, either way, on kernels' websockets."""
        self.packing: list[str] = []
        """What the server agreed to when each of these websockets was opened."""


class Connection(BaseRequestHandler):
    """One connection of the browser; both its ends stay as they are, so Jupyter sees one host."""

    server: Relay
    request: socket.socket

    def handle(self) -> None:
        with socket.create_connection(self.server.onward) as onward:
            for end in (self.request, onward):
                # Or small pieces would wait for the answer to those before.
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            asked = read_head(self.request)
            onward.sendall(asked)
            # Chromium opens a new connection for each websocket, so the first request tells.
            counted = re.match(rb"GET \S+/channels[? ]", asked) is not None
            if counted:
                answer = read_head(onward)
                agreed = re.search(rb"(?i)\r\nSec-WebSocket-Extensions: *(.*)\r\n", answer)
                self.server.packing.append(agreed[1].decode() if agreed else "")
                self.server.passed += [len(asked), len(answer)]
                self.request.sendall(answer)
            back = Thread(target=self.pass_on, args=(onward, self.request, counted), daemon=True)
            back.start()
            self.pass_on(self.request, onward, counted)
            back.join()

    def pass_on(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        # Either side may hang up at any moment.
        with suppress(OSError):
            while piece := source.recv(1 << 16):
                if counted:
                    self.server.passed.append(len(piece))
                target.sendall(piece)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)


def read_head(source: socket.socket) -> bytes:
    """Read a request or an answer to the end of its headers, or what there is of it."""
    head = b""
    while b"\r\n\r\n" not in head and (piece := source.recv(1 << 16)):
        head += piece
    return head


@contextmanager
def relaying(port: int) -> Iterator[Relay]:
    with Relay(port) as relay:
        Thread(target=relay.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield relay
        relay.shutdown()


# -- the table -----------------------------------------------------------------------------------

AIMS = {
    "Run All to a usable form, s": "1.5 × floor",
    "Twelve months with Run All, KB on the wire": "400 KB",
    "Submit to the redrawn chart, s": "0.3 s",
}

LEGEND = """
All three run under the settings of `exdec lab`, which packs websockets; the handshakes agreed on
{}.
On the wire: counted between browser and server, both ways, framing included, headers of TCP and IP
not. Unpacked: the same messages as page and kernel see them, and as plain `jupyter lab` sends them.
The aim of 400 KB is held against the wire.
"""


def rows(runs: list[Run]) -> dict[str, list[float]]:
    """Everything measured of one notebook, by what it is."""
    measured = {
        "Run All to a usable form, s": [run.form for run in runs],
        "Run All to form and chart, s": [max(run.form, run.chart) for run in runs],
        "Submit to the redrawn chart, s": [second for run in runs for second in run.redrawn],
        "Memory of the kernel, MB": [run.memory / 1e6 for run in runs],
    }
    for unit, counts in (
        ("KB on the wire", [run.wire for run in runs]),
        ("KB unpacked", [run.unpacked for run in runs]),
    ):
        measured |= {
            f"Run All, {unit}": [count[0] / 1000 for count in counts],
            f"January, {unit}": [(count[1] - count[0]) / 1000 for count in counts],
            f"Twelve months with Run All, {unit}": [
                count[12] / 1000 for count in counts if len(count) > 12
            ],
        }
    return measured


def table(runs: dict[str, list[Run]]) -> str:
    measured = {name: rows(them) for name, them in runs.items()}
    lines = [f"{'median (least–most)':42}" + "".join(f"{name:>26}" for name in runs)]
    lines[0] += f"{'× floor':>10}  aim"
    for row in measured["exdec"]:
        line = f"{row:42}"
        for name in runs:
            line += f"{spread(measured[name][row]):>26}"
        ratio = statistics.median(measured["exdec"][row]) / statistics.median(
            measured["floor"][row]
        )
        lines.append(f"{line}{ratio:10.2f}  {AIMS.get(row, '')}".rstrip())
    agreed = sorted({run.packing for them in runs.values() for run in them})
    lines.append(LEGEND.format(" or ".join(agreed)))
    return "\n".join(lines)


def spread(numbers: list[float]) -> str:
    digits = 2 if max(numbers) < 20 else 0
    middle, least, most = statistics.median(numbers), min(numbers), max(numbers)
    told = f"{middle:,.{digits}f}"
    return f"{told} ({least:,.{digits}f}–{most:,.{digits}f})" if len(numbers) > 1 else told


# -- what the bytes are spent on -----------------------------------------------------------------


def decode(frame: bytes) -> tuple[dict, dict, int]:
    """Header and content of a message, and the bytes of both.

    Jupyter's v1 frames: how many offsets, the offsets, then channel, header, parent header,
    metadata, content and buffers.
    """
    count = int.from_bytes(frame[:8], "little")
    starts = [int.from_bytes(frame[8 * at : 8 * at + 8], "little") for at in range(1, count + 1)]
    header, content = frame[starts[1] : starts[2]], frame[starts[4] : starts[5]]
    buffers = len(frame) - starts[5]
    return json.loads(header), json.loads(content), len(content) + buffers


def messages(run: Run) -> str:
    """What passed during Run All, and during January, by kind; the largest first."""
    models: dict[str, str] = {}
    told = []
    for title, first, last in (
        ("Run All", 0, run.marks[0]),
        ("January", run.marks[0], run.marks[1]),
    ):
        kinds: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for way, frame in run.frames[first:last]:
            header, content, size = decode(frame)
            kinds[f"{kind(header['msg_type'], content, models)}, {way}"].append((len(frame), size))
        total = sum(size for them in kinds.values() for size, _ in them)
        told.append(f"\n{title}: {total:,} bytes in {last - first} messages")
        told.append(f"{'bytes':>10} {'messages':>8} {'content':>10}")
        for name, sizes in sorted(kinds.items(), key=lambda kind: -sum(s for s, _ in kind[1])):
            whole, content_only = map(sum, zip(*sizes, strict=True))
            told.append(f"{whole:10,} {len(sizes):8} {content_only:10,}  {name}")
    return "\n".join(told)


def kind(message: str, content: dict, models: dict[str, str]) -> str:
    """Name a message by its type, its widget or output, and the fields that it sets."""
    data = content.get("data") or {}
    if message == "comm_open":
        state = data.get("state", {})
        models[content["comm_id"]] = state.get("_model_name", content["target_name"])
        return f"{message} {models[content['comm_id']]}"
    if message == "comm_msg":
        fields = ", ".join(data.get("state", {})) or data.get("content", {}).get("event", "")
        model = models.get(content["comm_id"], "?")
        return f"{message} {model} {data.get('method')} {fields}"
    if message in ("display_data", "update_display_data"):
        return f"{message} {next(iter(data))}"
    if message == "status":
        return f"{message} {content['execution_state']}"
    return message


# -- what the first cell waits for ---------------------------------------------------------------

CELL_ALONE = """
import sys
import ipykernel.ipkernel, ipykernel.zmqshell
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("1")
print("the cell begins", file=sys.stderr)
shell.run_cell(sys.argv[1]).raise_error()
"""


def imports(cell: str, runs: int = 3) -> str:
    """What a cell imports that a kernel has not yet: the ten slowest, alone and with theirs."""
    best: list[tuple[int, int, str]] = []
    with TemporaryDirectory() as folder:
        for _ in range(runs):
            command = [sys.executable, "-X", "importtime", "-c", CELL_ALONE, cell]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
            said = done.stderr.partition("the cell begins")[2]
            found = [
                (int(alone), int(together), name)
                for alone, together, name in re.findall(
                    r"import time:\s+(\d+) \|\s+(\d+) \|\s+(\S+)", said
                )
            ]
            if not best or total(found) < total(best):
                best = found
    lines = [f"{total(best) / 1000:.0f} ms in {len(best)} modules (the best of {runs} runs)"]
    for at, title in enumerate(("alone", "with what it imports")):
        lines.append(f"\n{title}, ms")
        slowest = sorted(best, key=lambda one: -one[at])[:10]
        lines += [f"{one[at] / 1000:8.1f}  {one[2]}" for one in slowest]
    return "\n".join(lines)


def total(modules: list[tuple[int, int, str]]) -> int:
    return sum(alone for alone, _, _ in modules)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one round instead of five")
    parser.add_argument("--messages", action="store_true", help="what the bytes are spent on")
    parser.add_argument("--imports", action="store_true", help="what the first cell waits for")
    args = parser.parse_args()
    if args.imports:
        for name in ("exdec", "floor"):
            print(f"\n{name}: {imports(CELLS[name])}")
        return
    with TemporaryDirectory() as home, chromium() as browser:
        folder = Path(home, "work")
        folder.mkdir()
        with serving(folder, Path(home), watched=False) as lab:
            if args.messages:
                print(messages(play(browser, lab, "exdec", months=1)))
                return
            runs: dict[str, list[Run]] = {name: [] for name in CELLS}
            for at in range(1 if args.quick else 5):
                # One whole game is enough: its bytes hardly vary.
                for name in CELLS:
                    runs[name].append(play(browser, lab, name, months=12 if at == 0 else 1))
            print(table(runs))


if __name__ == "__main__":
    main()
