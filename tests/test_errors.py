import importlib
import inspect
import pkgutil
import re

import pytest

import anonymize
import archive_mem
import models
from archive_mem import errors

PACKAGES = (archive_mem, anonymize, models)


def modules() -> list[str]:
    return [
        found.name
        for package in PACKAGES
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if ".migrations" not in found.name
    ]


@pytest.mark.parametrize("name", modules())
def test_all_is_complete_and_sorted(name: str) -> None:
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", None)
    own = {
        key
        for key, value in vars(module).items()
        if not key.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == name
    }
    if exported is None:
        assert not own, f"{name} has public names and no __all__"
        return
    assert all(hasattr(module, each) for each in exported)
    assert len(set(exported)) == len(exported)
    assert own <= set(exported), f"{name}: not in __all__: {sorted(own - set(exported))}"


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = re.findall(r"^[\s│├└─]+([A-Z]\w+)\s", errors.__doc__ or "", re.MULTILINE)
    assert sorted(drawn) == sorted(errors.__all__)


def test_error_names_are_sorted_and_complete() -> None:
    classes = [
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    ]
    assert sorted(classes) == list(errors.__all__) == sorted(errors.__all__)


def test_a_missing_part_says_the_pip_line() -> None:
    assert "pip install 'archive-mem[ray]'" in str(errors.MissingExtra("ray", "--engine ray"))
