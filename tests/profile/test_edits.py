"""What the owner decides holds through late sessions, forgetting, and building from scratch."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.compose import restored
from archive_mem.catalog.catalog import Catalog
from archive_mem.errors import UsageError
from archive_mem.profile.checkpoints import CatalogCheckpoints
from archive_mem.profile.chrono import ProfileState
from archive_mem.profile.editor import Editor, Words
from archive_mem.profile.edits import Desk, Edit, EditKind, Entry, Piece, edited, laid, pruned
from archive_mem.profile.kept_edits import CatalogEdits
from archive_mem.profile.stability import mentions_until
from archive_mem.schema.profile import Category, ProfileItem
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from tests.profile.world import Checkpoints, World, built, moment

SAYINGS = ("I love coffee", "I love strong coffee", "I enjoy hiking", "I love hiking in rain")
SPOKEN = st.lists(st.tuples(st.integers(0, 900), st.sampled_from(SAYINGS)), min_size=2, max_size=10)
KINDS = st.sampled_from(list(EditKind))


def life(spoken: list[tuple[int, str]]) -> list[Record]:
    begin = datetime(2022, 1, 1, 9)
    return [
        moment((begin + timedelta(days=day)).isoformat(), saying, item=f"item{number}")
        for number, (day, saying) in enumerate(spoken)
    ]


def drawn_edit(number: int, desk: Desk, data: st.DataObject) -> Edit:
    entries = list(desk.entries.values())
    entry, other = (data.draw(st.sampled_from(entries)) for _ in range(2))
    kind = data.draw(KINDS)
    return Edit(
        id=number,
        kind=kind,
        about=desk.pieces(entry),
        other=desk.pieces(other) if kind is EditKind.MERGE else (),
        parts=(drawn_part(entry, data),) if kind is EditKind.SPLIT else (),
        text=restored("I live for coffee") if kind is EditKind.CORRECT else None,
    )


def drawn_part(entry: Entry, data: st.DataObject) -> tuple[Piece, ...]:
    decision = data.draw(st.sampled_from(entry.decisions()))
    wording = decision.item_id if data.draw(st.booleans()) else entry.id
    item = decision.candidate.mention.item_id if data.draw(st.booleans()) else None
    return (Piece(wording, item),)


@settings(max_examples=40)
@given(SPOKEN, st.data())
def test_decisions_over_a_grown_profile_are_decisions_over_one_built_from_scratch(
    spoken: list[tuple[int, str]], data: st.DataObject
) -> None:
    records, store, world = life(spoken), Checkpoints(), World([])
    edits: list[Edit] = []
    for number in range(3):
        kept = data.draw(st.sets(st.integers(0, len(records) - 1), min_size=1))
        world.all_records = [record for place, record in enumerate(records) if place in kept]
        grown = built(world, store)
        edits.append(drawn_edit(number, laid(grown, edits), data))
        scratch = edited(built(world), edits)
        assert edited(grown, edits) == scratch
        assert edited(grown, pruned(grown, edits)) == scratch
        edits = data.draw(st.sampled_from([edits, pruned(grown, edits)]))


@settings(max_examples=40)
@given(SPOKEN, st.data())
def test_no_decision_loses_or_doubles_a_mention(
    spoken: list[tuple[int, str]], data: st.DataObject
) -> None:
    state, edits = built(World(life(spoken))), list[Edit]()
    for number in range(4):
        edits.append(drawn_edit(number, laid(state, edits), data))
    desk = laid(state, edits)
    mentions = [m for entry in desk.entries.values() for m in desk.item(entry).mentions]
    assert sorted(mentions, key=str) == sorted(
        (m for item in state.items for m in item.mentions), key=str
    )
    for entry in desk.entries.values():
        assert desk.find(desk.pieces(entry)) is entry


class Desktop:
    """A catalog with a profile and the editor over it."""

    def __init__(self, path: Path, *records: Record) -> None:
        self.catalog, self.world = Catalog(path), World([])
        self.checkpoints, self.kept = CatalogCheckpoints(self.catalog), CatalogEdits(self.catalog)
        self.names = {"Ann": "[Friend A]"}
        words = Words(redact=self.redact, seal=lambda text: text[::-1], unseal=lambda t: t[::-1])
        self.editor = Editor(self.checkpoints, self.kept, lambda: words)
        self.live(*records)

    def redact(self, text: str) -> SafeText:
        for name, placeholder in self.names.items():
            text = text.replace(name, placeholder)
        return restored(text)

    def live(self, *records: Record) -> None:
        self.world.all_records = list(records)
        built(self.world, self.checkpoints)  # type: ignore[arg-type]

    def items(self) -> dict[str, ProfileItem]:
        state: ProfileState | None = self.checkpoints.load()
        assert state is not None
        found = edited(state, self.kept.edits()).items
        return {item.statement.value: item for item in found}


COFFEE = (
    moment("2022-01-01T09:00", "I love coffee", item="a"),
    moment("2022-02-01T09:00", "I love strong coffee", item="b"),
    moment("2022-03-01T09:00", "I love strong coffee", item="c"),
    moment("2022-04-01T09:00", "I enjoy hiking", item="d"),
)


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path / "catalog.sqlite", *COFFEE)


def test_what_was_taken_for_one_is_two_again_and_later_photos_follow(desktop: Desktop) -> None:
    whole = desktop.items()["I love strong coffee"]
    left = desktop.editor.split(whole.id)
    assert (left.statement.value, len(left.mentions)) == ("I love coffee", 1)
    later = moment("2022-05-01T09:00", "I love strong coffee", item="e")
    desktop.live(*COFFEE, later)
    assert len(desktop.items()["I love strong coffee"].mentions) == 3
    assert len(desktop.items()["I love coffee"].mentions) == 1


def test_one_mention_alone_can_be_taken_out(desktop: Desktop) -> None:
    whole = desktop.items()["I love strong coffee"]
    desktop.editor.split(whole.id, [2])
    counts = sorted(len(item.mentions) for item in desktop.items().values())
    assert counts == [1, 1, 2]
    with pytest.raises(UsageError, match="mentions 1 to 2, not 7"):
        desktop.editor.split(whole.id, [7])
    with pytest.raises(UsageError, match="nothing would be left"):
        desktop.editor.split(whole.id, [1, 2])


def test_two_statements_become_one_under_the_first_wording(desktop: Desktop) -> None:
    items = desktop.items()
    hiking, coffee = items["I enjoy hiking"], items["I love strong coffee"]
    merged = desktop.editor.merge(coffee.id[:8], hiking.id)
    assert merged.statement == coffee.statement
    assert len(merged.mentions) == 4
    assert set(desktop.items()) == {"I love strong coffee"}
    desktop.editor.undo(desktop.editor.decisions()[0].id)
    assert desktop.items() == items


def test_what_contradicts_is_not_merged(tmp_path: Path) -> None:
    hate = moment("2023-01-01T09:00", "I hate coffee", item="x")
    desktop = Desktop(tmp_path / "catalog.sqlite", *COFFEE, hate)
    items = desktop.items()
    with pytest.raises(UsageError, match="contradict"):
        desktop.editor.merge(items["I love strong coffee"].id, items["I hate coffee"].id)


def test_a_hidden_statement_stays_hidden_when_it_is_said_again(desktop: Desktop) -> None:
    hiking = desktop.items()["I enjoy hiking"]
    desktop.editor.hide(hiking.id)
    desktop.live(*COFFEE, moment("2022-06-01T09:00", "I enjoy hiking", item="h"))
    assert set(desktop.items()) == {"I love strong coffee"}
    assert [item.id for item in desktop.editor.hidden()] == [hiking.id]
    with pytest.raises(UsageError, match="hidden already"):
        desktop.editor.hide(hiking.id)
    desktop.editor.show(hiking.id)
    assert len(desktop.items()["I enjoy hiking"].mentions) == 2


def test_the_owners_words_stand_as_of_every_day_and_hold_placeholders(desktop: Desktop) -> None:
    coffee = desktop.items()["I love strong coffee"]
    put = desktop.editor.correct(coffee.id, "I hate coffee, says Ann", Category.HOBBIES)
    assert put.statement.value == "I hate coffee, says [Friend A]"
    assert (put.category, put.polarity, put.settled) == (Category.HOBBIES, -1, True)
    early = mentions_until(put, datetime(2022, 1, 2))
    assert early is not None
    assert early.statement == put.statement
    desktop.names["Ann"] = "[Friend B]"
    desktop.editor.redact_again()
    assert "I hate coffee, says [Friend B]" in desktop.items()


def test_a_forgotten_photo_takes_its_decisions_along_and_no_others(desktop: Desktop) -> None:
    items = desktop.items()
    desktop.editor.correct(items["I enjoy hiking"].id, "I climb")
    desktop.editor.correct(items["I love strong coffee"].id, "I need coffee")
    desktop.live(*COFFEE[1:3])
    desktop.editor.forget_what_is_gone()
    assert set(desktop.items()) == {"I need coffee"}
    kept = [str(edit.text) for edit in desktop.kept.edits()]
    assert kept == ["I need coffee"]
    desktop.live(*COFFEE)
    assert set(desktop.items()) == {"I need coffee", "I enjoy hiking"}


def test_each_decision_is_listed_with_what_it_is_about(desktop: Desktop) -> None:
    hiking = desktop.items()["I enjoy hiking"]
    desktop.editor.hide(hiking.id)
    (written,) = desktop.editor.decisions()
    assert (written.kind, str(written.statement)) == (EditKind.HIDE, "I enjoy hiking")
    with pytest.raises(UsageError, match="no decision 99"):
        desktop.editor.undo(99)
    for name in ("", "zzzz", hiking.id[:3]):
        with pytest.raises(UsageError, match="no statement"):
            desktop.editor.show(name)


def test_a_decision_renews_what_readers_remember(desktop: Desktop) -> None:
    before = desktop.checkpoints.revision()
    desktop.editor.hide(desktop.items()["I enjoy hiking"].id)
    assert desktop.checkpoints.revision() > before


def test_a_link_to_a_merged_statement_leads_to_the_one_that_took_it_up() -> None:
    state = built(World([*COFFEE, moment("2023-01-01T09:00", "I stopped coffee", item="s")]))
    coffee, hiking, stop = state.items
    assert stop.related_id == coffee.id
    merge = Edit(id=1, kind=EditKind.MERGE, about=(Piece(hiking.id),), other=(Piece(coffee.id),))
    assert {item.related_id for item in edited(state, [merge]).items} == {None, hiking.id}
    assert edited(state, [replace(merge, about=(Piece("gone"),))]).items == state.items
