"""The page of one item: what is seen, what is known, and both layers to write."""

from dataclasses import replace
from typing import Any

from archive_mem.errors import UsageError
from archive_mem.schema.annotation import ObjectiveLayer, SubjectiveLayer
from ui.desk import Desk, Show
from ui.facts import facts_html, history_html, moment_html, seen_html, stage_html
from ui.layers import (
    SCENARIOS,
    ObjectiveBoxes,
    SubjectiveBoxes,
    annotator_name,
    mine,
    objective_boxes,
    subjective_boxes,
    typed_objective,
    typed_subjective,
)
from ui.markup import Html, el
from ui.media import is_item_id
from ui.saving import Outcome, newest_version, save_layer
from ui.shell import Top, parameter, seat_of

__all__ = ["build", "conflict_html", "look", "missing_html"]

_ADDRESS = "(id) => { if (id) history.replaceState(null, '', '/item?id=' + id); }"


def missing_html() -> Html:
    """When the address names nothing that may be shown."""
    return el(
        "div",
        el("h2", "There is no such item"),
        el("p", "It is not in this memory, or it is not ready to be shown."),
        el("p", el("a", "Back to the time line", href="/")),
        class_="am-empty",
    )


def conflict_html(theirs: int) -> Html:
    """When somebody else saved first."""
    return el(
        "p",
        el("b", "Somebody saved this layer while you were writing."),
        f" Theirs is version {theirs}. Nothing of yours is lost: choose which one to keep.",
        class_="am-conflict",
        role="alert",
    )


def look(desk: Desk, item_id: str, show: Show) -> tuple[Html, Html, Html, Html, Html]:
    """Stage, facts, what a machine saw, the moment and the history of an item."""
    record = desk.record(item_id) if is_item_id(item_id) else None
    if record is None:
        nothing = Html("")
        return missing_html(), nothing, nothing, nothing, nothing
    return (
        stage_html(record, show),
        facts_html(record, desk.derived(item_id), show),
        seen_html(record.description, show),
        moment_html(desk.session_of(record), item_id),
        history_html(desk.history(item_id), show),
    )


def _objective_values(boxes: ObjectiveBoxes) -> list[Any]:
    return [boxes.when, boxes.place, boxes.people, boxes.scenario, boxes.event, boxes.version]


def _subjective_values(boxes: SubjectiveBoxes) -> list[Any]:
    return [boxes.context, boxes.feelings, boxes.preferences, boxes.version]


def _objective_of(values: tuple[Any, ...]) -> ObjectiveBoxes:
    when, place, people, scenario, event, version = values
    return ObjectiveBoxes(
        when=when, place=place, people=people, scenario=scenario, event=event, version=int(version)
    )


def _subjective_of(values: tuple[Any, ...]) -> SubjectiveBoxes:
    context, feelings, preferences, version = values
    return SubjectiveBoxes(
        context=context, feelings=feelings, preferences=preferences, version=int(version)
    )


def _require_item(desk: Desk, item_id: str) -> str:
    if not is_item_id(item_id) or not desk.is_ready(item_id):
        raise UsageError("there is no such item")
    return item_id


