"""The page with the box to ask."""

from typing import Any

from archive_mem.errors import UsageError
from archive_mem.schema.qa import Answer, Tier
from ui.answers import answer_html
from ui.desk import Desk
from ui.markup import Html, el
from ui.shell import Top, seat_of
from ui.theme import asset
from ui.words import lines_of, parse_day

__all__ = ["TIERS", "build", "drop_html", "put"]

TIERS = (
    ("Auto", "auto"),
    ("Recall (T1)", "t1"),
    ("Persona (T2)", "t2"),
    ("Choice (T3)", "t3"),
)
_LONGEST = 4_000
_MOST_OPTIONS = 50
_LEAST_OPTIONS = 2
_WITH_PHOTO = "(...given) => [...given.slice(0, 4), window.amPhoto || '']"
_FORGET_PHOTO = "() => { window.amForgetPhoto?.(); return ''; }"


def put(
    desk: Desk, question: str | None, tier: str, options: str | None, as_of: str | None, photo: str
) -> Answer:
    """Ask what the boxes say. Raises UsageError for what cannot be meant."""
    text = " ".join((question or "").split())
    if not text:
        raise UsageError("write a question first")
    if len(text) > _LONGEST:
        raise UsageError(f"a question of at most {_LONGEST} letters, please")
    choices = lines_of(options)
    if len(choices) > _MOST_OPTIONS:
        raise UsageError(f"at most {_MOST_OPTIONS} options can be ranked")
    if tier == Tier.T3 and len(choices) < _LEAST_OPTIONS:
        raise UsageError("Choice ranks options: write at least two, one a line")
    return desk.ask(
        text, tier=_tier(tier), photo=photo or "", options=choices, as_of=parse_day(as_of)
    )


def _tier(text: str) -> Tier | None:
    if text == "auto":
        return None
    try:
        return Tier(text)
    except ValueError as error:
        raise UsageError("there is no such tier") from error


def drop_html() -> Html:
    """Where a photo is dropped; the browser shows it, the server forgets it after the answer."""
    chooser = el("input", type="file", accept="image/*", aria_label="Photo to ask about")
    hint = el("span", "Drop a photo to ask about, or click", class_="am-drop-hint")
    preview = el("img", class_="am-drop-preview", alt="The photo you ask about", hidden=True)
    forget = el("button", "Remove", type="button", class_="am-drop-remove", hidden=True)
    return el("div", el("label", chooser, preview, hint, class_="am-drop"), forget)


def _waiting_html() -> Html:
    return el(
        "div",
        el("h2", "Ask your memory"),
        el("p", "Facts come with the photos they stand on. What nothing supports is not answered."),
        class_="am-empty",
    )


def build(desk: Desk, page: Any) -> None:  # noqa: ANN401
    """Fill the page."""
    import gradio as gr

    top = Top(desk, page, "/ask")
    with gr.Row(elem_id="am-ask", equal_height=False):
        with gr.Column(scale=2, min_width=320):
            question = gr.Textbox(
                label="Question",
                placeholder="Where did I have ramen in May?",
                lines=2,
                autofocus=True,
                elem_id="am-question",
            )
            tier = gr.Radio(list(TIERS), value="auto", label="Kind", elem_id="am-tier")
            options = gr.Textbox(
                label="Options to rank, one a line",
                lines=3,
                info="For a choice: what would I rather take?",
            )
            with gr.Accordion("A photo, or another day", open=False):
                gr.HTML(
                    drop_html(), js_on_load=asset("drop.js"), apply_default_css=False, padding=True
                )
                as_of = gr.Textbox(
                    label="As of", placeholder="2024-06-01", info="Nothing later exists then."
                )
            token = gr.Textbox(visible="hidden", elem_id="am-photo-token", label="Photo")
            button = gr.Button("Ask", variant="primary", elem_id="am-ask-button")
        with gr.Column(scale=3, min_width=320):
            reply = gr.HTML(_waiting_html(), elem_id="am-reply", apply_default_css=False)

    def answer(
        text: str, kind: str, choices: str, day: str, photo_token: str, request: gr.Request
    ) -> list[Html]:
        given = put(desk, text, kind, choices, day, photo_token)
        return [answer_html(given, desk.show(seat_of(request)))]

    boxes = [question, tier, options, as_of, token]
    more = {"show_progress": "full", "trigger_mode": "once", "js": _WITH_PHOTO}
    top.on(button.click, answer, boxes, [reply], **more).then(None, None, token, js=_FORGET_PHOTO)
