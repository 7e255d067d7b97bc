import json
import os
import platform
import re
import shlex
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import PurePosixPath, PureWindowsPath
from urllib.request import Request, urlopen

import pytest

from exdec.classroom.elsewhere import elsewhere
from exdec.classroom.room import Room
from exdec.classroom.serve import again, closed, host, put_away
from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import Address, Store
from exdec.cli import main
from exdec.errors import ExdecError

NOW = time.time()


class Terminal:
    """What `exdec host` prints; its class is ended as soon as the instructor's link is there."""

    def __init__(self, do: str | None) -> None:
        self.do = do
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)
        if self.do and (link := re.search(r"(http://\S+/exdec/)host#k=(\S+)", text)):
            threading.Thread(target=self._end, args=link.groups(), daemon=True).start()

    def _end(self, url: str, key: str) -> None:
        body = json.dumps({"do": self.do}).encode()
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        urlopen(Request(f"{url}host/do", body, headers), timeout=30).close()


def run(folder, do="finish", **more):
    terminal = Terminal(do)
    settings = None if "resume" in more else ClassSettings(title="Year 11")
    host(settings, folder, address="127.0.0.1", port=0, say=terminal.say, **more)
    return "\n".join(terminal.said)


def test_the_terminal_says_what_is_left_when_the_class_is_closed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    said = run(tmp_path)
    (file,) = tmp_path.glob("*.sqlite")
    assert "can be set anew on your page until you start" in said
    assert "set by options before: see exdec host --help." in said
    assert f"\nYear 11 is closed. Everything is in {file}." in said
    (command,) = re.findall(r"^  exdec (export .+)$", said, re.MULTILINE)
    assert main(shlex.split(command)) == 0
    results = file.with_name(f"{file.stem}-results")
    assert f"Everything of the class is in {results}.\n" in capsys.readouterr().out
    assert list(results.glob("README.txt"))


def test_nothing_is_left_of_a_class_that_is_deleted(tmp_path):
    said = run(tmp_path, "delete")
    assert "is closed" not in said
    assert "is put away" not in said
    assert list(tmp_path.glob("*.sqlite")) == []


def test_the_terminal_says_how_to_go_on_with_a_class_that_is_put_away(tmp_path, monkeypatch):
    monkeypatch.setattr("exdec.classroom.server.IDLE", -1)
    said = run(tmp_path, do=None)
    (file,) = tmp_path.glob("*.sqlite")
    assert (
        "\nYear 11 is put away: nothing has happened in it for 4 hours. Nothing is lost; " in said
    )
    assert said.endswith(f"to go on:\n  {again(file)}")
    assert "is closed" not in said


def begin(folder, at):
    room = Room.create(folder / "class.sqlite", ClassSettings(), at)
    room.commit()
    room.store.close()
    return folder / "class.sqlite"


def test_a_class_that_was_alive_a_moment_ago_may_be_open_elsewhere(tmp_path):
    path = begin(tmp_path, NOW)
    assert elsewhere(path, NOW + 4.2).startswith("class.sqlite was written to 4 seconds ago, so ")
    assert elsewhere(path, NOW + 15) == ""
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO alive VALUES (1, ?)", (NOW + 14,))
        db.commit()
    assert elsewhere(path, NOW + 15).startswith("class.sqlite was written to 1 second ago, so ")
    assert elsewhere(path, NOW + 29) == ""


@pytest.mark.parametrize(
    ("machine", "network", "warned"),
    [(None, False, False), (None, True, True), ("another", False, True)],
)
def test_a_server_that_died_on_this_machine_is_known_to_be_dead(
    tmp_path, monkeypatch, machine, network, warned
):
    path = begin(tmp_path, NOW)
    with closing(sqlite3.connect(path)) as db:
        here = machine or platform.node()
        db.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT)")
        db.execute("INSERT INTO notes VALUES ('server', ?)", (json.dumps(f"mark {here}"),))
        db.commit()
    monkeypatch.setattr("exdec.classroom.store._on_network", lambda _: network)
    assert bool(elsewhere(path, NOW + 4)) is warned
    assert elsewhere(path, NOW + 15) == ""


def test_a_server_that_has_let_go_of_a_class_is_waited_for_on_no_machine(tmp_path, monkeypatch):
    monkeypatch.setattr("exdec.classroom.store._on_network", lambda _: True)
    path = begin(tmp_path, NOW)
    store = Store.open(path)
    store.take()
    assert elsewhere(path, NOW + 4).startswith("class.sqlite ")
    store.close()
    assert elsewhere(path, NOW + 4) == ""


