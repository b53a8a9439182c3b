"""How fast a model describes: tiny random weights through the command that measures real ones."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from anonymize.cards import cards
from archive_mem.cli.main import cli
from models.random_vlm import write_architecture, write_tiny


def bench(*more: str) -> Result:
    sizes = ("--pixels", "65536,262144", "--pictures", "3", "--tokens", "4", "--json")
    return CliRunner().invoke(cli, ["bench", "caption", *sizes, *more])


def test_random_weights_write_just_as_many_tokens_as_asked() -> None:
    report = json.loads(bench("--random-weights", "tiny-qwen3-vl", "--batch", "1,2").output)
    assert [(each["pixels"], each["batch"]) for each in report["runs"]] == [
        (65536, 1),
        (65536, 2),
        (262144, 1),
        (262144, 2),
    ]
    for each in report["runs"]:
        assert (each["pictures"], each["failed"], each["new_tokens"]) == (3, 0, 12)
        assert each["pictures_per_second"] > 0
        assert each["peak_mebibytes"] > 0
    small, large = report["runs"][0], report["runs"][2]
    assert large["prompt_tokens"] > small["prompt_tokens"]
    assert report["parameters"] < 1_000_000


def test_a_folder_with_a_configuration_is_built_without_weights(tmp_path: Path) -> None:
    folder = write_architecture("tiny-idefics3", tmp_path / "bare")
    report = json.loads(bench("--random-weights", str(folder), "--batch", "2").output)
    assert report["random_weights"]
    assert report["runs"][0]["new_tokens"] == 12


def test_a_checkpoint_says_what_it_likes(tmp_path: Path) -> None:
    folder = write_tiny("tiny-idefics3", tmp_path / "tiny")
    out = tmp_path / "out"
    result = bench("--captioner", f"hf:{folder}", "--batch", "2", "--out", str(out))
    assert json.loads(result.output) == json.loads((out / "caption.json").read_text())
    assert not json.loads(result.output)["random_weights"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "give --captioner hf:MODEL, or --random-weights NAME"),
        (["--captioner", "hf:x", "--random-weights", "tiny-idefics3"], "give --captioner"),
        (["--captioner", "embedded"], "no model on this machine"),
        (["--random-weights", "none-such"], "there are qwen3-vl-2b"),
        (["--random-weights", "tiny-idefics3", "--batch", "0"], "whole numbers from 1 on"),
        (["--random-weights", "tiny-idefics3", "--batch", "two"], "whole numbers from 1 on"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_line(given: list[str], said: str) -> None:
    result = bench(*given)
    assert result.exit_code != 0
    assert said in str(result.exception or result.output)


def test_cards_have_the_size_that_was_asked_and_show_nobody() -> None:
    made = list(cards(5, 10_000))
    for each in made:
        height, width, _ = each.pixels.shape
        assert abs(height * width - 10_000) < 300
        assert each.faces == 0
    assert len({each.pixels.shape for each in made}) > 3
