"""T1 to T3 by a chat model: what it is shown, which of its labels count, what is mended."""

import json
import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive_mem.errors import InvalidReply, ModelError
from archive_mem.qa.reader.context import Passage, build
from archive_mem.qa.reader.labels import cited
from archive_mem.qa.reader.prior import PriorSettings
from archive_mem.qa.reader.talk import ReaderSettings
from archive_mem.schema.minting import mint_text
from archive_mem.schema.qa import Answer, Evidence, Tier
from models.fake import FakeChat, ScriptedChat
from models.openai_compatible import OpenAiChat, Patience
from models.openai_compatible_address import parse_address
from tests.models import chat_server as on
from tests.models.chat_server import ChatServer
from tests.qa.reader_world import Desk

WHERE = "Where did I eat ramen?"
LIKE = "What do I like to eat?"
ORDER = "What would I order?"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with on.running() as made:
        yield made


def over(server: ChatServer) -> OpenAiChat:
    patience = Patience(connect=1.0, silence=2.0, retries=0)
    return OpenAiChat(parse_address(f"{server.url}#m"), patience)


def label_of(model: ScriptedChat, words: str, call: int = 0) -> int:
    """The label under which some words were shown."""
    shown = model.shown[call][-1].text.value
    found = re.search(rf"^\[(\d+)\] [^\n]*{re.escape(words)}", shown, re.MULTILINE)
    assert found is not None
    return int(found[1])


def items(answer: Answer) -> list[str]:
    return [each.item_id for each in answer.evidence]


# --------------------------------------------------------------------------- recall


def test_labels_are_mapped_back_to_items_and_numbered_anew(desk: Desk) -> None:
    probe = ScriptedChat("[1]")
    desk.ask(probe, WHERE, Tier.T1)
    ramen, bill = label_of(probe, "ramen lunch"), label_of(probe, "the bill")
    model = ScriptedChat(f"Ramen in Kyoto [{ramen}], for 1350 [{bill}][{ramen}].")
    answer = desk.ask(model, WHERE, Tier.T1)
    assert answer.text.value == "Ramen in Kyoto [1], for 1350 [2] [1]."
    assert items(answer) == ["ramen", "bill"]
    assert not answer.abstained
    assert (answer.reader, answer.usage.calls, answer.usage.invented) == (
        "scripted, recall@1",
        1,
        0,
    )


def test_invented_labels_are_dropped_and_counted(desk: Desk) -> None:
    answer = desk.ask(ScriptedChat("In Kyoto [2][77], or Rome [88]."), WHERE, Tier.T1)
    assert answer.text.value == "In Kyoto [1], or Rome."
    assert (len(answer.evidence), answer.usage.invented) == (1, 2)


def test_a_claim_without_a_label_is_asked_for_once_more(desk: Desk) -> None:
    model = ScriptedChat("In Kyoto.", "In Kyoto [2].")
    answer = desk.ask(model, WHERE, Tier.T1)
    assert (answer.usage.calls, answer.usage.repairs) == (2, 1)
    assert not answer.abstained
    assert "no claim in it has the label" in model.shown[1][-1].text.value
    assert model.shown[1][-1].text.value.startswith(model.shown[0][-1].text.value)


def test_what_never_cites_anything_is_no_answer(desk: Desk) -> None:
    answer = desk.ask(ScriptedChat("In Rome.", "In Rome [99]."), WHERE, Tier.T1)
    assert answer.abstained
    assert "Rome" not in answer.text.value
    assert answer.usage.repairs == 1


def test_a_model_that_finds_nothing_abstains_with_what_came_closest(desk: Desk) -> None:
    answer = desk.ask(ScriptedChat("NOT IN THE RECORDS"), WHERE, Tier.T1)
    assert answer.abstained
    assert answer.usage.calls == 1
    assert answer.text.value == "Nothing in the archive supports an answer."


def test_a_placeholder_that_was_not_shown_is_refused(desk: Desk) -> None:
    model = ScriptedChat("With Friend Q [2].", "With Friend A [2].")
    answer = desk.ask(model, WHERE, Tier.T1)
    assert answer.text.value == "With Friend A [1]."
    assert "names somebody" in model.shown[1][-1].text.value


def test_words_of_the_model_are_redacted_around_their_labels(desk: Desk) -> None:
    answer = desk.ask(ScriptedChat("With Carol [2] there."), WHERE, Tier.T1)
    assert answer.text.value == "With Friend A [1] there."


def test_thoughts_and_control_characters_are_no_part_of_an_answer(desk: Desk) -> None:
    said = "<think>maybe Rome [1]</think>\x1b[31mIn Kyoto [2]."
    answer = desk.ask(ScriptedChat(said), WHERE, Tier.T1)
    assert answer.text.value == "[31mIn Kyoto [1]."
    assert len(answer.evidence) == 1


