"""report.html: one file that needs nothing else, with tables and, with [evals], plots."""

import html
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Table", "report_html"]

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}
body{color:#1f2937}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .7rem;text-align:right}
th{border-bottom:2px solid #94a3b8}td{border-bottom:1px solid #e2e8f0}
th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto}
.small{color:#64748b;font-size:.9em}figure{margin:1rem 0}
"""
_NO_PLOTS = "No plots: matplotlib is not installed (pip install 'archive-mem[evals]')."


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that one benchmark adds to those of all."""

    title: str
    head: Sequence[Any]
    rows: Sequence[Sequence[Any]]


def report_html(
    summary: Mapping[str, Any], settings: Mapping[str, Any], extra: Sequence[Table] = ()
) -> str:
    """The whole page; every text in it is escaped."""
    parts = [
        f"<h1>{_safe(summary['name'])}</h1>",
        f"<p>{summary['n']} answers: {summary['scored']} scored, {summary['unscored']} unscored, "
        f"{summary['failed']} failed; {summary['seconds']} seconds.</p>",
        _table_of_systems(summary["systems"]),
        _table_of_groups(summary["systems"]),
        *(f"<h2>{_safe(each.title)}</h2>{_table(each.head, each.rows)}" for each in extra),
        _table_of_cost(summary["systems"]),
        _table_of_reasons(summary["systems"]),
        *_plots(summary["systems"]),
        _table_of_settings(settings),
    ]
    title = _safe(f"archive-mem bench {summary['name']}")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _table_of_systems(systems: Mapping[str, Any]) -> str:
    tiers = sorted({tier for body in systems.values() for tier in body.get("tiers", {})})
    head = ["system", "n", "unscored", "failed", "score", "95 %", *tiers]
    rows = [
        [
            name,
            body["n"],
            body["unscored"],
            body["failed"],
            *_shown(body["score"]),
            *(_number(body.get("tiers", {}).get(tier)) for tier in tiers),
        ]
        for name, body in systems.items()
    ]
    return "<h2>Systems</h2>" + _table(head, rows)


def _table_of_groups(systems: Mapping[str, Any]) -> str:
    groups = sorted({group for body in systems.values() for group in body["groups"]})
    rows = [
        [name, *(_group_cell(body["groups"].get(group)) for group in groups)]
        for name, body in systems.items()
    ]
    return "<h2>By group</h2>" + _table(["system", *groups], rows)


def _group_cell(body: Mapping[str, Any] | None) -> str:
    if body is None:
        return "not asked"
    if body["score"] is None:
        return f"none of {body['n']}"
    return f"{body['score']['mean']:.1f} ({body['scored']} of {body['n']})"


def _table_of_cost(systems: Mapping[str, Any]) -> str:
    names = sorted({name for body in systems.values() for name in body["cost"]})
    rows = [
        [name, *(_number(body["cost"].get(each)) for each in names)]
        for name, body in systems.items()
    ]
    head = ["system", *(name.replace("_", " ") for name in names)]
    return "<h2>Cost, mean a question</h2>" + _table(head, rows)


def _table_of_reasons(systems: Mapping[str, Any]) -> str:
    rows = [
        [name, times, why]
        for name, body in systems.items()
        for why, times in body["reasons"].items()
    ]
    return "<h2>Without a score</h2>" + _table(["system", "times", "why"], rows) if rows else ""


def _table_of_settings(settings: Mapping[str, Any]) -> str:
    rows = [[name, str(value)] for name, value in sorted(settings.items())]
    return "<h2>Settings</h2>" + _table(["setting", "value"], rows)


def _table(head: Sequence[Any], rows: Sequence[Sequence[Any]]) -> str:
    top = "".join(f"<th>{_safe(each)}</th>" for each in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{_safe(each)}</td>" for each in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _shown(score: Mapping[str, float] | None) -> tuple[str, str]:
    if score is None:
        return "none", ""
    return f"{score['mean']:.1f}", f"{score['low']:.1f} to {score['high']:.1f}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}" if isinstance(value, float) else str(value)


def _safe(value: object) -> str:
    return html.escape(str(value))


def _plots(systems: Mapping[str, Any]) -> Iterator[str]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        yield f'<p class="small">{_safe(_NO_PLOTS)}</p>'
        return
    yield "<h2>Plots</h2>"
    for caption, draw in (
        ("Score with its 95 % interval", _bars),
        ("Tokens shown a question against score", _cost_plot),
        ("Score by how much is retrieved (k)", _sweep),
    ):
        figure = Figure(figsize=(8, 4), layout="constrained")
        if draw(figure.subplots(), systems):
            yield f"<figure>{_svg(figure)}<figcaption>{_safe(caption)}</figcaption></figure>"


def _bars(axes: Any, systems: Mapping[str, Any]) -> bool:  # noqa: ANN401
    scored = {name: body["score"] for name, body in systems.items() if body["score"]}
    means = [score["mean"] for score in scored.values()]
    spread = [
        [max(0.0, score["mean"] - score["low"]) for score in scored.values()],
        [max(0.0, score["high"] - score["mean"]) for score in scored.values()],
    ]
    axes.barh(list(scored), means, xerr=spread, color="#6366f1")
    axes.invert_yaxis()
    axes.set_xlabel("score")
    return bool(scored)


def _cost_plot(axes: Any, systems: Mapping[str, Any]) -> bool:  # noqa: ANN401
    points = [
        (name, body["cost"].get("context_tokens", 0.0), body["score"]["mean"])
        for name, body in systems.items()
        if body["score"]
    ]
    for name, tokens, score in points:
        axes.scatter(tokens, score, color="#0d9488")
        axes.annotate(name, (tokens, score), fontsize=7)
    axes.set_xlabel("tokens shown")
    axes.set_ylabel("score")
    return any(tokens for _, tokens, _ in points)


def _sweep(axes: Any, systems: Mapping[str, Any]) -> bool:  # noqa: ANN401
    lines: dict[str, list[tuple[float, float]]] = {}
    for body in systems.values():
        about = body["about"]
        if body["score"] and about.get("k", "").isdecimal():
            key = f"{about.get('system', '')} {about.get('mode', '')}"
            lines.setdefault(key, []).append((float(about["k"]), body["score"]["mean"]))
    drawn = {name: sorted(points) for name, points in lines.items() if len(points) > 1}
    for name, points in drawn.items():
        axes.plot(*zip(*points, strict=True), marker="o", label=name)
    axes.set_xlabel("k")
    axes.set_ylabel("score")
    if drawn:
        axes.legend(fontsize=7)
    return bool(drawn)


def _svg(figure: Any) -> str:  # noqa: ANN401
    """The drawing alone, the same bytes for the same figures."""
    import matplotlib as mpl

    target = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "archive-mem", "svg.fonttype": "path"}):
        figure.savefig(target, format="svg", metadata={"Date": None})
    drawn = target.getvalue()
    return drawn[drawn.index("<svg") :]