class _Page:
    """The components of the page, and what happens between them."""

    def __init__(self, desk: Desk, page: Any) -> None:  # noqa: ANN401
        self.desk = desk
        self.top = Top(desk, page, "/item")
        self._place()
        self._wire(page)

    # ---------------------------------------------------------------------------- components

    def _place(self) -> None:
        import gradio as gr

        self.here = gr.Textbox(visible="hidden", elem_id="am-here", label="Item")
        with gr.Row(elem_id="am-item", equal_height=False):
            with gr.Column(scale=3, min_width=320):
                self._place_left()
            with gr.Column(scale=2, min_width=320):
                self._place_right()

    def _place_left(self) -> None:
        import gradio as gr

        self.stage = _html("am-stage-box")
        with gr.Row(elem_id="am-steps"):
            self.later = gr.Button("← Later", elem_id="am-later", size="sm", min_width=90)
            self.earlier = gr.Button("Earlier →", elem_id="am-earlier", size="sm", min_width=90)
        self.facts = _html("am-facts-box")
        self.seen = _html("am-seen-box")
        self.moment = _html("am-moment-box")

    def _place_right(self) -> None:
        import gradio as gr

        self.who = gr.Textbox("owner", label="Written by", max_lines=1, elem_id="am-who")
        with gr.Group(elem_id="am-objective"):
            self._place_objective()
        with gr.Group(elem_id="am-subjective"):
            self._place_subjective()
        with gr.Accordion("Every version", open=False):
            self.history = _html("am-history-box")

    def _place_objective(self) -> None:
        import gradio as gr

        gr.HTML(_title("Facts", "what can be checked"), padding=True)
        self.when = gr.Textbox(
            label="Time, if the file is wrong", placeholder="2023-05-14 12:31", max_lines=1
        )
        self.place = gr.Textbox(label="Place", placeholder="Kyoto, Japan", max_lines=1)
        self.people = gr.Textbox(
            label="People, one a line", lines=2, info="Names are stored as placeholders."
        )
        self.scenario = gr.Radio(list(SCENARIOS), value="", label="Scenario", elem_id="am-scenario")
        self.event = gr.Textbox(label="Event", placeholder="lunch by the river", max_lines=2)
        self.objective_version = gr.Number(0, visible="hidden", precision=0, label="Version")
        self.objective = [
            self.when,
            self.place,
            self.people,
            self.scenario,
            self.event,
            self.objective_version,
        ]
        self.objective_bar = _Bar("am-save-objective")

    def _place_subjective(self) -> None:
        import gradio as gr

        gr.HTML(_title("Experience", "in the first person"), padding=True)
        self.context = gr.Textbox(label="What was going on", lines=2, placeholder="I …")
        self.feelings = gr.Textbox(label="How I felt", max_lines=2, placeholder="relaxed")
        self.preferences = gr.Textbox(
            label="What I like or avoid, one a line",
            lines=2,
            placeholder="I prefer light broth to rich broth",
        )
        self.subjective_version = gr.Number(0, visible="hidden", precision=0, label="Version")
        self.subjective = [
            self.context,
            self.feelings,
            self.preferences,
            self.subjective_version,
        ]
        self.subjective_bar = _Bar("am-save-subjective")

    # -------------------------------------------------------------------------------- events

    def _wire(self, page: Any) -> None:  # noqa: ANN401
        seen = [self.stage, self.facts, self.seen, self.moment, self.history]
        everything = [
            self.here,
            *seen,
            *self.objective,
            *self.subjective,
            *self.objective_bar.outputs,
            *self.subjective_bar.outputs,
        ]
        inputs = [self.here, self.who]
        opened = self._open_handler()
        self.top.opening(page, opened, inputs, everything, js=_from_address())
        self.top.on(self.who.blur, opened, inputs, everything)
        for button, step in ((self.earlier, 0), (self.later, 1)):
            moved = self.top.on(button.click, self._step_handler(step), inputs, everything)
            moved.then(None, self.here, None, js=_ADDRESS)
        self._wire_saving(self.objective, self.objective_bar, self._save_objective)
        self._wire_saving(self.subjective, self.subjective_bar, self._save_subjective)

    def _wire_saving(self, boxes: list[Any], bar: "_Bar", save: Any) -> None:  # noqa: ANN401
        outputs = [boxes[-1], *bar.outputs, self.history]
        inputs = [self.here, self.who, *boxes]
        self.top.on(bar.save.click, _saver(save, force=False), inputs, outputs)
        self.top.on(bar.keep.click, _saver(save, force=True), inputs, outputs)
        reloaded = self._reload_handler(boxes is self.objective)
        self.top.on(bar.load.click, reloaded, inputs[:2], [*boxes, *bar.outputs])

    def _open_handler(self) -> Any:  # noqa: ANN401
        import gradio as gr

        def opened(item_id: str, who: str, request: gr.Request) -> list[Any]:
            return self._open(item_id, who, seat_of(request))

        return opened

    def _step_handler(self, step: int) -> Any:  # noqa: ANN401
        import gradio as gr

        def stepped(item_id: str, who: str, request: gr.Request) -> list[Any]:
            target = self.desk.shelf().neighbours(item_id)[step]
            if target is None:
                raise UsageError("there is nothing further in this direction")
            return self._open(target, who, seat_of(request))

        return stepped

    def _open(self, item_id: str, who: str, seat: str) -> list[Any]:
        show = self.desk.show(seat)
        layers = self.desk.layers(item_id) if self.desk.is_ready(item_id) else []
        annotator = annotator_name(who)
        return [
            item_id if is_item_id(item_id) else "",
            *look(self.desk, item_id, show),
            *_objective_values(objective_boxes(mine(layers, annotator, ObjectiveLayer), show)),
            *_subjective_values(subjective_boxes(mine(layers, annotator, SubjectiveLayer), show)),
            *_quiet(),
            *_quiet(),
        ]

    def _reload_handler(self, objective: bool) -> Any:  # noqa: ANN401
        import gradio as gr

        def reloaded(item_id: str, who: str, request: gr.Request) -> list[Any]:
            show = self.desk.show(seat_of(request))
            layers = self.desk.layers(_require_item(self.desk, item_id))
            kind = ObjectiveLayer if objective else SubjectiveLayer
            note = mine(layers, annotator_name(who), kind)
            values = (
                _objective_values(objective_boxes(note, show))
                if objective
                else _subjective_values(subjective_boxes(note, show))
            )
            return [*values, *_quiet("Theirs is loaded.")]

        return reloaded

    def _save_objective(
        self, item_id: str, who: str, values: tuple[Any, ...], force: bool, seat: str
    ) -> list[Any]:
        annotator = annotator_name(who)
        boxes = _objective_of(values)
        if force:
            newest = newest_version(self.desk, item_id, annotator, ObjectiveLayer)
            boxes = replace(boxes, version=newest)
        typed = typed_objective(boxes, self.desk.now())
        item = _require_item(self.desk, item_id)
        outcome = save_layer(self.desk, item, annotator, typed, boxes.version)
        return self._told(outcome, item, seat)

    def _save_subjective(
        self, item_id: str, who: str, values: tuple[Any, ...], force: bool, seat: str
    ) -> list[Any]:
        annotator = annotator_name(who)
        boxes = _subjective_of(values)
        if force:
            newest = newest_version(self.desk, item_id, annotator, SubjectiveLayer)
            boxes = replace(boxes, version=newest)
        item = _require_item(self.desk, item_id)
        outcome = save_layer(self.desk, item, annotator, typed_subjective(boxes), boxes.version)
        return self._told(outcome, item, seat)

    def _told(self, outcome: Outcome, item_id: str, seat: str) -> list[Any]:
        import gradio as gr

        history = history_html(self.desk.history(item_id), self.desk.show(seat))
        conflict = outcome.theirs is not None
        return [
            outcome.version,
            el("p", outcome.said, class_="am-said", role="status"),
            gr.Group(visible=conflict),
            conflict_html(outcome.theirs or 0) if conflict else "",
            history,
        ]