def test_nothing_after_the_question_is_shown(desk: Desk) -> None:
    model = ScriptedChat("Steak [1].")
    desk.ask(model, WHERE, Tier.T1, asked=datetime(2021, 12, 31))
    shown = model.shown[0][-1].text.value
    assert "I love steak" in shown
    assert "Kyoto" not in shown
    assert "grilled fish" not in shown


def test_a_small_budget_is_kept_and_says_what_was_left_out(desk: Desk) -> None:
    model = ScriptedChat("In Kyoto [1].")
    desk.ask(model, WHERE, Tier.T1, settings=ReaderSettings(budget=370, reply=20))
    whole = sum(model.tokens(turn.text) for turn in model.shown[0])
    assert whole <= 370
    assert re.search(r"\d more were found and are not shown", model.shown[0][-1].text.value)


def test_no_room_at_all_is_one_line(desk: Desk) -> None:
    with pytest.raises(ModelError, match=r"no room for evidence: .* reader_tokens is 210"):
        desk.ask(ScriptedChat("x"), WHERE, Tier.T1, settings=ReaderSettings(budget=210))


# --------------------------------------------------------------------------- persona


def test_a_persona_cites_dated_mentions_and_sees_stability(desk: Desk) -> None:
    probe = ScriptedChat("[1]")
    desk.ask(probe, LIKE, Tier.T2)
    shown = probe.shown[0][-1].text.value
    assert re.search(r"preference, stability 1\.00, on 20 May 2023: \"I love grilled fish\"", shown)
    fish = label_of(probe, 'on 20 May 2023: "I love grilled fish"')
    answer = desk.ask(ScriptedChat(f"Grilled fish, since May 2023 [{fish}]."), LIKE, Tier.T2)
    assert items(answer) == ["fish"]
    assert answer.evidence[0].at == datetime(2023, 5, 20, 20)


def test_stability_and_the_profile_can_be_hidden_for_comparison(desk: Desk) -> None:
    without = ReaderSettings(prior=PriorSettings(with_stability=False))
    nothing = ReaderSettings(prior=PriorSettings(per_category=0))
    shown = []
    for settings in (without, nothing):
        model = ScriptedChat("[1]")
        desk.ask(model, LIKE, Tier.T2, settings=settings)
        shown.append(model.shown[0][-1].text.value)
    assert "stability" not in shown[0]
    assert "preference, on 20 May 2023" in shown[0]
    assert "preference" not in shown[1]


# --------------------------------------------------------------------------- choice


def ranked(answer: Answer) -> list[str]:
    assert answer.ranking is not None
    return [each.option.id for each in answer.ranking.options]


def test_a_ranking_comes_with_the_statements_that_were_cited(desk: Desk) -> None:
    probe = ScriptedChat(json.dumps({"ranking": ["A", "B"], "reasons": []}))
    desk.ask(probe, ORDER, Tier.T3, "a steak", "grilled fish")
    fish, gone = label_of(probe, "I love grilled fish"), label_of(probe, "I stopped eating steak")
    reply = {
        "ranking": ["B", "A"],
        "reasons": [
            {"option": "B", "pro": [fish, 99], "con": []},
            {"option": "A", "pro": [], "con": [f"[{gone}]"]},
        ],
    }
    answer = desk.ask(ScriptedChat(json.dumps(reply)), ORDER, Tier.T3, "a steak", "grilled fish")
    assert ranked(answer) == ["o1", "o0"]
    assert answer.ranking is not None
    first, last = answer.ranking.options
    assert [each.value for each in first.reasons] == ["+ I love grilled fish (on 20 May 2023)"]
    assert [each.value for each in last.reasons] == [
        "- I stopped eating steak (on 20 February 2023)"
    ]
    assert items(answer) == ["fish", "given"]
    assert (answer.usage.invented, first.score, last.score) == (1, 1.0, 0.0)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I would take the fish.",
        '{"ranking": ["B"]}',
        '{"ranking": ["B", "B"]}',
        '{"ranking": ["B", "A", "C"]}',
        '{"ranking": ["B", "A"',
        '{"ranking": "B, A"}',
        '["B", "A"]',
        '{"ranking": ["B", "A"], "reasons": [{"option": "B", "pro": ["many"]}]}',
    ],
)
def test_a_malformed_ranking_is_mended_or_marked_failed(desk: Desk, reply: str) -> None:
    asked = (ORDER, Tier.T3, "a steak", "grilled fish")
    mended = desk.ask(ScriptedChat(reply, '{"ranking": ["B", "A"]}'), *asked)
    assert (ranked(mended), mended.usage.repairs) == (["o1", "o0"], 1)
    with pytest.raises(InvalidReply, match="gave no ranking of all options, also when asked again"):
        desk.ask(ScriptedChat(reply), *asked)


