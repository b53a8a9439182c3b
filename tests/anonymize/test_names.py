"""The owner's list hides every spelling of a name, and no word that only contains it."""

from pathlib import Path

import pytest

from anonymize.names import KnownName, NameList, names_from_table, read_names
from anonymize.pseudonyms import Kind
from archive_mem.errors import InputError


def hidden(text: str, *names: str) -> list[str]:
    entries = tuple(KnownName(kind=Kind.PERSON, name=name) for name in names)
    return [text[hit.start : hit.end] for hit in NameList(entries=entries).find(text)]


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("Ann's Anniversary, ANN and ann", "Ann", ["Ann", "ANN", "ann"]),
        ("Joann, Annie and Channing", "Ann", []),
        ("Siobhan O'Connor came", "Siobhán O’Connor", ["Siobhan O'Connor"]),
        ("jose\u0301 garcía!", "José García", ["jose\u0301 garcía"]),
        ("IMG_Sarah_Miller_2019.jpg", "Sarah Miller", ["Sarah_Miller"]),
        ("#sarahmiller", "Sarah Miller", ["sarahmiller"]),
        ("Sarahs Geburtstag", "Sarah", ["Sarah"]),
        ("Frau Mueller", "Müller", ["Mueller"]),
        ("我和小明在京都", "小明", ["小明"]),
        ("昨日さくらで食べた", "さくら", ["さくら"]),
        ("민수가 왔다. 민수", "민수", ["민수", "민수"]),
        ("सुनीता के साथ", "सुनीता", ["सुनीता"]),
        ("सुनीताबाई", "सुनीता", []),
        ("Sarah\nMiller", "Sarah Miller", ["Sarah"]),
        (
            "Dinner with Zebulon\nQuartermaine on Friday",
            "Zebulon Quartermaine",
            ["Zebulon", "Quartermaine"],
        ),
        (
            "QUARTERMAINE and Quartermaine's boat",
            "Zebulon Quartermaine",
            ["QUARTERMAINE", "Quartermaine"],
        ),
        ("a quartermaine is a thing", "Zebulon Quartermaine", []),
        ("The Church on the Hill in May", "May Church", []),
        ("I will ask Will", "Will", ["Will"]),
        ("Łukasz i lukasz", "Lukasz", ["Łukasz", "lukasz"]),
    ],
)
def test_spellings(text: str, name: str, found: list[str]) -> None:
    assert hidden(text, name) == found


def test_a_surname_that_two_share_is_neither_of_them() -> None:
    two = NameList(
        entries=tuple(
            KnownName(kind=Kind.FRIEND, name=name)
            for name in ("Zebulon Quartermaine", "Ottoline Quartermaine")
        )
    )
    (hit,) = two.find("The Quartermaine boat")
    assert hit.known == KnownName(kind=Kind.PERSON, name="Quartermaine", given=False)
    assert [each.known.name for each in two.find("Ottoline came")] == ["Ottoline Quartermaine"]


def test_the_longest_name_wins() -> None:
    assert hidden("Sarah Miller and Sarah", "Sarah", "Sarah Miller") == ["Sarah Miller", "Sarah"]


def test_five_thousand_names_and_a_long_text_take_a_moment() -> None:
    names = [f"Name{number} Sur{number}" for number in range(5000)]
    text = "Dinner with Name77 Sur77 at noon. " * 2000
    assert len(hidden(text, *names)) == 2000


def test_a_file_of_names(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_bytes(
        "\ufeff# mine\n\nSarah Miller\nfriend\tJürgen\tJogi|J.\nCafe\tLa Boîte\n".encode()
    )
    assert read_names(path).entries == (
        KnownName(kind=Kind.PERSON, name="Sarah Miller"),
        KnownName(kind=Kind.FRIEND, name="Jürgen", aliases=("Jogi", "J.")),
        KnownName(kind=Kind.CAFE, name="La Boîte"),
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("enemy\tBob", "line 2: no kind 'enemy'"),
        ("friend\t", "line 2 has no name"),
        ("friend\t...", "line 2 has no name"),
        ("friend\ta\tb\tc", "line 2 has more"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "names.txt"
    path.write_text(f"Sarah\n{line}\n")
    with pytest.raises(InputError, match=reason):
        read_names(path)


def test_a_list_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_bytes(b"\xff\xfe\0")
    with pytest.raises(InputError, match="not UTF-8"):
        read_names(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_names(tmp_path / "missing.txt")


def test_a_table_of_names() -> None:
    table = {"friend": ["Sarah Miller|Sally"], "restaurant": ["Sakura"]}
    assert names_from_table(table, Path("archive.toml")).entries == (
        KnownName(kind=Kind.FRIEND, name="Sarah Miller", aliases=("Sally",)),
        KnownName(kind=Kind.RESTAURANT, name="Sakura"),
    )
    with pytest.raises(InputError, match="no kind"):
        names_from_table({"foe": ["x"]}, Path("archive.toml"))
