"""How the pages look: Gradio's Soft theme made calm, our own sheet, no font from elsewhere."""

from pathlib import Path
from typing import Any

__all__ = ["asset", "head", "make_theme", "sheet"]

_ASSETS = Path(__file__).parent / "assets"


def asset(name: str) -> str:
    """The text of a file under ui/assets."""
    return (_ASSETS / name).read_text("utf-8")


def sheet() -> str:
    """The style sheet of all pages."""
    return asset("pages.css")


def head() -> str:
    """What goes into <head>: the keyboard, and no referrer for anyone."""
    return f"<meta name='color-scheme' content='light dark'><script>{asset('keys.js')}</script>"


def make_theme() -> Any:  # noqa: ANN401
    """Indigo and teal on slate, soft shadows, no borders round blocks."""
    from gradio.themes import Soft
    from gradio.themes.utils.fonts import LocalFont

    theme = Soft(
        primary_hue="indigo",
        secondary_hue="teal",
        neutral_hue="slate",
        font=[LocalFont("IBM Plex Sans", weights=(400, 700)), "system-ui", "sans-serif"],
        font_mono=["ui-monospace", "monospace"],
    )
    return theme.set(
        body_background_fill="#f6f7fb",
        body_background_fill_dark="#0e1320",
        background_fill_primary_dark="#0e1320",
        block_background_fill="#ffffff",
        block_background_fill_dark="#171e2e",
        block_border_width="0px",
        block_shadow="0 1px 2px rgba(15,23,42,.06), 0 4px 16px rgba(15,23,42,.05)",
        block_shadow_dark="0 1px 2px rgba(0,0,0,.5)",
        block_title_background_fill="transparent",
        block_title_background_fill_dark="transparent",
        block_title_text_color="*neutral_600",
        block_title_text_color_dark="*neutral_300",
        block_title_padding="0",
        block_label_background_fill="transparent",
        block_label_background_fill_dark="transparent",
        input_background_fill="#f8fafc",
        input_background_fill_dark="#0f1626",
        input_border_color="#d5dbe6",
        input_border_color_dark="#2c3650",
        input_border_width="1px",
        checkbox_label_background_fill_dark="#222b40",
        checkbox_label_background_fill_hover_dark="#2c3752",
        button_secondary_background_fill_dark="#222b40",
        button_secondary_background_fill_hover_dark="#2c3752",
    )
