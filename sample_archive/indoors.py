"""Rooms, desks, clothes, books, the clinic, the cat, and every picture with a face in it."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageFilter, ImageOps

from sample_archive.canvas import (
    Brush,
    Point,
    Rgb,
    Rng,
    Size,
    flat,
    fractal,
    glow,
    grade,
    gradient,
    jitter,
    mix,
    over,
    photo,
    shadow,
    tiled,
    tint,
    warp,
)
from sample_archive.nature import sea, sky
from sample_archive.table import table, turn_hue
from sample_archive.town import skyline


def room(
    rng: Rng, size: Size, *, paint: Rgb = (214, 196, 172), mood: str = "day", boxes: int = 0
) -> Image.Image:
    """A living room: a window with a view, a sofa, a plant, perhaps moving boxes."""
    image = gradient(
        size, (mix(paint, (255, 255, 255), 0.25), paint, mix(paint, (60, 40, 30), 0.2))
    )
    view = (
        skyline(rng, (size[0] // 3, size[1] // 2), mood=mood)
        if mood == "night"
        else sky(rng, (size[0] // 3, size[1] // 2), mood)
    )
    brush = Brush(image)
    brush.box(0.08, 0.09, 0.44, 0.64, (246, 244, 238))
    image.paste(view, (round(size[0] * 0.095), round(size[1] * 0.115)))
    brush.box(0.255, 0.10, 0.265, 0.62, (246, 244, 238))
    brush.box(0.0, 0.82, 1.0, 1.0, mix(paint, (90, 60, 40), 0.55))
    _sofa(rng, brush)
    _plant(rng, brush, (0.06, 0.86))
    for k in range(boxes):
        _box(brush, (0.12 + 0.17 * k, 0.95), 0.15 + 0.02 * (k % 2))
    return glow(image, (0.25, 0.35), 0.25, (90, 84, 70) if mood != "night" else (60, 40, 20), 0.6)


def _sofa(rng: Rng, brush: Brush) -> None:
    colour = jitter(rng, (96, 120, 128), 50)
    brush.box(0.50, 0.50, 0.98, 0.80, mix(colour, (0, 0, 0), 0.15), 0.02)
    for x in (0.53, 0.75):
        brush.box(x, 0.62, x + 0.20, 0.76, mix(colour, (255, 255, 255), 0.15), 0.015)
    brush.box(0.48, 0.58, 0.53, 0.86, colour, 0.02)
    brush.box(0.95, 0.58, 1.0, 0.86, colour, 0.02)
    brush.box(0.50, 0.74, 0.98, 0.87, colour, 0.01)


def _plant(rng: Rng, brush: Brush, foot: Point) -> None:
    x, y = foot
    for a in np.linspace(-1.2, 1.2, 11):
        tip = (x + 0.10 * float(np.sin(a)), y - 0.12 - 0.22 * float(np.cos(a)))
        brush.poly(
            [
                (x, y - 0.08),
                (tip[0] - 0.015, (tip[1] + y) / 2),
                tip,
                (tip[0] + 0.015, (tip[1] + y) / 2),
            ],
            jitter(rng, (60, 120, 66), 24),
        )
    brush.poly(
        [(x - 0.045, y - 0.10), (x + 0.045, y - 0.10), (x + 0.03, y + 0.02), (x - 0.03, y + 0.02)],
        (186, 104, 70),
    )


def _box(brush: Brush, foot: Point, edge: float) -> None:
    x, y = foot
    top = y - edge * 1.15
    brush.box(x, top, x + edge, y, (188, 146, 98), 0.003)
    brush.box(x, top, x + edge, top + 0.03, (166, 124, 80))
    brush.box(x + edge * 0.44, top, x + edge * 0.56, y, (214, 188, 150))


def garment(rng: Rng, size: Size, *, cloth: Rgb = (150, 60, 60), kind: str = "coat") -> Image.Image:
    """A coat, a dress or a jacket on a hanger."""
    image = glow(
        tint(fractal(rng, size, start=3), (206, 200, 194), (232, 228, 222)),
        (0.3, 0.2),
        0.35,
        (50, 48, 40),
        0.6,
    )
    image = shadow(image, (0.53, 0.58), (0.20, 0.28), 0.5)
    brush = Brush(image)
    brush.arc(0.5, 0.11, 0.025, (120, 400), (120, 120, 126), 0.006)
    hem = {"coat": 0.90, "dress": 0.94, "jacket": 0.68}[kind]
    flare = {"coat": 0.20, "dress": 0.27, "jacket": 0.16}[kind]
    waist = 0.10 if kind == "dress" else 0.145
    mask = Image.new("RGB", size)
    body = Brush(mask)
    white = (255, 255, 255)
    body.poly(
        [
            (0.44, 0.16),
            (0.56, 0.16),
            (0.64, 0.22),
            (0.5 + waist, 0.46),
            (0.5 + flare, hem),
            (0.5 - flare, hem),
            (0.5 - waist, 0.46),
            (0.36, 0.22),
        ],
        white,
    )
    if kind != "dress":
        for side in (-1, 1):
            body.poly(
                [
                    (0.5 + side * 0.13, 0.20),
                    (0.5 + side * 0.19, 0.26),
                    (0.5 + side * 0.24, 0.66),
                    (0.5 + side * 0.175, 0.67),
                ],
                white,
            )
    weave = tint(
        tiled("grass.png", size, repeat=6),
        mix(cloth, (0, 0, 0), 0.35),
        mix(cloth, (255, 255, 255), 0.15),
    )
    image = over(image, weave.filter(ImageFilter.GaussianBlur(size[0] / 700)), mask.convert("L"))
    _seams(rng, Brush(image), cloth, hem, kind)
    return image


def _seams(rng: Rng, brush: Brush, cloth: Rgb, hem: float, kind: str) -> None:
    dark = mix(cloth, (0, 0, 0), 0.55)
    brush.poly([(0.45, 0.155), (0.55, 0.155), (0.50, 0.27)], dark)
    if kind == "dress":
        for _ in range(90):
            x, y = float(rng.normal(0.5, 0.07)), float(rng.uniform(0.3, 0.9))
            brush.disc(x, y, 0.008, mix(cloth, (255, 250, 220), 0.7))
        return
    brush.line([(0.50, 0.27), (0.50, hem)], dark, 0.004)
    for y in np.arange(0.34, hem - 0.08, 0.10):
        brush.disc(0.515, float(y), 0.008, (232, 220, 196))


def books(rng: Rng, size: Size, *, rows: int = 2) -> Image.Image:
    """Shelves of coloured spines."""
    image = flat(size, (58, 42, 32))
    brush = Brush(image)
    for row in range(rows):
        base, tall, x = (row + 0.94) / rows, 0.78 / rows, 0.01
        while x < 0.97:
            wide, top = (
                float(rng.uniform(0.018, 0.045)),
                base - tall * float(rng.uniform(0.72, 1.0)),
            )
            colour = jitter(rng, mix((150, 70, 60), (60, 110, 140), float(rng.random())), 45)
            brush.box(x, top, x + wide, base, colour, 0.003)
            brush.box(
                x + 0.004,
                top + 0.04,
                x + wide - 0.004,
                top + 0.06,
                mix(colour, (255, 240, 200), 0.7),
            )
            x += wide + 0.002
        brush.box(0, base, 1, base + 0.03, (122, 90, 62))
    return glow(image, (0.7, 0.2), 0.3, (80, 64, 40), 0.6)


def desk(
    rng: Rng, size: Size, *, screen: Image.Image, kind: int = 1, lamp: Rgb = (120, 90, 50)
) -> Image.Image:
    """A laptop on a desk showing something."""
    image = gradient(size, ((150, 150, 154), (190, 186, 180), (120, 110, 100)))
    top = table(rng, (size[0], round(size[1] * 0.3)), kind)
    image.paste(top, (0, size[1] - top.height))
    brush = Brush(image)
    brush.box(0.16, 0.10, 0.84, 0.80, (34, 36, 40), 0.014)
    image.paste(
        screen.resize((round(size[0] * 0.65), round(size[1] * 0.63))),
        (round(size[0] * 0.175), round(size[1] * 0.13)),
    )
    brush.poly([(0.14, 0.80), (0.86, 0.80), (0.94, 0.93), (0.06, 0.93)], (176, 178, 182))
    for row in range(4):
        y = 0.815 + 0.02 * row
        brush.line([(0.19 - 0.01 * row, y), (0.81 + 0.01 * row, y)], (70, 72, 76), 0.008)
    return glow(image, (0.95, 0.1), 0.2, lamp, 0.7)


def clinic(rng: Rng, size: Size) -> Image.Image:
    """A quiet corridor of doors, ending in a bright window."""
    image = gradient(size, ((214, 226, 228), (226, 234, 234), (160, 172, 176)))
    brush = Brush(image)
    brush.poly([(0, 1), (1, 1), (0.58, 0.58), (0.42, 0.58)], (134, 150, 156))
    brush.poly([(0, 0), (1, 0), (0.58, 0.36), (0.42, 0.36)], (240, 244, 244))
    brush.box(0.42, 0.36, 0.58, 0.58, (252, 252, 244))
    for k in (0.05, 0.19, 0.29, 0.36):
        for side in (-1, 1):
            _door(brush, k, side)
    for k in (0.4, 0.62, 0.8):
        brush.poly(
            [
                (0.5 - k * 0.2, 0.36 - k * 0.4),
                (0.5 + k * 0.2, 0.36 - k * 0.4),
                (0.5 + k * 0.16, 0.38 - k * 0.34),
                (0.5 - k * 0.16, 0.38 - k * 0.34),
            ],
            (255, 255, 250),
        )
    return glow(image, (0.5, 0.47), 0.10, (120, 120, 110), 1.0)


def _door(brush: Brush, k: float, side: int) -> None:
    far = k + 0.26 * (0.42 - k)
    x0, x1 = (k, far) if side < 0 else (1 - k, 1 - far)
    near_y, far_y = 0.58 + (0.42 - k), 0.58 + (0.42 - far)
    brush.poly(
        [
            (x0, near_y),
            (x0, 0.46 - (0.42 - k) * 0.62),
            (x1, 0.46 - (0.42 - far) * 0.62),
            (x1, far_y),
        ],
        (120, 162, 166),
    )


def retina(rng: Rng, size: Size) -> Image.Image:
    """The back of an eye on the optician's screen."""
    image = flat(size, (8, 8, 10))
    edge = min(size)
    eye = photo("retina.jpg").resize((edge, edge), Image.Resampling.LANCZOS)
    image.paste(eye, ((size[0] - edge) // 2, (size[1] - edge) // 2))
    brush = Brush(image)
    brush.text(0.02, 0.05, "L  FUNDUS", 0.024, (210, 220, 210))
    brush.text(0.02, 0.95, "IOP 15 mmHg", 0.024, (210, 220, 210))
    return image


CATS: tuple[tuple[int, int, int, int], ...] = (
    (0, 0, 451, 300),
    (60, 40, 380, 280),
    (0, 0, 260, 195),
    (170, 60, 451, 271),
    (100, 0, 400, 225),
)


def cat(
    rng: Rng, size: Size, *, crop: int = 0, flip: int = 0, warmth: float = 0.0, light: float = 1.0
) -> Image.Image:
    """The cat (photograph), nearer or farther."""
    image = photo("chelsea.png").crop(CATS[crop]).resize(size, Image.Resampling.BICUBIC)
    image = ImageOps.mirror(image) if flip else image
    return grade(image, warmth=warmth, light=light)


def film(rng: Rng, size: Size, *, crop: int = 0) -> Image.Image:
    """A man behind a camera on a tripod (photograph), toned like a print."""
    box = ((0, 0, 512, 384), (60, 40, 444, 328), (90, 20, 346, 212))[crop]
    grey = photo("camera.png").convert("L").crop(box).resize(size, Image.Resampling.BICUBIC)
    return tint(
        grey,
        ((28, 22, 20), (16, 22, 32), (24, 24, 24))[crop],
        ((244, 228, 200), (222, 232, 238), (240, 240, 236))[crop],
    )


HEADS: tuple[tuple[int, int, int, int], ...] = (
    (0, 0, 512, 384),
    (90, 0, 390, 225),
    (120, 0, 360, 320),
    (0, 0, 400, 500),
    (60, 0, 380, 240),
)


def head(crop: int, *, hue: int = 0) -> Image.Image:
    """The woman in the portrait (NASA), cropped."""
    return turn_hue(photo("astronaut.png").crop(HEADS[crop]), hue)


def portrait(
    rng: Rng,
    size: Size,
    *,
    crop: int = 0,
    flip: int = 0,
    hue: int = 0,
    warmth: float = 0.0,
    light: float = 1.0,
) -> Image.Image:
    """The portrait itself, filling the picture."""
    image = ImageOps.fit(head(crop, hue=hue), size, Image.Resampling.BICUBIC, centering=(0.5, 0.1))
    image = ImageOps.mirror(image) if flip else image
    return grade(image, warmth=warmth, light=light)


def print_on(
    rng: Rng,
    size: Size,
    *,
    crop: int = 1,
    on: str = "wood",
    tilt: float = 0.03,
    count: int = 1,
    hue: int = 0,
) -> Image.Image:
    """Paper prints of the portrait lying on a table or hung on a brick wall."""
    image = (
        table(rng, size, 3)
        if on == "wood"
        else tint(tiled("brick.png", size, repeat=2.5), (88, 48, 38), (206, 150, 120))
    )
    for k in range(count):
        page = flat((900, 820), (250, 248, 242))
        page.paste(
            ImageOps.fit(head((crop + k) % 5, hue=hue), (820, 640), centering=(0.5, 0.1)), (40, 40)
        )
        left, wide = 0.08 + k * 0.84 / count, 0.78 / count
        high = wide * size[0] / size[1] * 0.9
        top = 0.5 - high / 2
        sway = tilt if k % 2 else -tilt
        image = warp(
            page,
            image,
            [
                (left, top + sway),
                (left + wide, top - sway),
                (left + wide + sway / 2, top + high - sway),
                (left + sway / 2, top + high + sway),
            ],
        )
    return image


def call(rng: Rng, size: Size, *, crop: int = 1, kind: int = 0) -> Image.Image:
    """A video call on a laptop."""
    screen = grade(ImageOps.fit(head(crop), (800, 500), centering=(0.5, 0.1)), light=0.95)
    brush = Brush(screen)
    brush.box(0.74, 0.68, 0.97, 0.95, (52, 62, 74), 0.01)
    brush.disc(0.855, 0.79, 0.03, (120, 132, 146))
    brush.oval(0.855, 0.93, 0.06, 0.045, (120, 132, 146))
    brush.disc(0.5, 0.93, 0.022, (226, 60, 60))
    return desk(rng, size, screen=screen, kind=kind)


def distant(rng: Rng, size: Size, *, mood: str = "day") -> Image.Image:
    """A small figure from the waist up, far off by the sea."""
    image = sea(rng, size, mood=mood, sun=0.25)
    tall = round(size[1] * 0.42)
    figure = (
        photo("astronaut.png")
        .crop((30, 0, 420, 512))
        .resize((round(tall * 390 / 512), tall), Image.Resampling.LANCZOS)
    )
    mask = Image.new("L", (390, 512), 0)
    body = Brush(Image.new("RGB", (390, 512)))
    body.oval(0.44, 0.19, 0.19, 0.23, (255, 255, 255))
    body.poly(
        [(0.36, 0.36), (0.60, 0.34), (0.97, 0.62), (0.97, 1), (0.0, 1), (0.06, 0.52)],
        (255, 255, 255),
    )
    mask = body.image.convert("L").filter(ImageFilter.GaussianBlur(4)).resize(figure.size)
    at = (round(size[0] * 0.52), size[1] - tall)
    image.paste(figure, at, mask)
    return image
