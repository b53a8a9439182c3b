"""An answer as markup: the words, the ranking as bars, the evidence as numbered cards. Pure."""

from collections.abc import Sequence

from archive_mem.schema.qa import Answer, Evidence, RankedOption, Ranking, Tier
from ui.desk import Show
from ui.markup import Html, el
from ui.media import is_item_id
from ui.words import day_long

__all__ = ["TIER_NAMES", "answer_html", "bar_shares", "evidence_html", "ranking_html"]

TIER_NAMES = {Tier.T1: "Recall", Tier.T2: "Persona", Tier.T3: "Choice"}
_SHORTEST = 0.06
_LONGEST_WHY = 8


def answer_html(answer: Answer, show: Show) -> Html:
    """The whole answer."""
    words = show(answer.text)
    if answer.abstained:
        said = el(
            "div",
            el("b", "No answer"),
            el("p", words or "Nothing in the archive supports an answer."),
            class_="am-abstained",
        )
    else:
        said = el("p", words, class_="am-answer")
    parts = [el("div", el("span", TIER_NAMES[answer.tier], class_="am-badge"), _cost(answer)), said]
    if answer.ranking is not None:
        parts.append(ranking_html(answer.ranking, show))
    if answer.evidence:
        parts.append(evidence_html(answer.evidence, show))
    return el("section", *parts, class_="am-reply", aria_live="polite")


def _cost(answer: Answer) -> Html:
    usage = answer.usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    spent = f", {tokens:,} tokens" if tokens else ""
    return el("small", f"{usage.seconds:.1f} s{spent}")


def bar_shares(scores: Sequence[float]) -> list[float]:
    """Length of each bar, 0 to 1: the best is full, the worst is short, equal ones are equal."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    if high - low <= 0:
        return [1.0] * len(scores)
    return [_SHORTEST + (1 - _SHORTEST) * (each - low) / (high - low) for each in scores]


def ranking_html(ranking: Ranking, show: Show) -> Html:
    """Every option with its bar and the reasons for and against."""
    shares = bar_shares([each.score for each in ranking.options])
    rows = [_option(each, share, show) for each, share in zip(ranking.options, shares, strict=True)]
    return el("ol", *rows, class_="am-ranking")


def _option(ranked: RankedOption, share: float, show: Show) -> Html:
    reasons = [el("li", show(reason), class_=_sign(reason.value)) for reason in ranked.reasons]
    head = el(
        "div",
        el("b", show(ranked.option.text)),
        el("small", f"{ranked.score:+.2f}"),
        class_="am-option",
    )
    bar = el(
        "div", el("span", style=f"width:{share:.1%}"), class_="am-bar-track", aria_hidden="true"
    )
    return el("li", head, bar, el("ul", *reasons) if reasons else None)


def _sign(reason: str) -> str | None:
    if reason.startswith(("-", "\N{MINUS SIGN}")):
        return "am-against"
    return "am-for" if reason.startswith("+") else None


def evidence_html(evidence: Sequence[Evidence], show: Show) -> Html:
    """Cards that open the item they cite."""
    cards = [_card(number, each, show) for number, each in enumerate(evidence, 1)]
    noun = "moment" if len(cards) == 1 else "moments"
    return el(
        "div",
        el("h3", f"Stands on {len(cards)} {noun}"),
        el("ol", *cards, class_="am-evidence"),
    )


def _card(number: int, each: Evidence, show: Show) -> Html:
    when = "undated" if each.at is None else f"{day_long(each.at)}, {each.at:%H:%M}"
    text = el(
        "div",
        el("div", el("b", f"[{number}]"), " ", when, el("small", f"{each.score:.2f}")),
        el("q", show(each.quote)),
        _why(each),
    )
    if not is_item_id(each.item_id):
        return el("li", text)
    link = f"/item?id={each.item_id}"
    picture = el("img", src=f"/thumb/{each.item_id}", alt=f"Evidence {number}", loading="lazy")
    return el("li", el("a", picture, href=link, aria_label=f"Open evidence {number}"), text)


def _why(each: Evidence) -> Html | None:
    if not each.why:
        return None
    parts = " · ".join(f"{name} {value:.2f}" for name, value in each.why[:_LONGEST_WHY])
    return el("small", f"why: {parts}", class_="am-why")
