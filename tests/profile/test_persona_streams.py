"""Invented lives: the same for a seed, with gold that follows from their tastes."""

from itertools import pairwise

from archive_mem.evals.persona_streams import StreamSettings, persona_stream
from archive_mem.profile.chrono import build_profile, published
from archive_mem.profile.compare import EmbeddedComparer
from archive_mem.profile.extract import EmbeddedExtractor
from archive_mem.qa.choice import Choice
from models.fake import FakeEmbedder
from tests.profile.world import Checkpoints


def test_a_seed_gives_one_life() -> None:
    assert persona_stream(7) == persona_stream(7)
    assert persona_stream(7) != persona_stream(8)


def test_records_come_in_order_of_time_within_the_life() -> None:
    settings = StreamSettings(statements=40)
    times = [str(record.at) for record in persona_stream(3, settings).archive.all_records]
    assert all(left <= right for left, right in pairwise(times))
    assert len(times) >= 40


def test_the_gold_ranks_every_option_and_names_the_turned_taste() -> None:
    stream = persona_stream(5)
    for question in stream.choices:
        assert set(question.utilities) == {option.id for option in question.query.options}
    turned = [question for question in stream.states if question.former is not None]
    assert len(turned) == len(stream.changes) > 0
    assert all(question.gold != question.former for question in turned)


def test_the_reader_puts_the_liked_before_the_disliked() -> None:
    stream, embedder = persona_stream(5), FakeEmbedder(256)
    extractor, comparer = EmbeddedExtractor(embedder), EmbeddedComparer(embedder)
    state = build_profile(stream.archive, Checkpoints(), extractor, comparer)
    stream.archive.items = published(state)
    reader, right, pairs = Choice(stream.archive, embedder), 0, 0
    for question in stream.choices[:20]:
        ranking = reader.answer(question.query).ranking
        assert ranking is not None
        gold = [question.utilities[each.option.id] for each in ranking.options]
        told_apart = [(a, b) for n, a in enumerate(gold) for b in gold[n + 1 :] if a != b]
        right += sum(a > b for a, b in told_apart)
        pairs += len(told_apart)
    assert right / pairs > 0.8
