"""The command line as a user meets it: one line an error, the right exit code, stable keys."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from archive_mem.cli.main import main
from tests.ui.sample import make_memory

COMMANDS = """
    demo ingest inspect items sessions profile annotate ask search redact vault forget export
    reindex verify doctor ui bench
""".split()  # noqa: SIM905  sixteen lines would say no more


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Run":
    return Run(monkeypatch, capsys)


class Run:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: object) -> Result:
        self._monkeypatch.setattr(sys, "argv", ["archive-mem", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        said = self._capsys.readouterr()
        return Result(int(stopped.value.code or 0), said.out, said.err)


def one_line(result: Result) -> bool:
    return len(result.err.strip().splitlines()) == 1 and "Traceback" not in result.err


def test_help_names_every_command(run: Run) -> None:
    result = run("--help")
    assert result.code == 0
    for name in COMMANDS:
        assert f"  {name} " in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.code == 0
    assert result.out.startswith("Usage: archive-mem")


def test_help_loads_no_heavy_library() -> None:
    import subprocess

    check = (
        "import sys; sys.argv = ['archive-mem', '--help']\n"
        "from archive_mem.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'torch', 'cv2', 'gradio', 'chromadb', 'transformers', 'numpy', 'sqlalchemy'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("LOADED []")


def test_a_missing_path_is_one_line(run: Run, tmp_path: Path) -> None:
    result = run("ingest", tmp_path / "nowhere", "--memory", tmp_path / "m")
    assert result.code == 1
    assert one_line(result)
    assert "nowhere" in result.err


def test_an_empty_folder_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("ingest", tmp_path / "empty", "--memory", tmp_path / "m")
    assert result.code == 1
    assert one_line(result)
    assert "no photos or videos" in result.err


@pytest.mark.parametrize(
    "command",
    [("items",), ("ask", "When?"), ("profile",), ("verify",), ("reindex",), ("sessions",)],
)
def test_no_memory_yet_is_one_line(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    result = run(*command, "--memory", tmp_path / "none")
    assert result.code == 1
    assert one_line(result)
    assert "no memory here yet" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("ask",),
        ("ask", ""),
        ("ask", "what?", "--tier", "t9"),
        ("ask", "what?", "--tier", "t3"),
        ("ask", "what?", "--reader", "nobody"),
        ("ingest",),
        ("profile", "--as-of", "yesterday"),
        ("ingest", ".", "--workers", "-1"),
    ],
)
def test_wrong_usage_exits_2(
    run: Run,
    arguments: tuple[str, ...],
    sample_memory: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARCHIVE_MEM_HOME", str(sample_memory))
    result = run(*arguments)
    assert result.code == 2
    assert "Traceback" not in result.err


def test_a_wrong_passphrase_is_one_line(
    run: Run, sample_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCHIVE_MEM_PASSPHRASE", "not this one")
    result = run("ask", "When?", "--memory", sample_memory)
    assert result.code == 1
    assert one_line(result)
    assert "does not open this vault" in result.err


def test_an_unexpected_error_is_one_line_and_debug_shows_more(
    run: Run, monkeypatch: pytest.MonkeyPatch, sample_memory: Path
) -> None:
    def boom(*_: object, **__: object) -> None:
        raise ValueError("something nobody thought of")

    monkeypatch.setattr("archive_mem.wiring.open_memory", boom)
    plain = run("items", "--memory", sample_memory)
    assert plain.code == 1
    assert one_line(plain)
    assert "something nobody thought of" in plain.err
    assert "Traceback" in run("items", "--memory", sample_memory, "--debug").err


def test_ctrl_c_is_130(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("archive_mem.wiring.open_memory", stop)
    result = run("items")
    assert result.code == 130
    assert "stopped" in result.err


def test_items_have_the_stable_keys(run: Run, sample_memory: Path) -> None:
    rows = run("items", "--memory", sample_memory, "--json").rows
    assert len(rows) >= 80
    assert set(rows[0]) == {
        "id", "paths", "albums", "kind", "captured_at", "utc_offset", "latitude", "longitude",
        "place", "derived", "faces", "caption", "ocr", "layers", "status", "reason",
    }  # fmt: skip
    failed = [row for row in rows if row["status"] == "failed"]
    assert len(failed) == 2
    assert all(row["reason"] for row in failed)


def test_one_item_in_two_albums_is_one_item(run: Run, sample_memory: Path) -> None:
    rows = run("items", "--memory", sample_memory, "--json").rows
    copies = [row for row in rows if len(row["paths"]) > 1]  # type: ignore[arg-type]
    assert copies


def test_ask_has_the_stable_keys(run: Run, sample_memory: Path) -> None:
    result = run(
        "ask", "When did I see a rocket launch?", "--memory", sample_memory, "--json",
        "--as-of", "2026-01-12",
    )  # fmt: skip
    (body,) = result.rows
    assert set(body) == {"answer", "abstained", "evidence", "ranking", "tier", "usage"}
    assert body["tier"] == "t1"
    first = body["evidence"][0]  # type: ignore[index]
    assert set(first) == {"item", "path", "session", "captured_at", "quote", "score"}
    assert Path(first["path"]).is_file()
    assert set(body["usage"]) == {"prompt_tokens", "completion_tokens", "seconds"}  # type: ignore[call-overload]


def test_options_are_ranked(run: Run, sample_memory: Path) -> None:
    result = run(
        "ask", "What would I order?", "--memory", sample_memory, "--json", "--option",
        "a rare steak", "--option", "a vegetable curry", "--as-of", "2026-01-12",
    )  # fmt: skip
    (body,) = result.rows
    assert body["tier"] == "t3"
    ranking = body["ranking"]
    assert sorted(each["option"] for each in ranking) == ["1", "2"]  # type: ignore[attr-defined]
    assert all(set(each) >= {"option", "score", "reasons"} for each in ranking)  # type: ignore[attr-defined]


def test_nothing_after_the_question_exists_for_it(run: Run, sample_memory: Path) -> None:
    (body,) = run(
        "ask", "Where do I live?", "--memory", sample_memory, "--json", "--as-of", "2022-01-01"
    ).rows
    assert all(each["captured_at"] <= "2022-01-01T23:59:59" for each in body["evidence"])  # type: ignore[attr-defined]


def test_the_profile_has_the_stable_keys(run: Run, sample_memory: Path) -> None:
    (body,) = run("profile", "--memory", sample_memory, "--json", "--as-of", "2026-01-12").rows
    assert set(body) == {"as_of", "weights", "items"}
    assert abs(sum(body["weights"].values()) - 1) < 1e-9  # type: ignore[attr-defined]
    items = body["items"]
    assert len(items) >= 20  # type: ignore[arg-type]
    assert set(items[0]) == {  # type: ignore[index]
        "id", "category", "statement", "mentions", "first_seen", "last_seen", "sup", "dur", "rec",
        "z", "ts", "related_id",
    }  # fmt: skip
    assert all(0 <= each["ts"] <= 1 for each in items)  # type: ignore[attr-defined]


def test_a_profile_as_of_early_knows_nothing_later(run: Run, sample_memory: Path) -> None:
    (body,) = run("profile", "--memory", sample_memory, "--json", "--as-of", "2021-12-31").rows
    seen = [m["at"] for item in body["items"] for m in item["mentions"]]  # type: ignore[attr-defined]
    assert seen
    assert max(seen) <= "2021-12-31T23:59:59"


def test_sessions_hold_every_ready_item_once(run: Run, sample_memory: Path) -> None:
    rows = run("sessions", "--memory", sample_memory, "--json").rows
    members = [item for row in rows for item in row["items"]]  # type: ignore[attr-defined]
    items = run("items", "--memory", sample_memory, "--json").rows
    ready = [row["id"] for row in items if row["status"] == "done"]
    assert sorted(members) == sorted(ready)  # type: ignore[type-var]


def test_verify_is_clean(run: Run, sample_memory: Path) -> None:
    result = run("verify", "--memory", sample_memory, "--json")
    (body,) = result.rows
    assert body["ok"], body
    assert set(body) == {"items", "leaks", "faces_left", "index_missing", "ok"}
    assert result.code == 0


def test_importing_twice_changes_nothing_and_export_has_no_names(
    run: Run, sample_memory: Path, tmp_path: Path
) -> None:
    import sample_archive

    source = Path(sample_archive.__file__).parent
    again = run("annotate", "import", source / "annotations.jsonl", "--memory", sample_memory)
    assert again.code == 0
    assert again.out.startswith("0 layers saved")
    out = tmp_path / "out.jsonl"
    assert run("annotate", "export", out, "--memory", sample_memory).code == 0
    text = out.read_text("utf-8")
    names = [line.split("\t")[1] for line in (source / "names.txt").read_text("utf-8").splitlines()
             if line.startswith(("friend\t", "family\t", "colleague\t"))]  # fmt: skip
    assert names
    assert not [name for name in names if name in text]
    back = run("annotate", "import", out, "--memory", sample_memory)
    assert back.out.startswith("0 layers saved")


def test_unknown_media_and_bad_lines_are_listed_and_the_rest_imported(
    run: Run, sample_memory: Path, tmp_path: Path
) -> None:
    item = run("items", "--memory", sample_memory, "--json").rows[0]["id"]
    notes = tmp_path / "notes.jsonl"
    notes.write_text(
        json.dumps({"media": "no/such.jpg", "subjective": {"context": "x"}})
        + "\nnot json\n"
        + json.dumps({"media": item, "objective": {"scenario": "skiing"}})
        + "\n"
        + json.dumps({"media": item, "annotator": "visitor", "subjective": {"feelings": "calm"}})
        + "\n",
        "utf-8",
    )
    result = run("annotate", "import", notes, "--memory", sample_memory)
    assert result.code == 3
    assert result.out.startswith("1 layers saved")
    assert "no/such.jpg" in result.err
    assert ":2:" in result.err
    assert ":3:" in result.err


@pytest.mark.parametrize(
    "command",
    [
        ("ask", "a\udcff"),
        ("search", "a\udcff"),
        ("redact", "a\udcff"),
        ("ask", "which?", "--tier", "t3", "--option", "tea", "--option", "a\udcff"),
        ("ask", "which?", "--tier", "t3", "--option", "tea", "--option", " "),
    ],
)
def test_text_that_is_none_is_wrong_usage(
    run: Run, sample_memory: Path, command: tuple[str, ...]
) -> None:
    result = run(*command, "--memory", sample_memory)
    assert result.code == 2
    assert "UTF-8" in result.err or "empty" in result.err
    assert "unexpected" not in result.err


def test_redact_is_line_in_line_out(run: Run, sample_memory: Path) -> None:
    result = run("redact", "write to anna@example.org on 3 May 2024", "--memory", sample_memory)
    assert "anna@example.org" not in result.out
    assert "3 May 2024" in result.out


def test_a_question_on_a_memory_without_items_abstains(run: Run, tmp_path: Path) -> None:
    from archive_mem.wiring import open_memory

    open_memory(tmp_path / "m", create=True).close()
    result = run("ask", "When did I see the sea?", "--memory", tmp_path / "m", "--json")
    (body,) = result.rows
    assert result.code == 0
    assert body["abstained"] is True
    assert body["evidence"] == []


def test_doctor_says_which_setting_won(
    run: Run, sample_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCHIVE_MEM_TOP_K", "7")
    (body,) = run("doctor", "--memory", sample_memory, "--json").rows
    assert body["settings"]["top_k"] == {"value": 7, "from": "environment"}  # type: ignore[index]
    assert body["memory"]["items"] >= 80  # type: ignore[index]
    assert body["memory"]["searched_by"]  # type: ignore[index]


def test_a_reader_that_wants_no_more_is_no_error(tmp_path: Path) -> None:
    make_memory(tmp_path / "memory", 40).close()
    command = [sys.executable, "-c", "from archive_mem.cli.main import main; main()"]
    with subprocess.Popen(
        [*command, "items", "--json", "--memory", str(tmp_path / "memory")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")