class _Bar:
    """Save button, what came of it, and the box for a conflict."""

    def __init__(self, elem_id: str) -> None:
        import gradio as gr

        with gr.Row(elem_classes="am-bar"):
            self.said = gr.HTML("", apply_default_css=False, scale=3, min_width=80)
            self.save = gr.Button(
                "Save", variant="primary", elem_id=elem_id, size="sm", scale=1, min_width=90
            )
        with gr.Group(visible=False, elem_classes="am-conflict-box") as self.box:
            self.problem = gr.HTML("", apply_default_css=False, padding=True)
            with gr.Row():
                self.load = gr.Button("Load theirs", size="sm", min_width=90)
                self.keep = gr.Button("Keep mine", size="sm", variant="stop", min_width=90)
        self.outputs = [self.said, self.box, self.problem]


def _quiet(said: str = "") -> list[Any]:
    import gradio as gr

    return [el("p", said, class_="am-said", role="status"), gr.Group(visible=False), ""]


def _saver(save: Any, *, force: bool) -> Any:  # noqa: ANN401
    import gradio as gr

    def saved(request: gr.Request, item_id: str, who: str, *values: Any) -> list[Any]:  # noqa: ANN401
        return list(save(item_id, who, values, force, seat_of(request)))

    return saved


def _from_address() -> str:
    return f"(_, who) => [({parameter('id')})(), who]"


def _title(name: str, hint: str) -> Html:
    return el("h3", name, el("small", hint), class_="am-title")


def _html(elem_id: str) -> Any:  # noqa: ANN401
    import gradio as gr

    return gr.HTML("", elem_id=elem_id, apply_default_css=False)


def build(desk: Desk, page: Any) -> None:  # noqa: ANN401
    """Fill the page."""
    _Page(desk, page)
