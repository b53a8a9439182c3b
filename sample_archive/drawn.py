"""Printed and written things whose text is part of the picture."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from sample_archive.canvas import (
    Brush,
    Point,
    Rgb,
    Rng,
    Size,
    flat,
    fractal,
    glow,
    gradient,
    jitter,
    mix,
    tiled,
    tint,
    warp,
)
from sample_archive.indoors import desk
from sample_archive.table import table

INK: Rgb = (34, 34, 40)


def backdrop(rng: Rng, size: Size, on: str) -> Image.Image:
    """What a paper lies on or a sign hangs on."""
    if on == "brick":
        return tint(tiled("brick.png", size, repeat=2.2), (96, 56, 44), (204, 156, 128))
    if on == "stone":
        return tint(tiled("gravel.png", size, repeat=2), (70, 70, 72), (170, 168, 164))
    if on == "plaster":
        return tint(fractal(rng, size), (196, 190, 180), (226, 220, 210))
    return table(rng, size, {"wood": 0, "dark": 1, "pale": 2, "steel": 3}[on])


def _corners(rng: Rng, size: Size, page: Size, fill: float) -> list[Point]:
    """Where a page's corners come to lie: turned a little, off a little, nearer or farther."""
    scale = fill * min(size[0] / page[0], size[1] / page[1]) * float(rng.uniform(0.84, 1.0))
    half = (page[0] * scale / 2, page[1] * scale / 2)
    turn, drift = float(rng.uniform(-0.07, 0.07)), rng.uniform(-0.03, 0.03, 2)
    sway = rng.uniform(-0.01, 0.01, 8)
    corners: list[Point] = []
    for k, (a, b) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        x, y = a * half[0] - b * half[1] * turn, b * half[1] + a * half[0] * turn
        corners.append(
            (
                0.5 + x / size[0] + float(drift[0] + sway[2 * k]),
                0.5 + y / size[1] + float(drift[1] + sway[2 * k + 1]),
            )
        )
    return corners


def paper(
    rng: Rng,
    size: Size,
    *,
    lines: Sequence[str],
    on: str = "wood",
    colour: Rgb = (250, 248, 240),
    wide: int = 760,
    fill: float = 0.94,
) -> Image.Image:
    """A printed slip: the first line large, `a | b` set left and right, `-` a rule."""
    step = 62
    page = flat((wide, 130 + step * len(lines)), colour)
    brush = Brush(page)
    for row, line in enumerate(lines):
        _line(brush, 0.075 + (row + 0.5) * step / page.height, line, 52 if row == 0 else 38)
    return warp(page, backdrop(rng, size, on), _corners(rng, size, page.size, fill))


def _line(brush: Brush, y: float, line: str, pixels: int) -> None:
    size = pixels / brush.width
    if line == "-":
        brush.line([(0.06, y), (0.94, y)], (120, 120, 124), 0.003)
    elif "|" in line:
        left, right = (part.strip() for part in line.split("|", 1))
        brush.text(0.06, y, left, size, INK)
        brush.text(0.94, y, right, size, INK, "rm")
    else:
        brush.text(0.5, y, line, size, INK, "mm")


def sign(
    rng: Rng,
    size: Size,
    *,
    lines: Sequence[str],
    on: str = "brick",
    board: Rgb = (28, 84, 150),
    ink: Rgb = (250, 250, 246),
) -> Image.Image:
    """A painted board with a border and a few large lines."""
    page = flat((1100, 160 + 150 * len(lines)), board)
    brush = Brush(page)
    edge = 0.016
    for line in (
        [(edge, edge * 2), (1 - edge, edge * 2)],
        [(edge, 1 - edge * 2), (1 - edge, 1 - edge * 2)],
    ):
        brush.line(line, ink, 0.008)
    for row, words in enumerate(lines):
        y = (row + 0.5) / len(lines) * 0.84 + 0.08
        brush.text(0.5, y, words, min(0.09, 1.55 / max(10, len(words))), ink, "mm")
    return warp(page, backdrop(rng, size, on), _corners(rng, size, page.size, 0.86))