@pytest.mark.parametrize(
    "reply",
    [
        'Sure:\n```json\n{"ranking": null}\n```\nI mean {"ranking": ["option b", "A."]}',
        '<think>{"ranking": ["A", "B"]}</think>{"ranking": ["(B)", "A) a steak"]}',
    ],
)
def test_a_ranking_wrapped_in_words_is_read(desk: Desk, reply: str) -> None:
    answer = desk.ask(ScriptedChat(reply), ORDER, Tier.T3, "a steak", "grilled fish")
    assert (ranked(answer), answer.usage.repairs) == (["o1", "o0"], 0)


def test_many_options_have_names_of_their_own(desk: Desk) -> None:
    names = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "O27", "O28"]
    options = [f"dish {name}" for name in names]
    reply = json.dumps({"ranking": names[::-1]})
    answer = desk.ask(ScriptedChat(reply), ORDER, Tier.T3, *options)
    assert ranked(answer) == [f"o{n}" for n in range(28)][::-1]


# ------------------------------------------------------------------- other models


def test_the_fake_answers_all_tiers_from_what_it_is_shown(desk: Desk) -> None:
    where = desk.ask(FakeChat(), "Where was the ramen lunch?", Tier.T1)
    assert items(where) == ["ramen"]
    assert not where.abstained
    order = desk.ask(FakeChat(), ORDER, Tier.T3, "a steak", "grilled fish")
    assert ranked(order) == ["o1", "o0"]


def test_a_server_is_asked_the_same_and_its_usage_adds_up(desk: Desk, server: ChatServer) -> None:
    server.will(on.say("In Kyoto.", prompt=100, done=5), on.say("Kyoto [2].", prompt=120, done=6))
    answer = desk.ask(over(server), WHERE, Tier.T1)
    assert (answer.text.value, answer.reader) == ("Kyoto [1].", "m, recall@1")
    used = answer.usage
    assert (used.prompt_tokens, used.completion_tokens, used.calls) == (220, 11, 2)
    roles = [each["role"] for each in server.asked[0]["messages"]]
    assert roles == ["system", "user"]


@pytest.mark.parametrize("fault", [on.no_choices(), on.say(""), on.bare("{")])
def test_a_server_that_sends_nothing_usable_once_is_asked_again(
    desk: Desk, server: ChatServer, fault: on.Fault
) -> None:
    server.will(fault, on.say('{"ranking": ["B", "A"]}'))
    answer = desk.ask(over(server), ORDER, Tier.T3, "a steak", "grilled fish")
    assert (ranked(answer), answer.usage.repairs) == (["o1", "o0"], 1)
    assert "response_format" in server.asked[0]


def test_a_server_that_is_down_is_one_line(desk: Desk, server: ChatServer) -> None:
    server.will(on.status(500))
    with pytest.raises(ModelError, match=r"failed \(500, 1 try\)"):
        desk.ask(over(server), WHERE, Tier.T1)


# --------------------------------------------------------------------- properties


def passage(number: int, words: str = "a walk") -> Passage:
    proof = Evidence(
        item_id=f"i{number}", session_id=None, at=None, quote=mint_text(words), score=1.0
    )
    return Passage(
        head=mint_text("record"),
        said=(mint_text(words),),
        proof=(proof,),
        short=mint_text(words),
        key=("2", f"{number:04}"),
    )


@given(
    st.lists(st.integers(0, 40), max_size=12), st.integers(1, 9), st.sampled_from([", ", "][", "-"])
)
def test_every_label_is_evidence_or_counted_as_invented(
    labels: list[int], shown: int, between: str
) -> None:
    context = build([passage(n) for n in range(shown)], 10_000, lambda text: len(text.value))
    text = "It was so [" + between.join(map(str, labels)) + "]." if labels else "So."
    found = cited(text, context)
    assert {each.item_id for each in found.evidence} <= {f"i{n}" for n in range(shown)}
    assert all(0 < label <= shown for label in found.labels)
    numbers = [int(each) for each in re.findall(r"\[(\d+)\]", found.text)]
    assert all(0 < number <= len(found.evidence) for number in numbers)
    if between != "-":
        assert found.invented == sum(not 0 < label <= shown for label in labels)


@given(st.lists(st.text(max_size=200), min_size=1, max_size=12), st.integers(0, 900))
def test_a_context_stays_within_its_room_and_on_its_lines(texts: list[str], room: int) -> None:
    made = build([passage(n, text) for n, text in enumerate(texts)], room, lambda t: len(t.value))
    assert len(made.passages) + made.left_out == len(texts)
    if made.passages:
        assert len(made.text.value) <= room + 120
    assert made.text.value.count("\n[") == len(made.passages)
