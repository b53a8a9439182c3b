"""What an install must hold so that everything else works."""

import importlib.metadata
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_both_builds_of_opencv_are_one_version_and_it_works() -> None:
    import cv2
    import numpy as np

    versions = {
        importlib.metadata.version(name) for name in ("opencv-python", "opencv-python-headless")
    }
    assert len(versions) == 1
    assert cv2.resize(np.zeros((4, 4, 3), np.uint8), (2, 2)).shape == (2, 2, 3)


def test_the_tested_set_names_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", pin) for pin in pins)


def test_every_dependency_is_in_the_tested_set() -> None:
    import tomllib

    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~ ]", name)[0]).lower()

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {*project["dependencies"], *project["optional-dependencies"]["dev"]}
    text = (ROOT / "constraints.txt").read_text("utf-8")
    pinned = {plain(line) for line in text.splitlines() if "==" in line}
    assert {plain(name) for name in wanted} <= pinned
