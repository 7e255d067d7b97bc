import csv
import io

from exdec.lessons.certificate import csv_text, page_html, rows_of
from exdec.lessons.progress import Progress

DONE = (
    Progress()
    .named("Ann <b>")
    .attempted("91-1", "5", "wrong")
    .attempted("91-1", "278", "right")
    .attempted("91-2", "a", "sunk cost")
    .explained("91-e1", "I pay <what> I bid.")
    .played("91", 1, -20)
    .attempted("07-1", "1", "right")
)


def test_a_row_counts_what_was_solved_and_tried(example):
    assert rows_of(DONE, {"91": example}) == [
        ("Ann <b>", "07", 1, None, 1, None),
        ("Ann <b>", "91 An example", 1, 6, 3, -20),
    ]


def test_the_line_is_csv_that_a_spreadsheet_reads_back(example):
    text = csv_text(rows_of(DONE.named("Smith, Ann"), {"91": example}))
    head, _, line = csv.reader(io.StringIO(text))
    assert line == ["Smith, Ann", "91 An example", "1", "6", "3", "-20"]
    assert len(head) == len(line)


def test_no_name_becomes_a_formula():
    for name in ("=1+1", "+1", "-1", "@a", "\t=1", "\r=1", " =1", "\n=1"):
        _, row, *_ = csv.reader(io.StringIO(csv_text(rows_of(DONE.named(name), {}))))
        assert row[0] == f"'{name.strip()}"


def test_the_page_says_the_same_and_nothing_in_it_is_markup(example):
    page = page_html(DONE, {"91": example})
    assert "<td>1 of 6</td><td>3</td><td>−$20</td>" in page
    assert "Ann &lt;b&gt;" in page
    assert "I pay &lt;what&gt; I bid." in page
