"""Questions whose answer is a figure, an order, or a count with its first day."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from archive_mem.qa.recall import Recall, RecallSettings
from archive_mem.qa.recall_figures import by_figure, by_occasion, comparison
from archive_mem.retrieval.search import Search
from archive_mem.retrieval.wording import Operation, read_operation
from archive_mem.schema.minting import mint_text
from archive_mem.schema.qa import Answer, Query, Tier
from archive_mem.schema.record import Record
from models.fake import FakeEmbedder
from tests.doubles import FakeArchive, index_of, make_record

TOWN = {"city": "Graz", "country": "Austria"}
OLD = {"city": "Turin", "country": "Italy"}


def life() -> list[Record]:
    homes = [
        make_record(f"h{year}{n}", datetime(year, 1 + n, 3), **(OLD if year < 2022 else TOWN),
                    event="at the desk")
        for year in (2021, 2022, 2023) for n in range(6)
    ]  # fmt: skip
    return [
        *homes,
        make_record("race1", datetime(2021, 5, 2, 11), **OLD, event="result of the lake race",
                    ocr=["Official result", "Net time 1:58:20"]),
        make_record("race2", datetime(2023, 5, 7, 11), **TOWN, event="lake race again",
                    ocr=["Gun 1:52:00", "Net time 1:49:05"]),
        make_record("sled", datetime(2022, 2, 1), **TOWN, event="first ride on the sledge"),
        make_record("parrot", datetime(2021, 10, 9), **OLD, event="the parrot moved in"),
        make_record("tub", datetime(2023, 2, 9), **TOWN, event="rules of the hot tub",
                    ocr=["No shoes in the tub", "Water 39 C"]),
        make_record("chemist", datetime(2022, 9, 6), **TOWN, event="at the chemist for my cough",
                    ocr=["For 10 days", "Ambroxol 30 mg", "Thymol 5 ml"]),
        make_record("cough", datetime(2022, 8, 6), **TOWN, event="cough all evening, cough"),
        make_record("bib", datetime(2022, 6, 6), **TOWN, event="start of the river race",
                    ocr=["RIVER RACE", "5128", "Start 9:30"]),
        make_record("wall", datetime(2022, 6, 9), **TOWN, event="plans for the year",
                    ocr=["River race under 1:45"]),
        make_record("cafe1", datetime(2022, 3, 3), **TOWN, event="cake at the Lindwurm"),
        make_record("cafe2", datetime(2022, 7, 8), **TOWN, event="tea at the Lindwurm"),
        make_record("oslo", datetime(2022, 8, 1), city="Oslo", country="Norway",
                    event="holiday", people=["Friend A"]),
        make_record("turin", datetime(2023, 8, 1), **OLD, event="holiday", people=["Friend A"]),
        make_record("boots", datetime(2022, 11, 1), **TOWN, event="new boots",
                    ocr=["Boots 120,00 €"]),
        make_record("skates", datetime(2022, 12, 1), **TOWN, event="new skates",
                    ocr=["Skates 95,50 €"]),
    ]  # fmt: skip


@pytest.fixture
def recall(tmp_path: Path) -> Recall:
    archive = FakeArchive(life())
    embedder = FakeEmbedder(256)
    search = Search(archive, index_of(archive, tmp_path, embedder), embedder)
    return Recall(archive, search, None, RecallSettings(cosine=0.75))


def ask(recall: Recall, text: str) -> Answer:
    query = Query(text=mint_text(text), tier=Tier.T1, asked_at=datetime(2025, 1, 1), top_k=5)
    return recall.answer(query)


def first(answer: Answer) -> str:
    return answer.evidence[0].item_id


@pytest.mark.parametrize(
    ("question", "words", "item"),
    [
        ("In which of my two lake races was I faster?", "1:49:05, against 1:58:20", "race2"),
        ("Which lake race was slower?", "1:58:20, against 1:49:05", "race1"),
        ("Which were cheaper, the boots or the skates?", "95,50 €, against 120,00 €", "skates"),
        ("How hot is the tub?", "Water 39 C", "tub"),
        ("What number did I wear at the river race?", "5128", "bib"),
    ],
)
def test_a_figure_is_read_where_it_stands(
    recall: Recall, question: str, words: str, item: str
) -> None:
    answer = ask(recall, question)
    assert words in answer.text.value
    assert first(answer) == item


def test_medicines_are_read_from_the_label_not_told_from_the_cough(recall: Recall) -> None:
    text = ask(recall, "Which two medicines did I get for my cough?").text.value
    assert "Ambroxol 30 mg" in text
    assert "Thymol 5 ml" in text
    assert "10 days" not in text


def test_of_two_things_the_earlier_one_is_named_first(recall: Recall) -> None:
    answer = ask(recall, "Which came first, the parrot or the first ride on the sledge?")
    assert answer.text.value == (
        "parrot on 9 October 2021, then first ride on the sledge on 1 February 2022"
    )
    assert [each.item_id for each in answer.evidence] == ["parrot", "sled"]


def test_a_count_also_says_its_first_day_when_asked(recall: Recall) -> None:
    text = ask(recall, "How many times was I at the Lindwurm, and when was the first?").text.value
    assert text.startswith("2 times: ")
    assert text.endswith("; the first on 3 March 2022")


def test_a_stay_in_the_old_home_town_is_no_trip(recall: Recall) -> None:
    text = ask(recall, "How many trips did I make with Friend A?").text.value
    assert text == "1 trip: on 1 August 2022 in Oslo, Norway"


def test_who_turned_thirty_had_a_birthday(tmp_path: Path) -> None:
    archive: Sequence[Record] = [
        make_record("thirty", datetime(2021, 12, 4), **OLD, event="my thirtieth birthday"),
        make_record("evening", datetime(2022, 12, 4), **TOWN, event="I turned off the light"),
    ]
    whole = FakeArchive(archive)
    embedder = FakeEmbedder(256)
    search = Search(whole, index_of(whole, tmp_path, embedder), embedder)
    found = ask(Recall(whole, search, None, RecallSettings()), "Where was I when I turned thirty?")
    assert first(found) == "thirty"
    assert "in Turin, Italy" in found.text.value


def test_figures_of_two_kinds_are_not_compared() -> None:
    asked = comparison("which was faster")
    assert asked is not None
    records = [
        make_record("a", datetime(2021, 1, 1), ocr=["1:49:05"]),
        make_record("b", datetime(2022, 1, 1), event="it took two hours"),
    ]
    assert by_figure(asked, by_occasion(records)) is None
    assert comparison("when did I run") is None


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("Which came first, the dog or the move?", Operation.ORDER),
        ("Which race was faster?", Operation.FIGURE),
        ("Which was more expensive, the tea or the cake?", Operation.FIGURE),
        ("When did I first see snow?", Operation.FIRST),
        ("What is my longest video?", Operation.LONGEST),
        ("Where did I stay longer?", Operation.WHERE),
    ],
)
def test_comparisons_are_told_from_other_questions(question: str, operation: Operation) -> None:
    assert read_operation(question) is operation
