"""What holds for every archive and every question."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from archive_mem.qa.recall import Recall
from archive_mem.retrieval.plan import plan
from archive_mem.retrieval.rank import Parts, RankSettings, total
from archive_mem.retrieval.search import Search
from archive_mem.retrieval.shares import Shares
from archive_mem.schema.minting import mint_text
from archive_mem.schema.qa import Answer, Query, Tier, Usage
from archive_mem.schema.record import Record
from models.fake import FakeEmbedder
from tests.doubles import FakeArchive, index_of, make_record

WORDS = ("ramen", "temple", "piano", "snow", "harbour", "market")
OTHER = ("quartz", "fjord", "zephyr", "lymph", "vortex", "jukebox")
ASKED = datetime(2026, 1, 12)
few = settings(max_examples=15, deadline=None)


def events(words: Sequence[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words), min_size=1, max_size=4).map(" ".join)


def found(records: Sequence[Record], question: str, k: int, asked: datetime = ASKED) -> list[str]:
    embedder = FakeEmbedder(256)
    archive = FakeArchive(records)
    with TemporaryDirectory() as folder:
        index = index_of(archive, Path(folder), embedder)
        search = Search(archive, index, embedder)
        read = plan(mint_text(question), asked, search.known())
        ids = [each.record.item_id for each in search.search(read.sought, read, k)]
        index.close()
    return ids


def dated(texts: Sequence[str], name: str = "r") -> list[Record]:
    return [
        make_record(f"{name}{i:02}", datetime(2020, 1, 1) + timedelta(days=9 * i), event=text)
        for i, text in enumerate(texts)
    ]


@few
@given(st.lists(events(WORDS), min_size=1, max_size=8), st.sampled_from(WORDS), st.randoms())
def test_the_order_in_which_records_came_changes_nothing(
    texts: list[str], question: str, generator: object
) -> None:
    records = dated(texts)
    shuffled = list(records)
    generator.shuffle(shuffled)  # type: ignore[attr-defined]
    once = found(records, question, 5)
    assert once == found(records, question, 5) == found(shuffled, question, 5)


@few
@given(st.lists(events(WORDS), min_size=2, max_size=6), st.lists(events(OTHER), max_size=6))
def test_records_about_something_else_take_no_hit_away(texts: list[str], others: list[str]) -> None:
    records = dated([*texts, "ramen"])
    meant = {each.item_id for each, text in zip(records, [*texts, "ramen"], strict=True)
             if "ramen" in text}  # fmt: skip
    more = [*records, *dated(others, "x")]
    assert meant <= set(found(records, "ramen", len(meant)))
    assert meant == set(found(more, "ramen", len(meant)))


@few
@given(
    st.lists(st.integers(0, 700), min_size=1, max_size=10, unique=True),
    st.integers(0, 700),
    st.sampled_from(("ramen", "ramen in 2020", "the last ramen")),
)
def test_nothing_dated_after_the_question_is_used(
    days: list[int], asked: int, question: str
) -> None:
    begin = datetime(2020, 1, 1, 12)
    records = [
        make_record(f"r{day:03}", begin + timedelta(days=day), event="ramen") for day in days
    ]
    ids = found(records, question, 10, begin + timedelta(days=asked))
    assert sorted(ids) == sorted(f"r{day:03}" for day in days if day <= asked)


unit_scores = st.floats(0, 1, width=32)


@given(st.integers(1, 12), st.data())
def test_the_whole_score_does_not_depend_on_the_order_of_candidates(
    count: int, data: st.DataObject
) -> None:
    columns = data.draw(
        st.lists(st.lists(unit_scores, min_size=count, max_size=count), min_size=6, max_size=6)
    )
    sessions = data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    order = np.array(data.draw(st.permutations(range(count))))
    new_place = np.append(np.argsort(order), -1)
    beside = np.array([row - 1 if row and sessions[row - 1] == sessions[row] else -1
                       for row in range(count)])  # fmt: skip

    def scores(rows: np.ndarray, beside: np.ndarray) -> np.ndarray:
        dense, lexical, time, place, people, extra = (np.array(each)[rows] for each in columns)
        parts = Parts(
            dense=dense, lexical=lexical, time=time, place=place, people=people, extra=extra,
            sessions=np.unique(np.array(sessions)[rows], return_inverse=True)[1],
            before=beside, after=np.full(count, -1),
        )  # fmt: skip
        return total(parts, RankSettings())

    plain = scores(np.arange(count), beside)
    again = scores(order, new_place[beside[order]])
    assert np.allclose(plain[order], again, atol=1e-9)


@given(st.dictionaries(st.text(max_size=3), st.sampled_from((0.0, 0.25, 1.0)), max_size=20))
def test_shares_are_a_mapping_without_the_zeros(values: dict[str, float]) -> None:
    shares = Shares({name: row for row, name in enumerate(values)}, np.array([*values.values()]))
    having = {name: value for name, value in values.items() if value}
    assert dict(shares) == having
    assert len(shares) == len(having)
    assert all(shares.get(name, 0.0) == value for name, value in values.items())
    assert "never there" not in shares


def answered(records: Sequence[Record], question: str, asked: datetime = ASKED) -> Answer:
    embedder = FakeEmbedder(256)
    archive = FakeArchive(records)
    with TemporaryDirectory() as folder:
        index = index_of(archive, Path(folder), embedder)
        recall = Recall(archive, Search(archive, index, embedder))
        query = Query(text=mint_text(question), tier=Tier.T1, asked_at=asked, top_k=5)
        answer = recall.answer(query)
        index.close()
    return replace(answer, usage=Usage(seconds=0.0))


QUESTIONS = (
    "when did I see the {}",
    "how many times was there {}",
    "which came first, the {} or the snow",
    "in which of my two {} was I faster",
    "did I ever see {}",
)


@few
@given(
    st.lists(events(WORDS), min_size=1, max_size=8),
    st.sampled_from(QUESTIONS),
    st.sampled_from(WORDS),
    st.randoms(),
)
def test_the_same_question_has_the_same_answer(
    texts: list[str], question: str, about: str, generator: object
) -> None:
    records = dated(texts)
    shuffled = list(records)
    generator.shuffle(shuffled)  # type: ignore[attr-defined]
    asked = question.format(about)
    once = answered(records, asked)
    assert once == answered(records, asked) == answered(shuffled, asked)


@few
@given(
    st.lists(events(WORDS), min_size=2, max_size=8),
    st.sampled_from(QUESTIONS),
    st.sampled_from(WORDS),
    st.integers(0, 7),
)
def test_no_answer_stands_on_what_came_after_the_question(
    texts: list[str], question: str, about: str, cut: int
) -> None:
    records = dated(texts)
    asked_at = datetime(2020, 1, 1) + timedelta(days=9 * cut, hours=1)
    past = [record for record in records if record.exists_at(asked_at)]
    answer = answered(records, question.format(about), asked_at)
    assert {each.item_id for each in answer.evidence} <= {record.item_id for record in past}
    assert answer.text == answered(past, question.format(about), asked_at).text
