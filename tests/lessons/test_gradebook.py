import csv

import pytest

from exdec.cli import main
from exdec.lessons.exercises import LessonError
from exdec.lessons.gradebook import gradebook
from exdec.lessons.progress import Progress


def handed_in(folder, name, progress):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(progress.dumps(), "utf-8")


def rows(book):
    return list(csv.DictReader(book.csv.splitlines()))


def test_each_file_is_a_line_in_the_order_of_names(tmp_path):
    ben = Progress().named("Ben").attempted("01-1", "5", "wrong").attempted("01-1", "42", "right")
    ann = Progress().named("ann").played("02", 3, -20).attempted("02-1", "1", "right")
    handed_in(tmp_path / "monday", "progress.json", ben)
    handed_in(tmp_path, "ann.json", ann)
    book = gradebook(tmp_path, {})
    assert (book.pupils, book.unread) == (2, [])
    first, second = rows(book)
    assert (first["name"], first["02 solved"], first["02 own-game profit"]) == ("ann", "1", "-20")
    assert (first["01 solved"], first["solved"]) == ("", "1")
    assert (second["name"], second["file"]) == ("Ben", "monday/progress.json")
    assert (second["01 solved"], second["01 attempts"]) == ("1", "2")


def test_a_broken_file_is_named_and_the_others_count(tmp_path):
    handed_in(tmp_path, "ann.json", Progress().named("Ann"))
    (tmp_path / "ben.json").write_text("{", "utf-8")
    book = gradebook(tmp_path, {})
    assert book.pupils == 1
    assert len(book.unread) == 1
    assert "ben.json" in book.unread[0]


def test_no_name_becomes_a_formula(tmp_path):
    handed_in(tmp_path, "=1.json", Progress().named("=HYPERLINK(1)"))
    (line,) = rows(gradebook(tmp_path, {}))
    assert line["name"].startswith("'=")
    assert line["file"].startswith("'=")


def test_a_folder_that_is_not_there_or_empty_is_refused(tmp_path):
    with pytest.raises(LessonError, match="is no folder"):
        gradebook(tmp_path / "none", {})
    (tmp_path / ".DS_Store").write_bytes(b"\0")
    with pytest.raises(LessonError, match="holds no file"):
        gradebook(tmp_path, {})


def test_a_file_counts_under_any_name_and_every_other_is_named(tmp_path):
    handed_in(tmp_path, "ann.txt", Progress().named("Ann"))
    handed_in(tmp_path, "Ben's work", Progress().named("Ben"))
    handed_in(tmp_path / ".ipynb_checkpoints", "ann.json", Progress().named("Ann"))
    (tmp_path / "._ann.txt").write_bytes(b"\0\5")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8" * 3_000_000)
    (tmp_path / "notes.txt").write_text("Ask Cy.", "utf-8")
    book = gradebook(tmp_path, {})
    assert [row["name"] for row in rows(book)] == ["Ann", "Ben"]
    notes, photo = book.unread
    assert "notes.txt" in notes
    assert "photo.jpg cannot be read: it is far too large." in photo


def test_a_folder_in_which_nothing_can_be_read_is_a_sentence_and_no_table(tmp_path, capsys):
    folder, out = tmp_path / "handed_in", tmp_path / "grades.csv"
    folder.mkdir()
    (folder / "ben.txt").write_text("I did it", "utf-8")
    for more in ([], ["--out", str(out)]):
        assert main(["gradebook", str(folder), *more]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert "exdec gradebook: ben.txt cannot be read" in said.err
        assert "holds no progress file that can be read." in said.err
    assert not out.exists()
    handed_in(folder, "ann", Progress().named("Ann"))
    assert main(["gradebook", str(folder), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"1 pupil, in {out}.\n"
