"""What the page of an item says: its picture, when and where, what a machine saw. Pure."""

from collections.abc import Iterable, Sequence

from archive_mem.catalog.items import Derived
from archive_mem.schema.annotation import Annotation, Description, ObjectiveLayer
from archive_mem.schema.media import MediaKind
from archive_mem.schema.record import Record
from archive_mem.schema.session import Session
from ui.desk import Show
from ui.markup import Child, Html, el, join
from ui.words import say_confidence, say_duration, say_time, scenario_name, when_field

__all__ = ["facts_html", "history_html", "layer_rows", "moment_html", "seen_html", "stage_html"]

_STRIP = 12


def stage_html(record: Record, show: Show) -> Html:
    """The large anonymised picture, or the blurred video with its sound."""
    source = f"/media/{record.item_id}"
    if record.kind is MediaKind.VIDEO:
        shown = el(
            "video",
            src=source,
            poster=f"/thumb/{record.item_id}",
            controls=True,
            preload="metadata",
            aria_label=_caption(record, show),
        )
    else:
        shown = el("img", src=source, alt=_caption(record, show))
    return el("figure", shown, class_="am-stage")


def _caption(record: Record, show: Show) -> str:
    said = None if record.description is None else record.description.caption
    return show(said) if said else record.kind.value.capitalize()


def facts_html(record: Record, derived: Derived | None, show: Show) -> Html:
    """When, where and from what that is known, and what was hidden."""
    rows = [
        _row("When", *_when(record)),
        _row("Where", *_where(record, show)),
        _row("Who", *_who(record, show)),
        _row("Album", *(_text(show(album)) for album in record.albums)),
        _row("With it came", *([_text(show(record.inscription))] if record.inscription else [])),
        _row("File", _text(show(record.name)), *_file_notes(record, derived)),
    ]
    return el("dl", *rows, class_="am-facts")


def _row(name: str, *values: Child) -> Html | None:
    if not values:
        return None
    return el("div", el("dt", name), el("dd", *values))


def _text(text: str) -> Html:
    return el("span", text)


def _note(text: str) -> Html:
    return el("small", text)


def _when(record: Record) -> list[Html]:
    time = record.time
    if time is None:
        return [_text("not known")]
    source = "corrected by an annotator" if time.source == "annotator" else f"from {time.source}"
    said = [_text(say_time(time)), _note(f"{source}, {say_confidence(time.confidence)}")]
    if time.utc_offset is None:
        said.append(_note("time zone not known"))
    return said


def _where(record: Record, show: Show) -> list[Html]:
    place = record.place
    label = show(record.place_label) if record.place_label else ""
    if not label and place is None:
        return [_text("not known")]
    verified = record.objective is not None and record.objective.place is not None
    if verified:
        return [_text(label), _note("said by an annotator")]
    if place is None:
        return [_text(label)]
    notes = [_text(label or "somewhere without a name"), _note(f"from {place.source}")]
    if place.place is not None and place.place.near is None:
        notes.append(_note(f"nearest town, {place.place.distance_km:.0f} km to its centre"))
    return notes


def _who(record: Record, show: Show) -> list[Html]:
    return [el("span", show(person), class_="am-person") for person in record.people]


def _file_notes(record: Record, derived: Derived | None) -> list[Html]:
    kind = record.kind.value
    length = f", {say_duration(record.duration)}" if record.duration else ""
    notes = [_note(f"{kind}{length}")]
    if derived is not None:
        count = derived.faces
        noun = "face" if count == 1 else "faces"
        notes.append(_note(f"{count} {noun} blurred" if count else "no face found"))
    return notes


def seen_html(description: Description | None, show: Show) -> Html:
    """Caption and text in the picture, marked as what they are: a machine's reading."""
    if description is None:
        return el("p", "No machine has described it yet.", class_="am-quiet")
    badge = el("span", f"provisional, by {description.producer}", class_="am-badge")
    caption = show(description.caption) if description.caption else "No caption."
    parts = [el("div", el("h3", "What a machine saw"), badge), el("p", caption)]
    if description.ocr:
        lines = [
            el("li", show(line.text), title=f"{line.score:.0%} sure") for line in description.ocr
        ]
        parts += [el("h4", "Text in the picture"), el("ul", *lines, class_="am-ocr")]
    if description.tags:
        tags = [el("span", tag, class_="am-tag") for tag in description.tags]
        parts.append(el("p", *tags, class_="am-tags"))
    return el("section", *parts, class_="am-seen")


def moment_html(session: Session | None, item_id: str) -> Html:
    """The other items of the same session, as a strip."""
    ids = () if session is None else session.item_ids
    if len(ids) < 2:
        return Html("")
    place = ids.index(item_id) if item_id in ids else 0
    first = max(0, min(place - _STRIP // 2, len(ids) - _STRIP))
    links = [_strip_link(each, each == item_id) for each in ids[first : first + _STRIP]]
    return el(
        "section",
        el("h3", f"The same moment, {len(ids)} items"),
        el("div", *links, class_="am-strip"),
    )


def _strip_link(item_id: str, here: bool) -> Html:
    picture = el("img", src=f"/thumb/{item_id}", alt="Another of this moment", loading="lazy")
    return el("a", picture, href=f"/item?id={item_id}", aria_current="true" if here else None)


def history_html(versions: Sequence[Annotation], show: Show) -> Html:
    """Every version of both layers, newest first."""
    if not versions:
        return el("p", "Nobody has written about it yet.", class_="am-quiet")
    return el("ol", *(_version(each, show) for each in versions), class_="am-history")


def _version(note: Annotation, show: Show) -> Html:
    facts = isinstance(note.layer, ObjectiveLayer)
    head = f"{'Facts' if facts else 'Experience'}, version {note.version}"
    when = f"{note.saved_at:%Y-%m-%d %H:%M} UTC by {note.annotator}"
    said = [el("div", el("dt", name), el("dd", value)) for name, value in layer_rows(note, show)]
    body = el("dl", *said) if said else el("p", "empty", class_="am-quiet")
    return el("li", join([el("b", head), el("small", when)]), body)


def layer_rows(note: Annotation, show: Show) -> Iterable[tuple[str, str]]:
    """Field and value of a layer, without those that say nothing."""
    layer = note.layer
    rows: Sequence[tuple[str, str]]
    if isinstance(layer, ObjectiveLayer):
        rows = (
            ("Time", when_field(layer.captured_at)),
            ("Place", show(layer.place or "")),
            ("People", ", ".join(show(each) for each in layer.people)),
            ("Scenario", scenario_name(layer.scenario) if layer.scenario else ""),
            ("Event", show(layer.event or "")),
        )
    else:
        rows = (
            ("Context", show(layer.context or "")),
            ("Feelings", show(layer.feelings or "")),
            ("Preferences", "; ".join(show(each) for each in layer.preferences)),
        )
    return [row for row in rows if row[1]]
