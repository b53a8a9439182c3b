"""What a captioner replied, as a validated record. Pure."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from archive_mem.schema.annotation import Scenario
from models.base import RawCaption
from models.replies import json_objects, printable, said

__all__ = ["CaptionForm", "parse", "plain"]

_WORDS = 120
_LINES = 60
_CAPTION = 1200
_FEW = 6
"""Letters of the shortest reply that is taken for a caption."""


def _line(value: Any) -> str:  # noqa: ANN401 - any JSON
    """One line of at most 120 letters; nothing for what is no text."""
    return " ".join(printable(value).split())[:_WORDS] if isinstance(value, str) else ""


def _lines(value: Any) -> list[str]:  # noqa: ANN401 - any JSON
    """A text stands for its lines; what is no text is left out."""
    parts = value.splitlines() if isinstance(value, str) else value
    found = [_line(each) for each in parts] if isinstance(parts, list) else []
    return list(dict.fromkeys(each for each in found if each))[:_LINES]


def _count(value: Any) -> int | None:  # noqa: ANN401 - any JSON
    """None for what is no whole number from 0 to 10,000."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if number and 0 <= value <= 10_000 and value == int(value) else None


def _scenario(value: Any) -> Scenario | None:  # noqa: ANN401 - any JSON
    """None for what is none of the ten."""
    spelt = value.strip().lower().replace(" ", "_") if isinstance(value, str) else ""
    return Scenario(spelt) if spelt in set(Scenario) else None


def _caption(value: Any) -> Any:  # noqa: ANN401 - any JSON
    return " ".join(printable(value).split())[:_CAPTION] if isinstance(value, str) else value


_Line = Annotated[str, BeforeValidator(_line)]
_List = Annotated[list[str], BeforeValidator(_lines)]


class CaptionForm(BaseModel):
    """The reply that is asked for. The caption must be there; a slip elsewhere loses one key."""

    model_config = ConfigDict(extra="ignore")

    short: _Line = ""
    caption: Annotated[str, BeforeValidator(_caption), Field(min_length=3)]
    text: _List = []
    objects: _List = []
    people: Annotated[int | None, BeforeValidator(_count)] = None
    activity: _Line = ""
    scenario: Annotated[Scenario | None, BeforeValidator(_scenario)] = None
    mood: _Line = ""


def parse(reply: str) -> RawCaption | None:
    """The first object in the reply that has the form; None when there is none."""
    for body in json_objects(said(reply)):
        try:
            return _record(CaptionForm.model_validate(body))
        except ValidationError:
            continue
    return None


def plain(reply: str) -> RawCaption | None:
    """A reply in plain words is a caption too; None for broken JSON and for no words."""
    words = _caption(said(reply)).rstrip("\ufffd ")
    telling = sum(letter.isalpha() for letter in words) >= _FEW and "\ufffd" not in words
    return RawCaption(caption=words) if telling and words[:1] not in "{[`" else None


def _record(form: CaptionForm) -> RawCaption:
    return RawCaption(
        caption=form.caption,
        people_count=form.people,
        scenario=form.scenario,
        short=form.short,
        text=tuple(form.text),
        objects=tuple(form.objects[:10]),
        activity=form.activity,
        mood=form.mood,
    )