def ticket(
    rng: Rng,
    size: Size,
    *,
    title: str,
    fields: Sequence[str],
    on: str = "dark",
    band: Rgb = (200, 70, 60),
) -> Image.Image:
    """A ticket: a coloured band with the title, and `label | value` fields in two columns."""
    page = flat((1200, 560), (252, 250, 244))
    brush = Brush(page)
    brush.box(0, 0, 1, 0.24, band)
    brush.text(0.04, 0.12, title, 0.052, (255, 255, 255))
    for k, field in enumerate(fields):
        label, value = (part.strip() for part in field.split("|", 1))
        x, y = 0.04 + 0.42 * (k % 2), 0.33 + 0.21 * (k // 2)
        brush.text(x, y, label, 0.022, (110, 110, 116))
        brush.text(x, y + 0.085, value, 0.038, INK)
    for k in range(26):
        brush.box(
            0.90,
            0.30 + 0.025 * k,
            0.975,
            0.30 + 0.025 * k + (0.006 + 0.009 * ((k * 7) % 3) / 2),
            INK,
        )
    return warp(page, backdrop(rng, size, on), _corners(rng, size, page.size, 0.92))


def whiteboard(rng: Rng, size: Size, *, lines: Sequence[str]) -> Image.Image:
    """Coloured marker on a whiteboard, with boxes and arrows."""
    image = glow(
        gradient(size, ((224, 228, 230), (244, 246, 246), (222, 226, 228))),
        (0.7, 0.2),
        0.2,
        (30, 30, 30),
        0.6,
    )
    brush = Brush(image)
    brush.box(0, 0, 1, 0.03, (150, 154, 158))
    brush.box(0, 0.95, 1, 1, (150, 154, 158))
    pens: tuple[Rgb, ...] = ((30, 60, 150), (190, 40, 44), (30, 110, 60), (40, 40, 46))
    for row, words in enumerate(lines):
        y = 0.13 + row * 0.78 / max(1, len(lines) - 0.5)
        brush.text(
            0.07 + 0.01 * float(rng.random()), y, words, 0.052 if row == 0 else 0.038, pens[row % 4]
        )
    brush.arc(
        float(rng.uniform(0.74, 0.88)),
        float(rng.uniform(0.3, 0.75)),
        float(rng.uniform(0.05, 0.10)),
        (20, 320),
        pens[1],
        0.005,
    )
    brush.line([(0.07, 0.19), (0.60, 0.185)], pens[0], 0.004)
    return image


def phone(rng: Rng, size: Size, *, title: str, lines: Sequence[str], dark: int = 0) -> Image.Image:
    """A screenshot: a title bar and bubbles; a line starting with `>` is one's own."""
    ground: Rgb = (24, 26, 30) if dark else (238, 240, 244)
    image = flat(size, ground)
    brush = Brush(image)
    brush.box(0, 0, 1, 0.10, mix(ground, (60, 90, 140), 0.45))
    brush.text(0.06, 0.06, title, 0.055, (255, 255, 255) if dark else INK)
    for row, words in enumerate(lines):
        own, words = words.startswith(">"), words.lstrip("> ")
        y, x = 0.17 + 0.095 * row, 0.22 if own else 0.04
        fill = (70, 130, 220) if own else mix(ground, (128, 128, 136), 0.25)
        brush.box(x, y - 0.036, x + 0.74, y + 0.036, fill, 0.03)
        brush.text(
            x + 0.03,
            y,
            words,
            min(0.05, 1.36 / max(len(words), 20)),
            (255, 255, 255) if dark or own else INK,
        )
    return image


def laptop(
    rng: Rng, size: Size, *, lines: Sequence[str], kind: int = 1, dark: int = 0
) -> Image.Image:
    """Slides or code on a laptop's screen."""
    ground: Rgb = (30, 32, 40) if dark else (250, 250, 252)
    screen = flat((1000, 620), ground)
    brush = Brush(screen)
    for row, words in enumerate(lines):
        ink = jitter(rng, (150, 200, 170), 40) if dark else (INK if row else (30, 80, 160))
        brush.text(0.06, 0.12 + 0.125 * row, words, 0.052 if row == 0 else 0.042, ink)
    return desk(rng, size, screen=screen, kind=kind)


def bib(
    rng: Rng,
    size: Size,
    *,
    number: str,
    race: str,
    line: str,
    on: str = "pale",
    band: Rgb = (40, 110, 180),
) -> Image.Image:
    """A race number, pinned."""
    page = flat((1000, 760), (252, 252, 250))
    brush = Brush(page)
    brush.box(0, 0, 1, 0.22, band)
    brush.box(0, 0.84, 1, 1, band)
    brush.text(0.5, 0.11, race, min(0.06, 1.5 / len(race)), (255, 255, 255), "mm")
    brush.text(0.5, 0.53, number, 0.27, INK, "mm")
    brush.text(0.5, 0.92, line, 0.045, (255, 255, 255), "mm")
    for x in (0.04, 0.96):
        brush.disc(x, 0.27, 0.014, (150, 150, 156))
    return warp(page, backdrop(rng, size, on), _corners(rng, size, page.size, 0.9))
