"""The persona as markup: statements by category, with their stability and when they were seen."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime

from archive_mem.schema.profile import Category, Mention, Profile, ProfileItem, Stability
from ui.desk import Show
from ui.markup import Html, el
from ui.media import is_item_id
from ui.words import day_long, month_long, spoken

__all__ = ["persona_html", "spark_heights", "years_of"]

_QUOTES = 6
_SLOTS = 16

Pair = tuple[ProfileItem, Stability]


def persona_html(profile: Profile, show: Show) -> Html:
    """All statements, a section a category."""
    if not profile.items:
        return el(
            "div",
            el("h2", "Nothing is known yet"),
            el("p", "A persona grows from what you write about your photos, in the first person."),
            class_="am-empty",
        )
    statements = {item.id: show(item.statement) for item, _ in profile.items}
    sections = [_section(name, profile, statements, show) for name in Category]
    weights = profile.weights
    note = (
        f"As of {day_long(profile.as_of)}: {len(profile.items)} statements. Stability weighs "
        f"support {weights.sup:.0%}, duration {weights.dur:.0%}, recency {weights.rec:.0%}."
    )
    return el("div", el("p", note, class_="am-quiet"), *sections, class_="am-persona")


def _section(
    name: Category, profile: Profile, statements: dict[str, str], show: Show
) -> Html | None:
    pairs = [pair for pair in profile.items if pair[0].category is name]
    if not pairs:
        return None
    cards = [_card(pair, profile.as_of, statements, show) for pair in pairs]
    title = el("h2", spoken(name), el("small", str(len(cards))))
    return el("section", title, el("div", *cards, class_="am-cards"))


def _card(pair: Pair, as_of: datetime, statements: dict[str, str], show: Show) -> Html:
    item, stability = pair
    first, last = item.mentions[0].at, item.mentions[-1].at
    related = statements.get(item.related_id or "")
    return el(
        "article",
        el("p", show(item.statement), class_="am-statement"),
        el("p", f"against: {related}", class_="am-related") if related else None,
        _meter(stability),
        el(
            "div", el("small", _span(first, last, len(item.mentions))), _spark(item.mentions, as_of)
        ),
        el("details", el("summary", "Evidence"), el("ul", *_quotes(item.mentions, show))),
    )


def _meter(stability: Stability) -> Html:
    parts = (
        f"support {stability.sup:.2f}, duration {stability.dur:.2f}, recency {stability.rec:.2f}"
    )
    bar = el("span", el("span", style=f"width:{stability.ts:.1%}"), class_="am-bar-track")
    label = f"Temporal stability {stability.ts:.2f}: {parts}"
    return el(
        "div",
        bar,
        el("small", f"TS {stability.ts:.2f}"),
        class_="am-meter",
        title=label,
        role="img",
        aria_label=label,
    )


def _span(first: datetime, last: datetime, count: int) -> str:
    times = "once" if count == 1 else f"{count} times"
    if (first.year, first.month) == (last.year, last.month):
        return f"seen {times}, {month_long(first)}"
    return f"seen {times}, {month_long(first)} to {month_long(last)}"


def _quotes(mentions: Sequence[Mention], show: Show) -> list[Html]:
    newest = list(mentions)[::-1]
    rows = [_quote(each, show) for each in newest[:_QUOTES]]
    more = len(newest) - _QUOTES
    return [*rows, el("li", f"and {more} more")] if more > 0 else rows


def _quote(mention: Mention, show: Show) -> Html:
    day = day_long(mention.at)
    when = el("a", day, href=f"/item?id={mention.item_id}") if is_item_id(mention.item_id) else day
    return el("li", when, " ", el("q", show(mention.quote)))


def spark_heights(days: Sequence[date], start: date, end: date, slots: int = _SLOTS) -> list[float]:
    """Share of mentions in each of `slots` equal spans from start to end, the fullest being 1."""
    length = max(1, (end - start).days)
    counts = Counter(min(slots - 1, (day - start).days * slots // length) for day in days)
    most = max(counts.values(), default=1)
    return [counts[slot] / most for slot in range(slots)]


def _spark(mentions: Sequence[Mention], as_of: datetime) -> Html:
    days = [each.at.date() for each in mentions]
    heights = spark_heights(days, days[0], max(as_of.date(), days[-1]))
    bars = [el("i", style=f"height:{height:.0%}") for height in heights]
    return el("span", *bars, class_="am-spark", aria_hidden="true")


def years_of(items: Sequence[ProfileItem]) -> list[int]:
    """Years in which something was said, for the quick choice of a day."""
    years = [mention.at.year for item in items for mention in item.mentions]
    return list(range(min(years), max(years) + 1)) if years else []
