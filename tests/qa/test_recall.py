"""Answers of tier 1."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from archive_mem.catalog.records import merged_objective
from archive_mem.errors import InputError
from archive_mem.qa.recall import Recall, RecallSettings
from archive_mem.retrieval.photos import ThumbFinder
from archive_mem.retrieval.search import Search
from archive_mem.schema.annotation import Annotation, ObjectiveLayer, OcrLine
from archive_mem.schema.media import MediaKind, PlaceName, Precision
from archive_mem.schema.minting import mint_text
from archive_mem.schema.qa import Answer, Query, Tier
from archive_mem.schema.record import Record
from models.fake import FakeEmbedder
from tests.doubles import FakeArchive, index_of, make_record

ASKED = datetime(2026, 1, 12)
KYOTO = {"city": "Kyoto", "country": "Japan"}
LISBON = {"city": "Lisbon", "country": "Portugal"}
PORTO = {"city": "Porto", "country": "Portugal"}


def life() -> list[Record]:
    return [
        make_record("swim1", datetime(2021, 3, 6, 9), **LISBON, event="swimming lesson",
                    people=["Friend A"], feelings="nervous"),
        make_record("swim2", datetime(2021, 9, 4, 9), **LISBON, event="swimming in the sea"),
        make_record("swim2b", datetime(2021, 9, 4, 9, 0, 2), **LISBON,
                    event="swimming in the sea", same_moment_as="swim2"),
        make_record("swim3", datetime(2023, 8, 5, 15), **PORTO, event="swimming race",
                    people=["Friend A", "Family B"], context="I came second"),
        make_record("ramen", datetime(2022, 4, 2, 12, 30), **KYOTO, event="ramen lunch",
                    people=["Friend C"]),
        make_record("bill", datetime(2022, 4, 2, 13, 10), **KYOTO, event="the bill",
                    ocr=["RAMEN HOUSE", "Shoyu ramen 950", "Gyoza 400", "TOTAL 1350"]),
        make_record("ticket", datetime(2022, 4, 9, 8), **KYOTO, ocr=["TRAIN TICKET", "Seat 14B"]),
        make_record("dog", datetime(2023, 1, 3, 8), **LISBON, kind=MediaKind.VIDEO, duration=12.0,
                    event="dog in the park"),
        make_record("dog2", datetime(2023, 2, 3, 8), **LISBON, kind=MediaKind.VIDEO,
                    duration=48.4, event="dog on the beach"),
        make_record("moved", datetime(2022, 6, 1), **PORTO, event="moving to the new flat"),
        make_record("month", datetime(2020, 7, 1), **LISBON, event="grandmother's garden",
                    precision=Precision.MONTH),
        make_record("piano", None, event="an old piano"),
    ]  # fmt: skip


def recalling(folder: Path, records: Sequence[Record], *, photos: bool = False) -> Recall:
    archive = FakeArchive(records)
    embedder = FakeEmbedder(256)
    search = Search(archive, index_of(archive, folder, embedder), embedder)
    finder = ThumbFinder(archive, folder) if photos else None
    return Recall(archive, search, finder, RecallSettings(cosine=0.75))


@pytest.fixture
def recall(tmp_path: Path) -> Recall:
    return recalling(tmp_path, life())


def ask(recall: Recall, text: str, *, asked: datetime = ASKED, photo: Path | None = None) -> Answer:
    return recall.answer(
        Query(text=mint_text(text), tier=Tier.T1, asked_at=asked, photo=photo, top_k=5)
    )


def items(answer: Answer) -> list[str]:
    return [each.item_id for each in answer.evidence]


@pytest.mark.parametrize(
    ("question", "words", "first"),
    [
        ("When did I eat ramen?", "on 2 April 2022 in Kyoto, Japan", "ramen"),
        ("Where was the swimming race?", "in Porto, Portugal on 5 August 2023", "swim3"),
        ("Who was with me at the ramen lunch?", "with Friend C", "ramen"),
        ("Who was at the swimming race?", "with Friend A and Family B", "swim3"),
        ("What time was the ramen lunch?", "at 12:30", "ramen"),
        ("On which day of the week was the swimming race?", "Saturday 5 August 2023", "swim3"),
        ("What happened at the swimming race?", "I came second.", "swim3"),
        ("How did I feel at the swimming lesson?", "Felt nervous.", "swim1"),
        ("Have I ever seen a dog on the beach?", "yes, on 3 February 2023", "dog2"),
        ("When was I in grandmother's garden?", "in July 2020", "month"),
        ("Where is the old piano?", "an old piano", "piano"),
        ("When did I swim with Family B?", "on 5 August 2023", "swim3"),
    ],
)
def test_one_moment_is_told_from_its_fields(
    recall: Recall, question: str, words: str, first: str
) -> None:
    answer = ask(recall, question)
    assert words in answer.text.value
    assert items(answer)[0] == first
    assert not answer.abstained


@pytest.mark.parametrize(
    ("question", "words", "first"),
    [
        ("How much was the total on the ramen bill?", "TOTAL 1350", "bill"),
        ("How much did the gyoza cost?", "Gyoza 400", "bill"),
        ("What seat number was on the train ticket?", "Seat 14B", "ticket"),
    ],
)
def test_text_seen_only_in_a_picture_is_read(
    recall: Recall, question: str, words: str, first: str
) -> None:
    answer = ask(recall, question)
    assert words in answer.text.value
    assert items(answer)[0] == first
    assert words in answer.evidence[0].quote.value


@pytest.mark.parametrize(
    ("question", "words", "evidence"),
    [
        ("How many times did I go swimming?", "3 times: on 6 March 2021", "swim1 swim2 swim3"),
        ("How many times did I go swimming in 2021?", "2 times:", "swim1 swim2"),
        ("How many times did I go swimming in Porto?", "1 time:", "swim3"),
        ("How many times did I go swimming with Friend A?", "2 times:", "swim1 swim3"),
        ("How many videos of the dog did I film?", "2 videos", "dog dog2"),
        ("When was the first time I went swimming?", "on 6 March 2021", "swim1 swim2 swim3"),
        ("When did I last go swimming?", "on 5 August 2023", "swim3 swim1 swim2"),
        ("Where did I first go swimming?", "in Lisbon, Portugal", "swim1 swim2 swim3"),
        ("Which was my longest video?", "48 seconds", "dog2 dog"),
        ("In which city did I swim the most?", "Lisbon, 2 times", "swim1 swim2"),
        ("Who did I swim with most often?", "Friend A, 2 times", "swim1 swim3"),
        ("Which years did I go swimming?", "2021: 2 times; 2023: once", "swim1 swim2 swim3"),
        ("Did I go swimming more often in Lisbon or Porto?", "Lisbon (", "swim1 swim2 swim3"),
        ("Did I swim more often in 2023 than in 2021?", "2021 (2021: 2 times; 2023: once)",
         "swim1 swim2 swim3"),
        ("How often did I go swimming?", "3 times between 6 March 2021 and 5 August 2023, "
         "about every 15 months", "swim1 swim2 swim3"),
    ],
)  # fmt: skip
def test_the_whole_archive_is_counted_with_each_item_shown_once(
    recall: Recall, question: str, words: str, evidence: str
) -> None:
    answer = ask(recall, question)
    assert words in answer.text.value
    assert items(answer) == evidence.split()


def test_distinct_names_are_counted_and_listed(recall: Recall) -> None:
    assert "3: " in ask(recall, "How many cities have I been to?").text.value
    countries = ask(recall, "Which countries did I visit?").text.value
    assert "Portugal" in countries
    assert "Japan" in countries
    people = ask(recall, "How many people did I swim with?").text.value
    assert people == "2: Friend A and Family B"


def test_abroad_is_outside_the_country_of_most_records(recall: Recall) -> None:
    answer = ask(recall, "How many trips abroad did I make?")
    assert "2 trips" in answer.text.value
    assert set(items(answer)) == {"ramen", "bill", "ticket"}


def test_a_day_alone_is_told_in_full(recall: Recall) -> None:
    answer = ask(recall, "What did I do on 2 April 2022?")
    assert items(answer) == ["ramen", "bill"]
    assert "ramen lunch" in answer.text.value
    place = ask(recall, "Where was I on 3 January 2023?").text.value
    assert place.startswith("in Lisbon, Portugal. ")
    assert "Friend C" in ask(recall, "Who was I with on 2 April 2022?").text.value


def test_an_event_dates_the_question(recall: Recall) -> None:
    before = ask(recall, "How many times did I go swimming before I was moving to the new flat?")
    assert items(before) == ["swim1", "swim2"]


def test_weeks_before_an_event_are_counted_from_where_the_archive_tells_of_it(
    recall: Recall,
) -> None:
    near = ask(recall, "What did I do in the ten weeks before I was moving to the new flat?")
    assert items(near) == ["ramen", "bill", "ticket"]
    both = ask(recall, "How many times did I swim in 2021 before I was moving to the new flat?")
    assert items(both) == ["swim1", "swim2"]


def test_an_event_that_the_archive_does_not_tell_of_empties_nothing(recall: Recall) -> None:
    answer = ask(recall, "How many times did I go swimming before my zeppelin certificate?")
    assert items(answer) == ["swim1", "swim2", "swim3"]


@pytest.mark.parametrize(
    "question",
    [
        "When did I ride a camel?",
        "How many times did I ride a camel?",
        "When was I in Paris?",
        "How many times did I swim in Paris?",
        "What did I do in 2010?",
        "How much did the camel cost?",
        "When did I go swimming in 1999?",
        "asdf qwer?",
        "?",
        "",
    ],
)
def test_what_nothing_supports_is_not_answered(recall: Recall, question: str) -> None:
    answer = ask(recall, question)
    assert answer.abstained
    assert answer.text.value.startswith("Nothing in the archive supports an answer.")


def test_an_abstention_shows_the_closest_finds(recall: Recall) -> None:
    answer = ask(recall, "When did I go swimming in 1999?")
    assert "swim1" in items(answer)
    assert " The closest that was found: on " in answer.text.value


def test_nothing_after_the_question_exists(recall: Recall) -> None:
    asked = datetime(2021, 6, 1)
    assert "1 time" in ask(recall, "How many times did I go swimming?", asked=asked).text.value
    late = ask(recall, "When did I eat ramen?", asked=asked)
    assert late.abstained
    assert not {"ramen", "bill", "swim3"} & set(items(late))


def test_an_empty_archive_answers_nothing(tmp_path: Path) -> None:
    answer = ask(recalling(tmp_path, []), "When did I swim?")
    assert answer.abstained
    assert answer.evidence == ()


def test_the_same_question_has_the_same_answer(recall: Recall) -> None:
    first, second = (ask(recall, "How many times did I go swimming?") for _ in range(2))
    assert (first.text, first.evidence) == (second.text, second.evidence)


def test_a_dish_and_its_price_on_one_row_belong_together(tmp_path: Path) -> None:
    def line(text: str, left: float, top: float) -> OcrLine:
        return OcrLine(text=mint_text(text), score=0.9, box=(left, top, 0.3, 0.05))

    record = make_record("menu", datetime(2022, 1, 1), event="menu of the day")
    assert record.description is not None
    lines = (line("Soup", 0.1, 0.2), line("4.50", 0.7, 0.205), line("Fish", 0.1, 0.4),
             line("11.00", 0.7, 0.4))  # fmt: skip
    record = replace(record, description=replace(record.description, ocr=lines))
    answer = ask(recalling(tmp_path, [record]), "How much did the fish on the menu cost?")
    assert "Fish 11.00" in answer.text.value


def picture(seed: int, size: tuple[int, int] = (96, 64)) -> Image.Image:
    cells = np.random.default_rng(seed).integers(0, 255, (6, 8, 3), dtype=np.uint8)
    return Image.fromarray(cells).resize(size, Image.Resampling.BICUBIC)


@pytest.fixture
def with_photos(tmp_path: Path) -> Recall:
    from archive_mem.ingest.fingerprint import item_id

    picture(1).save(tmp_path / "original.png")
    same = item_id(tmp_path / "original.png")
    records = [
        make_record(same, datetime(2022, 4, 2, 12), **KYOTO, event="ramen lunch", thumb="1.jpg"),
        make_record("other", datetime(2023, 5, 2, 12), **LISBON, event="a walk", thumb="2.jpg"),
        make_record("again", datetime(2023, 6, 2, 12), **KYOTO, event="a shrine", thumb="3.jpg"),
    ]
    for seed in (1, 2, 3):
        picture(seed).save(tmp_path / f"{seed}.jpg", quality=80)
    return recalling(tmp_path, records, photos=True)


def test_the_same_file_is_found_by_its_content(with_photos: Recall, tmp_path: Path) -> None:
    answer = ask(with_photos, "When did I take this?", photo=tmp_path / "original.png")
    assert "on 2 April 2022 in Kyoto, Japan" in answer.text.value
    assert answer.evidence[0].why == (("same file", 1.0),)


def test_a_smaller_copy_is_found_by_its_look(with_photos: Recall, tmp_path: Path) -> None:
    picture(2, (48, 32)).save(tmp_path / "copy.jpg", quality=60)
    answer = ask(with_photos, "Where was this?", photo=tmp_path / "copy.jpg")
    assert "in Lisbon, Portugal" in answer.text.value
    assert answer.evidence[0].why[0][0] == "near copy"


def test_an_item_id_is_a_photo_too(with_photos: Recall) -> None:
    answer = ask(with_photos, "Where was this?", photo=Path("again"))
    assert "in Kyoto, Japan" in answer.text.value


def test_how_often_here_counts_the_place_of_the_photo(with_photos: Recall, tmp_path: Path) -> None:
    answer = ask(with_photos, "How many times have I been here?", photo=tmp_path / "original.png")
    assert "2 times" in answer.text.value
    assert items(answer)[1] == "again"


def test_a_photo_that_is_no_picture_gets_one_line(with_photos: Recall, tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("hello")
    with pytest.raises(InputError, match=r"text\.jpg"):
        ask(with_photos, "Where was this?", photo=tmp_path / "text.jpg")
    with pytest.raises(InputError, match="no such photo"):
        ask(with_photos, "Where was this?", photo=tmp_path / "missing.jpg")


def test_the_owners_word_goes_first_and_what_disagrees_is_named(tmp_path: Path) -> None:
    picnic = make_record("picnic", datetime(2024, 5, 4, 12), **LISBON, event="picnic by the river",
                         people=["Friend A"])  # fmt: skip
    town = PlaceName(city="Porto", region=None, country="Spain", country_code="ES", distance_km=0.1)
    own = ObjectiveLayer(
        event=mint_text("picnic by the river"),
        place=mint_text("Lisbon, Portugal"),
        people=(mint_text("Friend A"),),
    )
    other = ObjectiveLayer(
        captured_at=datetime(2024, 5, 6), place=mint_text("Faro"), people=(mint_text("Friend B"),)
    )
    assert picnic.place is not None
    disputed = replace(
        picnic, objective=own, overruled=other, place=replace(picnic.place, place=town)
    )
    recall = recalling(tmp_path, [disputed])
    where = ask(recall, "Where was the picnic by the river?").text.value
    assert where.startswith("in Lisbon, Portugal")
    assert "coordinates say Porto, Spain" in where
    assert "Another annotator says Faro" in where
    when = ask(recall, "When was the picnic by the river?").text.value
    assert when.startswith("on 4 May 2024")
    assert "Another annotator says 6 May 2024" in when
    who = ask(recall, "Who was at the picnic by the river?").text.value
    assert "with Friend A" in who
    assert "Another annotator names Friend B" in who


def test_where_all_agree_nothing_is_added(recall: Recall) -> None:
    assert "annotator" not in ask(recall, "Where was the swimming race?").text.value
    assert "(" not in ask(recall, "When did I eat ramen?").text.value


def test_the_owners_field_is_kept_although_another_saved_later() -> None:
    def said(annotator: str, minute: int, place: str | None, event: str | None) -> Annotation:
        layer = ObjectiveLayer(
            place=None if place is None else mint_text(place),
            event=None if event is None else mint_text(event),
        )
        at = datetime(2024, 1, 1, 0, minute, tzinfo=UTC)
        return Annotation(item_id="a", annotator=annotator, version=1, saved_at=at, layer=layer)

    merged = merged_objective([said("owner", 1, "Lisbon", None), said("b", 2, "Faro", "a walk")])
    assert merged is not None
    assert str(merged.place) == "Lisbon"
    assert str(merged.event) == "a walk"
