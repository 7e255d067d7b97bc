import io
import zipfile

import pytest

from exdec.classroom.roster import parse_roster, read_roster, roster_text, understood
from exdec.classroom.settings import ClassSettings, SettingsError
from exdec.cli import main


@pytest.mark.parametrize(
    "head",
    [
        "Last name;First name;Group",
        "Surname;Given name;Class",
        "Last name(s);First_name;TEAM",
        "Nachname;Vorname;Klasse",
        "Name;Vorname;Gruppe",
        "Nom;Prénom;Classe",
        "NOM;PRENOM;GROUPE",
        "Apellidos;Nombre;Grupo",
        "Achternaam;Voornaam;Klas",
        "Naam;Roepnaam;Groep",
        "Cognome;Nome;Classe",
        "Apelido;Nome;Turma",
        "Sobrenome;Primeiro nome;Equipe",
    ],
)
def test_heads_of_columns_say_which_name_is_which(head):
    assert parse_roster(f"{head}\nMüller;Zoë;10b") == (("Zoë Müller", "10b"),)


@pytest.mark.parametrize(
    "head",
    ["Name", "Student", "Schüler*in", "Élève", "Nom", "Nombre", "Alumno/a", "Naam", "Leerling",
     "Nome", "Nominativo", "Nome completo"],
)  # fmt: skip
def test_one_column_holds_whole_names(head):
    assert parse_roster(f"Nr.\t{head}\n1\tZoë Müller") == (("Zoë Müller", ""),)


def test_without_a_head_the_first_line_is_a_pupil():
    assert parse_roster("Ann;red\nBen;blue") == (("Ann", "red"), ("Ben", "blue"))


def test_pupils_without_names_have_numbers_and_the_first_of_them_is_no_head():
    assert [one.name for one in parse_roster("Pupil 1\nPupil 2")] == ["Pupil 1", "Pupil 2"]


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le-bom"])
def test_a_file_of_any_spreadsheet_is_read(tmp_path, code):
    text = "Nachname\tVorname\r\nGroß\tZoë\r\n"
    bom = code == "utf-16-le-bom"
    data = b"\xff\xfe" + text.encode("utf-16-le") if bom else text.encode(code)
    (tmp_path / "names.txt").write_bytes(data)
    assert read_roster(tmp_path / "names.txt") == (("Zoë Groß", ""),)


def workbook() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as book:
        book.writestr("xl/workbook.xml", "Ann")
    return data.getvalue()


@pytest.mark.parametrize(
    "data", [workbook(), b"PK\x03\x04!#", b"%PDF-1.7\nAnn", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0",
             "Ann\nBen".encode("utf-16-le")],
)  # fmt: skip
def test_what_is_no_text_is_refused(data):
    with pytest.raises(SettingsError, match=r"^This is a workbook.* save it as CSV, or copy the"):
        roster_text(data)


def test_what_a_class_changes_is_said():
    names = ["Ben", "ben", "Maximilian-Alexander von Hohenstein", *"CDEFG", "\u200b" * 300 + "H"]
    given = parse_roster("\n".join(["Name", *names]))
    settings = ClassSettings(roster=given)
    assert understood(given, settings.roster) == [
        "Read as: Ben, ben 2, Maximilian-Alexander von, C, D, E and 2 more.",
        "Somebody else has that name already, so there is a number: ben 2.",
        "Cut to 24 letters: Maximilian-Alexander von.",
    ]


def test_the_command_says_how_it_reads_the_names(tmp_path, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr(
        "exdec.classroom.serve.host", lambda settings, *_, **__: opened.append(settings)
    )
    (tmp_path / "names.csv").write_text("Nom;Prénom\nMüller;Zoë\nLee;Ann\n")
    assert main(["host", "--roster", str(tmp_path / "names.csv")]) == 0
    assert capsys.readouterr().out.endswith(
        "names.csv: 2 names, from Zoë Müller to Ann Lee. Read as: Zoë Müller, Ann Lee.\n"
        "Each has a seat slip to print, on your page under Slips, files and the end.\n\n"
    )
    assert [one.name for one in opened[0].roster] == ["Zoë Müller", "Ann Lee"]


@pytest.mark.parametrize(("words", "drawn"), [([], False), (["--draw"], True)])
def test_the_command_draws_seats_by_lot_if_it_is_told_to(monkeypatch, words, drawn):
    opened = []
    monkeypatch.setattr(
        "exdec.classroom.serve.host", lambda settings, *_, **__: opened.append(settings)
    )
    assert main(["host", *words]) == 0
    assert opened[0].draw is drawn


def test_a_line_for_excel_is_no_pupil():
    assert [one.name for one in parse_roster("sep=;\nname;x\nAnn, B;1\nBen;2")] == ["Ann, B", "Ben"]
    assert parse_roster("sep=\t\nAnn, B\tred") == (("Ann, B", "red"),)
    assert parse_roster('"sep=;"\nAnn, B;red') == (("Ann, B", "red"),)
    with pytest.raises(SettingsError, match="The roster is empty"):
        parse_roster("sep=,\n")
