"""Text on the page stays text, whatever is in it."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.markup import Html, el, inert


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def _read(markup: str) -> _Reader:
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader


LINE = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\r"))
NASTY = st.sampled_from(["<script>", "${x}", "{{x}}", '" onload="x', "&lt;", "`", "\\", "-->", "'"])
TEXT = st.lists(LINE | NASTY).map("".join)


@given(TEXT, TEXT)
def test_text_and_attributes_come_back_as_they_were_and_add_no_tag(text: str, title: str) -> None:
    read = _read(el("p", text, title=title))
    assert read.text == text
    assert read.tags == [("p", {"title": title})]


@given(TEXT)
def test_no_template_engine_finds_anything_to_run(text: str) -> None:
    assert not set("${}`\\<>\"'") & set(inert(text))


def test_markup_is_nested_but_plain_text_is_escaped() -> None:
    assert el("p", el("b", "a<b"), "<i>") == "<p><b>a&lt;b</b>&lt;i&gt;</p>"


def test_attributes_that_say_nothing_are_left_out() -> None:
    made = el("img", src="/thumb/1", hidden=True, alt=None, aria_current=False, class_="a")
    assert made == '<img src="/thumb/1" hidden class="a">'


@pytest.mark.parametrize(
    "link",
    ["https://example.org/x", "//example.org", "javascript:alert(1)", "/\\example.org", "data:x"],
)
def test_a_link_never_leaves_the_server(link: str) -> None:
    with pytest.raises(ValueError, match="must stay on this server"):
        el("a", "x", href=link)


def test_only_el_makes_markup() -> None:
    assert isinstance(el("p"), Html)
    assert isinstance(inert("x"), Html)
