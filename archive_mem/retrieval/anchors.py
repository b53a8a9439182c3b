"""Events that a question dates itself by: "two weeks before I moved". Pure."""

import re
from dataclasses import dataclass
from datetime import datetime

from anonymize.compose import excerpt
from archive_mem.retrieval.calendar import Window, beside
from archive_mem.retrieval.times import COUNT, COUNT_CJK, read_count
from archive_mem.schema.safe import SafeText

__all__ = ["Anchor", "read_anchor"]

_FAR_PAST = datetime(1800, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """An event that the question dates itself by: "before I moved".

    text: the event, to be searched for
    before: True for before it, False for after it
    count: how many units away, 0 for any time on that side
    unit: "day", "week", "month" or "year"
    whole: the whole stretch up to there, not only its far end
    span: (start, end) of the characters that say so
    """

    text: SafeText
    before: bool
    count: int = 0
    unit: str = "day"
    whole: bool = False
    span: tuple[int, int] = (0, 0)

    def window(self, event: Window, asked_at: datetime) -> Window:
        """The time that is meant, given when the event was."""
        if self.count:
            return beside(event, self.count, self.unit, before=self.before, whole=self.whole)
        if self.before:
            return Window(start=_FAR_PAST, end=event.start)
        return Window(start=event.end, end=max(asked_at, event.end))


def read_anchor(question: SafeText) -> Anchor | None:
    """The first event that the question is dated by; None when there is none."""
    text = question.value
    match = _ENGLISH.search(text) or _CHINESE.search(text) or _JAPANESE.search(text)
    if match is None:
        return None
    said = {name: (value or "").casefold() for name, value in match.groupdict().items()}
    unit = _UNITS.get(said["unit"] or said.get("unit_after", ""), "")
    count = said["count"] or said.get("count_after", "")
    return Anchor(
        text=excerpt(question, match.start("event"), match.end("event")),
        before=said["side"] in _BEFORE,
        count=_count(count, unit, said["side"]),
        unit=unit or "day",
        whole=bool(said.get("whole")) or (not count and unit not in ("", "day")),
        span=match.span(),
    )


def _count(said: str, unit: str, side: str) -> int:
    if said:
        return read_count(said)
    return 1 if unit or side in _NEXT else 0


_NEXT = ("翌日", "次の日", "前日", "第二天", "前一天")
_BEFORE = ("before", "前", "之前", "以前", "前日", "前一天")
_UNITS = {
    **dict.fromkeys(("day", "night", "morning", "evening", "天", "日", "晩"), "day"),
    **dict.fromkeys(("week", "周", "星期", "週間", "週"), "week"),
    **dict.fromkeys(("month", "个月", "月", "か月", "ヶ月"), "month"),
    **dict.fromkeys(("year", "summer", "winter", "spring", "autumn", "年"), "year"),
}
_ENGLISH = re.compile(
    r"(?:(?P<whole>\b(?:in|during|within|over)\s+the\s+)?(?:\bthe\s+)?"
    rf"(?:\b{COUNT}\s+(?:of\s+)?)?"
    r"\b(?P<unit>day|night|morning|evening|week|month|year|summer|winter|spring|autumn)s?\s+)?"
    r"\b(?P<side>before|after|since|following)\s+(?P<event>(?:i|we|my|the|our)\s+[^?.,;!]{3,80})",
    re.IGNORECASE,
)
_EVENTS_ZH = "搬家|搬到|搬去|结婚|婚礼|毕业|手术|换工作|辞职|退休|入职|开学|出生|领养|第一次"
_CHINESE = re.compile(
    rf"(?P<event>(?:我|我们)?(?:{_EVENTS_ZH})[^，。？！、\s前后]{{0,8}}?)的?"
    rf"(?:{COUNT_CJK}(?P<unit>天|周|星期|个月|年))?(?P<side>前一天|第二天|之前|以前|之后|以后|前|后)"
    rf"(?:的?{COUNT_CJK.replace('count', 'count_after')}(?P<unit_after>天|周|星期|个月|年))?"
)
_EVENTS_JA = "引っ越し|引越し|引っ越|結婚|卒業|手術|転職|退職|入社|入学|出産|旅行"
_JAPANESE = re.compile(
    rf"(?P<event>(?:{_EVENTS_JA})(?:式|した|する|し)?)の?"
    rf"(?:{COUNT_CJK}(?P<unit>日|週間|か月|ヶ月|年))?(?P<side>翌日|次の日|前日|前|後)"
)