def test_the_terminal_goes_on_with_such_a_class_only_if_told_to(tmp_path, capsys):
    path = begin(tmp_path, time.time())
    words = ["host", "--folder", str(tmp_path), "--resume", path.name, "--address", "127.0.0.1"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.startswith("exdec host: class.sqlite was written to ")
    assert said.endswith("Or add --anyway, and the other one lets go of it.\n")
    said = run(tmp_path, resume=path, anyway=True)
    assert "Executive Decision is closed." in said
    assert "set by options" not in said


def test_the_line_that_is_printed_goes_on_with_the_class(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my classes"
    folder.mkdir()
    path = begin(folder, NOW)
    said = run(folder, resume=path, anyway=True)
    (line,) = re.findall(r"^  exdec (host .+)$", said, re.MULTILINE)
    asked = []

    def hosted(*_, resume, **__):
        asked.append(resume.resolve())

    monkeypatch.setattr("exdec.classroom.serve.host", hosted)
    assert main(shlex.split(line)) == 0
    monkeypatch.chdir(folder)
    for name in (path.name, f"./{path.name}"):
        assert main(["host", "--resume", name]) == 0
    monkeypatch.chdir(tmp_path)
    assert main(["host", "--folder", "my classes", "--resume", path.name]) == 0
    assert asked == [path] * 4


@pytest.mark.parametrize(
    ("system", "path", "typed"),
    [
        ("win32", PureWindowsPath(r"C:\R&D\my classes\c.sqlite"), r'"C:\R&D\my classes\c.sqlite"'),
        ("linux", PurePosixPath("/R&D/my classes/c.sqlite"), "'/R&D/my classes/c.sqlite'"),
        ("linux", PurePosixPath("c.sqlite"), "c.sqlite"),
    ],
)
def test_what_is_printed_can_be_typed_on_each_system(monkeypatch, system, path, typed):
    monkeypatch.setattr("sys.platform", system)
    assert again(path) == f"exdec host --resume {typed}"
    assert f"\n  exdec export {typed}\n" in closed("Year 11", path)
    assert f"\n  exdec host --resume {typed}" in put_away("Year 11", path)


def test_a_folder_of_classes_leads_to_its_newest_one(tmp_path, capsys):
    for at, day in enumerate(("2026-11-30-0915", "2026-12-01-0915", "2026-12-01-0915-2")):
        (tmp_path / f"class-{day}.sqlite").touch()
        os.utime(tmp_path / f"class-{day}.sqlite", (NOW + at, NOW + at))
    assert main(["host", "--resume", str(tmp_path)]) == 2
    newest = tmp_path / "class-2026-12-01-0915-2.sqlite"
    assert f"Give one of its classes; the newest is {newest}." in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [["--months", "3"], ["--title", "Foo", "--seconds", "30"], ["--roster", "x.csv"], ["--draw"]],
)
def test_what_a_class_that_goes_on_would_not_heed_is_refused(tmp_path, capsys, words):
    path = begin(tmp_path, NOW - 60)
    assert main(["host", "--resume", str(path), *words]) == 2
    said = capsys.readouterr().err
    left_out = ", ".join(word for word in words if word.startswith("--"))
    assert "A class that goes on stays as it was opened." in said
    assert set(re.findall(r"--\w+", said)) == set(left_out.split(", "))


@pytest.mark.parametrize("name", ["bad name", "http://school.example", "a/b", "", "a..b", "a:80"])
def test_a_name_for_this_machine_is_a_name(capsys, name):
    with pytest.raises(SystemExit):
        main(["host", "--name", name])
    assert "give the machine's name alone, such as class.school.example" in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["-1", "3", "9999", "1.5", "soon"])
def test_seconds_are_refused_in_one_sentence(capsys, seconds):
    with pytest.raises(SystemExit):
        main(["host", "--seconds", seconds])
    assert "give 5 to 3600 seconds, or 0 for no deadline, not " in capsys.readouterr().err


def test_a_folder_that_is_none_is_named(tmp_path, capsys):
    (tmp_path / "classes").touch()
    words = ["host", "--folder", str(tmp_path / "classes"), "--address", "127.0.0.1"]
    assert main([*words, "--port", "0"]) == 2
    said = capsys.readouterr().err
    assert f"Nothing can be kept in the folder {tmp_path / 'classes'}: " in said
    assert said.endswith("Choose another folder.\n")


@pytest.mark.parametrize("name", ["", ".", "/", "none.sqlite", "../x"])
def test_no_class_is_opened_for_one_that_is_not_there(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert main(["host", "--resume", name]) == 2
    assert "--resume: there is no file " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_closed_class_is_called_closed_and_not_open_elsewhere(tmp_path):
    run(tmp_path)
    (file,) = tmp_path.glob("*.sqlite")
    assert elsewhere(file, time.time()) == ""
    with pytest.raises(ExdecError, match=r"^Year 11 is closed, so it does not go on\. ") as refused:
        run(tmp_path, resume=file)
    assert str(refused.value).endswith(f": exdec export {shlex.quote(str(file))}")


def test_the_address_is_at_fault_if_the_machine_has_no_such_one(tmp_path, capsys):
    for address in ("198.51.100.9", "no-such-name.invalid", "::1"):
        assert main(["host", "--folder", str(tmp_path), "--address", address]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"exdec host: '{address}' is no address of this machine. It has ")
        assert "127.0.0.1; 0.0.0.0 stands for all of them." in said
        assert "port" not in said
    assert [*tmp_path.iterdir()] == []


def test_a_class_at_an_address_that_is_gone_is_not_opened_to_all_networks(tmp_path):
    path = begin(tmp_path, NOW - 60)
    with closing(Store.open(path)) as store:
        store.note_address(Address("http://198.51.100.9:8765/exdec/", 8765, "198.51.100.9"))
    with pytest.raises(ExdecError) as refused:
        host(None, tmp_path, resume=path)
    assert str(refused.value).startswith("The class was open at 198.51.100.9. ")
    assert str(refused.value).endswith(" Say where it is to go on: --address.")


def test_all_of_a_long_roster_may_come(tmp_path, capsys):
    roster = tmp_path / "names.csv"
    roster.write_text("\n".join(f"Pupil {number}" for number in range(450)))
    words = ["host", "--folder", str(tmp_path / "classes"), "--roster", str(roster)]
    # Nothing can be opened there, but the names are read before.
    assert main([*words, "--address", "198.51.100.9"]) == 2
    assert ": 450 names, from Pupil 0 to Pupil 449." in capsys.readouterr().out
