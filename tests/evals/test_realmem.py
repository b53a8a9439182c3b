"""ReaLMem over a small life: every system and mode, gold apart, one summary however it is run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from archive_mem.errors import InputError, UsageError
from archive_mem.evals.benchmarks.realmem.bench import Choices, named_systems, run
from archive_mem.evals.benchmarks.realmem.context import Arm, Context, Lab, Mode, Shown, context_of
from archive_mem.evals.benchmarks.realmem.data import Asked, read_questions
from archive_mem.evals.benchmarks.realmem.judges import ChatJudge, ExactJudge
from archive_mem.evals.benchmarks.realmem.matrix import gathered, read_matrix
from archive_mem.evals.benchmarks.realmem.readers import ChatReader, EmbeddedReader, parsed_reply
from archive_mem.evals.compare import compare_runs
from archive_mem.schema.minting import mint_text
from archive_mem.schema.qa import Tier
from archive_mem.schema.safe import SafeText
from models.base import ChatReply, ChatTurn
from tests.evals.realmem_lab import lab_of

QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "a",
        "tier": "T1",
        "subtask": "1.1",
        "question": "When did I have dinner of sardines?",
        "answer": "9 June 2024",
        "evidence": ["lisbon"],
    },
    {
        "id": "b",
        "tier": "T1",
        "subtask": "1.3",
        "question": "How many times did I go on a morning run along the river in 2023?",
        "answer": "6",
        "evidence": [f"run{n}" for n in range(1, 7)],
    },
    {
        "id": "c",
        "tier": "T2",
        "subtask": "2.1",
        "question": "What do I do in the mornings?",
        "key_points": ["I like running in the morning"],
    },
    {
        "id": "d",
        "tier": "T3",
        "subtask": "3.1",
        "question": "What will I order for lunch?",
        "options": [
            {"id": "x", "text": "Pork ramen"},
            {"id": "y", "text": "Simmered tofu"},
            {"id": "z", "text": "Steak"},
        ],
        "ranking": ["y", "x", "z"],
    },
    {
        "id": "e",
        "tier": "T1",
        "subtask": "1.1",
        "question": "When did I go scuba diving?",
        "answer": "Nothing says.",
        "evidence": [],
    },
]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = lab_of(tmp_path)
    yield made
    made.index.close()


def questions(folder: Path, rows: Sequence[Mapping[str, Any]] = QUESTIONS) -> Path:
    path = folder / "qa.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_every_system_is_run_in_every_mode_and_pixels_are_said_to_be_unseen(
    lab: Lab, tmp_path: Path
) -> None:
    choices = Choices(
        systems=("full-context", "oracle", "rag", "chrono", "chrono-no-ts", "bm25", "dense"),
        modes=("caption", "caption+pixels", "pixels"),
    )
    out = tmp_path / "out"
    summary = run(lab, questions(tmp_path), choices, EmbeddedReader(), ExactJudge(), out)
    assert len(summary["systems"]) == 21
    assert summary["n"] == 3 * (6 * 5 + 2)
    assert summary["failed"] == 0
    assert summary["unscored"] == 2 * (6 * 5 + 2)
    blind = summary["systems"]["rag pixels k=10"]
    assert blind["score"] is None
    assert blind["reasons"] == {"this reader sees no pictures": 5}
    full = summary["systems"]["full-context caption"]
    assert full["groups"]["1.3"]["score"]["mean"] == 100.0
    assert full["groups"]["1.1"]["score"]["mean"] == 100.0
    assert (out / "report.html").is_file()


def test_a_second_run_asks_nothing_and_says_the_same(lab: Lab, tmp_path: Path) -> None:
    qa, out = questions(tmp_path), tmp_path / "out"
    first = run(lab, qa, Choices(), EmbeddedReader(), ExactJudge(), out)
    size = (out / "records.jsonl").stat().st_size
    assert run(lab, qa, Choices(), EmbeddedReader(), ExactJudge(), out) == first
    assert (out / "records.jsonl").stat().st_size == size


def test_the_order_of_the_questions_and_their_ids_change_no_score(lab: Lab, tmp_path: Path) -> None:
    renamed = [{**row, "id": f"new-{row['id']}"} for row in reversed(QUESTIONS)]
    reader, judge = EmbeddedReader(), ExactJudge()
    first = run(lab, questions(tmp_path), Choices(), reader, judge, tmp_path / "a")
    second = run(lab, questions(tmp_path, renamed), Choices(), reader, judge, tmp_path / "b")
    for name, body in first["systems"].items():
        assert body["groups"] == second["systems"][name]["groups"]
        assert body["tiers"] == second["systems"][name]["tiers"]


def test_the_oracle_is_shown_the_gold_items_and_others_are_not(lab: Lab, tmp_path: Path) -> None:
    out = tmp_path / "out"
    choices = Choices(systems=("oracle", "rag"), ks=("1",))
    run(lab, questions(tmp_path), choices, EmbeddedReader(), ExactJudge(), out)
    lines = [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]
    shown = {(row["system"], row["sample"]): row["context"] for row in lines}
    assert shown["oracle caption", "a"] == ["lisbon"]
    assert shown["oracle caption", "b"] == [f"run{n}" for n in range(1, 7)]
    assert len(shown["rag caption k=1", "b"]) == 1
    assert ("oracle caption", "c") not in shown


def test_profile_swap_holds_the_episodes_fixed(lab: Lab, tmp_path: Path) -> None:
    assert set(named_systems(["profile-swap"])) == {f"rag+{arm}" for arm in Arm}
    asked = Asked(
        tier=Tier.T3, question=mint_text("What for lunch?"), asked_at=datetime(2025, 1, 1)
    )
    contexts = [context_of(lab, asked, "rag", arm, Mode.CAPTION, 3) for arm in Arm]
    assert len({context.items for context in contexts}) == 1


def test_without_a_profile_only_what_is_shown_is_known(lab: Lab) -> None:
    shown = Context(items=("ramen",), arm=Arm.NONE, mode=Mode.CAPTION)
    said = [i.statement.value for i in Shown(lab.archive, shown, _late()).profile_items()]
    assert said == ["I love pork ramen"]


def test_what_comes_after_the_question_does_not_exist(lab: Lab) -> None:
    everything = Context(items=None, arm=Arm.CHRONO, mode=Mode.CAPTION)
    shown = Shown(lab.archive, everything, datetime(2023, 3, 1))
    assert shown.item_ids() == ("run1", "run2")
    assert {t.item_id for s in shown.sessions() for t in s.turns} == {"run1", "run2"}


def test_two_runs_are_compared(lab: Lab, tmp_path: Path) -> None:
    qa = questions(tmp_path)
    for name, k in (("a", "1"), ("b", "10")):
        choices = Choices(systems=("full-context",), ks=(k,))
        run(lab, qa, choices, EmbeddedReader(), ExactJudge(), tmp_path / name)
    report = compare_runs(tmp_path / "a", tmp_path / "b")
    assert report["systems"]["full-context caption"]["same"] == 5
    assert report["settings_that_differ"]["ks"] == [["1"], ["10"]]
    other = questions(tmp_path, QUESTIONS[:2])
    run(lab, other, Choices(), EmbeddedReader(), ExactJudge(), tmp_path / "c")
    with pytest.raises(InputError, match="its data is not that of"):
        compare_runs(tmp_path / "a", tmp_path / "c")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"subtask": "2.1"}, "line 1: subtask '2.1' is none of T1"),
        ({"evidence": ["nowhere.jpg"]}, "line 1: 'nowhere.jpg' is no item of this memory"),
        ({"tier": "T9"}, "line 1: tier"),
        ({"options": [{"id": "a", "text": "b"}] * 2}, "line 1: an option id stands here twice"),
    ],
)
def test_a_faulty_question_is_named_by_its_line(
    lab: Lab, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    path = questions(tmp_path, [{**QUESTIONS[0], **change}])
    with pytest.raises(InputError, match=said):
        read_questions(path, lab.redact, lab.item_of)


def test_unknown_names_are_refused(lab: Lab, tmp_path: Path) -> None:
    qa, out = questions(tmp_path), tmp_path / "out"
    for choices in (
        Choices(systems=("magic",)),
        Choices(modes=("smell",)),
        Choices(ks=("many",)),
        Choices(systems=("rag+magic",)),
    ):
        with pytest.raises(UsageError):
            run(lab, qa, choices, EmbeddedReader(), ExactJudge(), out)
    assert not out.exists()


class Scripted:
    """A chat model that says what it is told and remembers what it was asked."""

    name = "scripted"

    def __init__(self, says: str, window: int = 4096) -> None:
        self.says, self.window, self.turns = says, window, []

    def tokens(self, text: SafeText) -> int:
        return len(text.value.split())

    def reply(
        self,
        turns: Sequence[ChatTurn],
        max_tokens: int = 512,
        schema: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        self.turns.append(list(turns))
        return ChatReply(text=self.says, prompt_tokens=7, completion_tokens=3)


def test_a_chat_reader_is_shown_the_context_and_cites_only_from_it(
    lab: Lab, tmp_path: Path
) -> None:
    says = '{"answer": "9 June 2024", "evidence": ["lisbon", "made-up"]}'
    model, out = Scripted(says), tmp_path / "out"
    summary = run(
        lab,
        questions(tmp_path, QUESTIONS[:1]),
        Choices(systems=("chrono",), ks=("full",)),
        ChatReader(model),
        ExactJudge(),
        out,
    )
    assert summary["systems"]["chrono caption k=full"]["score"]["mean"] == 100.0
    record = json.loads((out / "records.jsonl").read_text())
    assert record["cited"] == ["lisbon"]
    assert record["tokens"]["prompt"] == 7
    assert record["tokens"]["cut"] == 0
    assert "I love pork ramen [stability" in record["prompt"]
    assert "9 June 2024" not in record["prompt"].split("Question:")[1]


def test_what_does_not_fit_the_window_is_counted(lab: Lab, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(
        lab,
        questions(tmp_path, QUESTIONS[:1]),
        Choices(systems=("full-context",)),
        ChatReader(Scripted('{"answer": "?"}', window=820)),
        ExactJudge(),
        out,
    )
    record = json.loads((out / "records.jsonl").read_text())
    assert record["tokens"]["cut"] > 0
    assert 0 < len(record["context"]) < 9
    assert "lisbon" in record["context"]
    assert (
        json.loads((out / "summary.json").read_text())["systems"]["full-context caption"]["cost"][
            "questions_cut"
        ]
        == 1
    )


def test_a_chat_reader_without_eyes_is_not_asked_about_pixels(lab: Lab, tmp_path: Path) -> None:
    model = Scripted("{}")
    choices = Choices(systems=("rag",), modes=("pixels",))
    summary = run(
        lab, questions(tmp_path), choices, ChatReader(model), ExactJudge(), tmp_path / "out"
    )
    assert summary["unscored"] == 5
    assert not model.turns


def test_a_reply_that_is_no_json_is_taken_by_its_words() -> None:
    assert parsed_reply("It was in Lisbon.", set()).parsed == {"answer": "It was in Lisbon."}
    fenced = parsed_reply('```json\n{"answer": "a", "evidence": ["i", "j"]}\n```', {"i"})
    assert fenced.parsed["answer"] == "a"
    assert fenced.cited == ("i",)


@pytest.mark.parametrize(
    ("says", "value"),
    [
        ('{"why": "same day", "verdict": "correct"}', 100.0),
        ('Well: {"why": "{no}", "verdict": "WRONG"}', 0.0),
        ("It looks correct to me.", None),
        ('{"verdict": "maybe"}', None),
    ],
)
def test_a_judge_whose_words_cannot_be_read_leaves_it_unscored(
    lab: Lab, tmp_path: Path, says: str, value: float | None
) -> None:
    judge = ChatJudge(Scripted(says), lab.redact)
    out = tmp_path / "out"
    choices = Choices(systems=("full-context",))
    run(lab, questions(tmp_path, QUESTIONS[:1]), choices, EmbeddedReader(), judge, out)
    record = json.loads((out / "records.jsonl").read_text())
    assert record["value"] == value
    assert record["status"] == ("unscored" if value is None else "scored")
    assert record["judge_reply"] == says
    assert "9 June 2024" in record["judge_prompt"]


def test_a_chat_judge_gives_persona_answers_coverage_and_accuracy(lab: Lab, tmp_path: Path) -> None:
    judge = ChatJudge(Scripted('{"coverage": 4, "accuracy": 5}'), lab.redact)
    choices = Choices(systems=("full-context",))
    summary = run(
        lab, questions(tmp_path, QUESTIONS[2:3]), choices, EmbeddedReader(), judge, tmp_path / "o"
    )
    group = summary["systems"]["full-context caption"]["groups"]["2.1"]
    assert group["score"]["mean"] == 90.0
    assert group["parts"] == {"accuracy": 5.0, "coverage": 4.0}


def test_a_matrix_names_its_runs(tmp_path: Path) -> None:
    path = tmp_path / "matrix.toml"
    path.write_text(
        'qa = "qa.jsonl"\nsystems = ["rag"]\nk = ["1", "full"]\n'
        '[[run]]\nname = "a"\n[[run]]\nname = "b"\nsystems = ["chrono"]\njudge = "fake"\n'
    )
    runs = read_matrix(path)
    assert [each.name for each in runs] == ["a", "b"]
    assert runs[0].qa == tmp_path / "qa.jsonl"
    assert (runs[1].choices.systems, runs[1].choices.ks) == (("chrono",), ("1", "full"))
    assert (runs[0].judge, runs[1].judge) == ("exact", "fake")
    whole = gathered(
        {
            "a": {
                "n": 2,
                "scored": 1,
                "unscored": 1,
                "failed": 0,
                "seconds": 1.0,
                "systems": {"rag": {}},
            }
        }
    )
    assert (whole["n"], whole["unscored"], list(whole["systems"])) == (2, 1, ["a: rag"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[run]]\nname = 'a/b'\n", "run.0.name"),
        ("qa = 'x'\n[[run]]\nname = 'a'\n[[run]]\nname = 'a'\n", "same name"),
        ("[[run]]\nname = 'a'\n", "no qa"),
        ("qa = \n", "cannot be read"),
        ("colour = 1\n[[run]]\nname = 'a'\n", "colour"),
    ],
)
def test_a_faulty_matrix_is_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "matrix.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_matrix(path)


def _late() -> datetime:
    return datetime(2026, 1, 1)
