"""What goes to a terminal: broken between words, and with QR codes that can be scanned."""

import io
import os

import pytest

from exdec.commands.screen import say, wrapped
from exdec.qr import NO_COLOURS, drawn

LINK = "http://10.0.0.7:8765/exdec/"


class Screen(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def terminal(monkeypatch) -> Screen:
    """A terminal as standard output; no fixture, for pytest sets that anew for a test."""
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("WT_SESSION", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return screen


def test_prose_breaks_between_words_and_what_is_typed_or_drawn_stays_whole():
    assert wrapped("one two three", 8) == "one two\nthree"
    assert wrapped("(one two three)", 9) == "(one two\nthree)"
    for whole in ("  exdec host --resume file", "█▄▀ █▄▀ █▄▀", "https://an.address/that/is/long"):
        assert wrapped(whole, 8) == whole


def test_lines_break_in_a_terminal_alone(monkeypatch):
    screen = terminal(monkeypatch)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((8, 20)))
    say("one two three")
    assert screen.getvalue() == "one two\nthree\n"
    monkeypatch.setattr("sys.stdout", plain := io.StringIO())
    say("one two three")
    assert plain.getvalue() == "one two three\n"


def test_in_a_light_terminal_a_code_is_white_on_black_too(monkeypatch):
    terminal(monkeypatch)
    lines = drawn(LINK).splitlines()
    plain = drawn(LINK, "utf-8").splitlines()
    assert len(lines) == len(plain) > 10
    assert lines == [f"\033[97;40m{line}\033[0m" for line in plain]


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_without_colours_a_sentence_says_what_the_code_needs(monkeypatch, name, value):
    terminal(monkeypatch)
    monkeypatch.setenv(name, value)
    assert drawn(LINK) == drawn(LINK, "utf-8") + NO_COLOURS


def test_a_file_gets_no_colours(monkeypatch):
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert drawn(LINK) == drawn(LINK, "utf-8")
