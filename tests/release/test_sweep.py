"""What the vault knows is found again, whatever the text around it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.pseudonyms import Entry, Kind
from archive_mem.release.scan import ByteScan
from archive_mem.release.sweep import Sweep


def entry(kind: Kind, name: str, *aliases: str) -> Entry:
    return Entry(placeholder="[Person A]", kind=kind, name=name, aliases=aliases)


SWEEP = Sweep(
    [
        entry(Kind.PERSON, "Zoë Quenby", "Zo"),
        entry(Kind.PERSON, "田中愛子"),
        entry(Kind.EMAIL, "zoe@quenby.example"),
        entry(Kind.PHONE, "+351 912 345 678"),
        entry(Kind.FRIEND, "Friend"),
    ],
    ["IMG_20210306_084210.jpg"],
    [(38.716931, -9.139952), (40.0, 8.0)],
)


@pytest.mark.parametrize(
    "text",
    [
        "with Zoë Quenby, by the sea",
        "WITH ZOE QUENBY",
        "Zoe  Quenby's hat",
        "Zo called",
        "昨日田中愛子と会った",
        "write to Zoe@Quenby.example.",
        "call +351912345678 or",
        "912 345 678 is +351 912-345-678",
        "img_20210306_084210.jpg",
        "at 38.71693, so",
        "9.13995 west",
        "a friend",
    ],
)
def test_it_is_found(text: str) -> None:
    assert SWEEP.finds(text)


@pytest.mark.parametrize(
    "text",
    ["Friend A and [Person B]", "zo", "a zoo", "Quenbys", "40.0000 and 8.0", "38.7", "912 345", ""],
)
def test_what_only_looks_like_it_is_not(text: str) -> None:
    assert not SWEEP.finds(text)


NAMES = st.from_regex(r"[A-Z][a-zà-ÿ]{3,9}( [A-Z][a-zà-ÿ]{3,9})?", fullmatch=True)


@given(NAMES, st.sampled_from(["{}", "({}), again", "by {}!", "a {}’s b", "{}\n"]))
def test_any_name_is_found_in_any_case(name: str, frame: str) -> None:
    sweep = Sweep([entry(Kind.PERSON, name)])
    assert sweep.finds(frame.format(name))
    assert sweep.finds(frame.format(name).lower())


@given(st.integers(0, 70), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]))
def test_bytes_are_found_at_any_place(
    tmp_path_factory: pytest.TempPathFactory, at: int, how: str
) -> None:
    file = tmp_path_factory.mktemp("scan") / "file"
    scan = ByteScan(["Philippa Quenby", "another name", "short"])
    file.write_bytes(b"\xff" * at + "PHILIPPA Quenby".encode(how) + b"\x00" * 3)
    assert scan.finds(file)
    file.write_bytes(b"\xff" * at + "Philippa Quenb".encode(how) + b"short" * 3)
    assert not scan.finds(file)


def test_bytes_are_found_over_the_edge_of_what_is_read_at_once(tmp_path: Path) -> None:
    for before in range((1 << 20) - 20, (1 << 20) + 3):
        (tmp_path / "file").write_bytes(b"\xaa" * before + b"Philippa Quenby")
        assert ByteScan(["Philippa Quenby"]).finds(tmp_path / "file"), before


def test_nothing_is_found_when_nothing_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"anything at all")
    assert not ByteScan([]).finds(tmp_path / "file")
    assert not ByteScan(["tiny"]).finds(tmp_path / "file")
