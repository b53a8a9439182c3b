"""Streets, temples, stalls, windows of trains and planes, stages."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PIL import Image, ImageFilter

from sample_archive.canvas import (
    Brush,
    Point,
    Rgb,
    Rng,
    Size,
    flat,
    floor,
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
)
from sample_archive.nature import SKIES, forest, hills, path, sea, sky

FACADES: tuple[Rgb, ...] = (
    (240, 208, 120),
    (232, 158, 140),
    (150, 190, 208),
    (242, 236, 222),
    (204, 120, 92),
    (172, 200, 160),
)


def facades(rng: Rng, size: Size, *, mood: str = "day", tram: int = 0) -> Image.Image:
    """A steep street of painted houses under tiled roofs, with or without a tram."""
    image = sky(rng, size, mood, clouds=0.4)
    brush = Brush(image)
    x = -0.03
    while x < 1.0:
        wide = float(rng.uniform(0.14, 0.22))
        house(
            rng,
            brush,
            (x, x + wide),
            float(rng.uniform(0.18, 0.34)),
            FACADES[int(rng.integers(len(FACADES)))],
        )
        x += wide
    street = tint(
        floor("brick.png", (size[0], round(size[1] * 0.2)), grain=40), (70, 66, 66), (190, 180, 168)
    )
    image.paste(street, (0, size[1] - street.height))
    if tram:
        _tram(Brush(image), float(rng.uniform(0.2, 0.45)))
    return grade(image, light=0.55 if mood == "night" else 1.0)


def house(rng: Rng, brush: Brush, span: Point, top: float, wall: Rgb) -> None:
    """One house: wall, roof, rows of windows with shutters, a door."""
    left, right = span
    brush.box(left, top, right, 0.84, jitter(rng, wall, 8))
    brush.poly(
        [
            (left - 0.01, top),
            (right + 0.01, top),
            (right - 0.02, top - 0.06),
            (left + 0.02, top - 0.06),
        ],
        (178, 88, 62),
    )
    for y in np.arange(top + 0.06, 0.68, 0.15):
        for x in np.linspace(left + 0.025, right - 0.055, 3):
            _window(rng, brush, (float(x), float(y)), wall)
    brush.box(left + 0.06, 0.70, left + 0.105, 0.84, jitter(rng, (60, 92, 88), 30))


def _window(rng: Rng, brush: Brush, at: Point, wall: Rgb) -> None:
    x, y = at
    brush.box(x - 0.004, y - 0.006, x + 0.034, y + 0.086, (250, 248, 240))
    brush.box(x, y, x + 0.030, y + 0.08, jitter(rng, (72, 92, 112), 20))
    brush.line([(x + 0.015, y), (x + 0.015, y + 0.08)], (240, 240, 236), 0.002)
    if rng.random() < 0.4:
        brush.box(x - 0.008, y + 0.076, x + 0.038, y + 0.092, mix(wall, (40, 30, 30), 0.6))


def _tram(brush: Brush, x: float) -> None:
    brush.box(x, 0.56, x + 0.34, 0.86, (246, 196, 40), 0.012)
    brush.box(x, 0.74, x + 0.34, 0.82, (250, 246, 236))
    for k in range(5):
        brush.box(x + 0.02 + 0.063 * k, 0.60, x + 0.068 + 0.063 * k, 0.72, (58, 76, 92), 0.004)
    for axle in (0.08, 0.26):
        brush.disc(x + axle, 0.87, 0.018, (30, 30, 34))
    brush.line([(x + 0.17, 0.56), (x + 0.20, 0.40)], (40, 40, 40), 0.003)


def skyline(rng: Rng, size: Size, *, mood: str = "night") -> Image.Image:
    """Blocks of flats and offices, windows lit at night."""
    image = sky(rng, size, mood)
    brush = Brush(image)
    for layer in range(3):
        for x in np.arange(-0.02, 1.0, 0.075 + 0.02 * layer):
            tall = float(rng.uniform(0.15, 0.42)) - 0.06 * layer
            _block(
                rng,
                brush,
                (float(x), 0.88 + 0.08 * layer - tall - 0.2),
                mix(SKIES[mood][-1], (20, 20, 34), 0.45 + 0.22 * layer),
                mood,
            )
    return glow(image, (0.5, 0.8), 0.3, (70, 50, 40), 0.6) if mood == "night" else image


def _block(rng: Rng, brush: Brush, at: Point, colour: Rgb, mood: str) -> None:
    x, top = at
    wide = float(rng.uniform(0.05, 0.1))
    brush.box(x, top, x + wide, 1.0, jitter(rng, colour, 6))
    lit: Rgb = (255, 218, 130) if mood in ("night", "dusk") else mix(colour, (255, 255, 255), 0.35)
    for wy in np.arange(top + 0.02, 0.98, 0.03):
        for wx in np.arange(x + 0.006, x + wide - 0.008, 0.014):
            if rng.random() < 0.5:
                brush.box(
                    float(wx), float(wy), float(wx) + 0.007, float(wy) + 0.014, jitter(rng, lit, 25)
                )


def pagoda(rng: Rng, size: Size, *, mood: str = "dusk", tiers: int = 5) -> Image.Image:
    """A tiered tower against hills."""
    image = hills(rng, size, mood=mood, near=(40, 40, 52), rough=0.04)
    brush, dark = Brush(image), (30, 26, 34)
    x, y, wide = 0.36 + 0.28 * float(rng.random()), 0.92, 0.13
    for _ in range(tiers):
        brush.box(x - wide * 0.62, y - 0.12, x + wide * 0.62, y, mix(dark, (120, 60, 40), 0.35))
        roof = [
            (x - wide * 1.25, y - 0.095),
            (x - wide * 0.7, y - 0.13),
            (x, y - 0.165),
            (x + wide * 0.7, y - 0.13),
            (x + wide * 1.25, y - 0.095),
            (x, y - 0.115),
        ]
        brush.poly(roof, dark)
        y, wide = y - 0.13, wide * 0.88
    brush.line([(x, y - 0.02), (x, y - 0.14)], dark, 0.006)
    return image


def gates(rng: Rng, size: Size, *, paint: Rgb = (214, 72, 40)) -> Image.Image:
    """A path under gate after red gate."""
    image = forest(rng, size, stalk=(70, 100, 60), light=(190, 210, 150)).filter(
        ImageFilter.GaussianBlur(size[0] / 200)
    )
    ground = tint(
        floor("gravel.png", (size[0], round(size[1] * 0.34)), grain=50),
        (80, 72, 66),
        (200, 192, 180),
    )
    image.paste(ground, (0, size[1] - ground.height))
    brush = Brush(image)
    for depth in np.geomspace(0.12, 1.15, 9):
        _gate(
            brush,
            0.5,
            float(depth),
            mix(mix(paint, (60, 40, 40), 0.4), paint, min(1.0, float(depth))),
        )
    return image


def _gate(brush: Brush, x: float, s: float, paint: Rgb) -> None:
    foot, top, post = 0.66 + 0.34 * s, 0.62 - 0.50 * s, 0.035 * s
    for side in (-1, 1):
        px = x + side * 0.34 * s
        brush.box(
            px - post, top, px + post, foot, mix(paint, (255, 200, 160), 0.12 if side < 0 else 0.0)
        )
        brush.box(px - post * 1.15, foot - 0.06 * s, px + post * 1.15, foot, (36, 30, 30))
    brush.box(x - 0.46 * s, top - 0.03 * s, x + 0.46 * s, top + 0.03 * s, paint)
    brush.box(x - 0.48 * s, top - 0.06 * s, x + 0.48 * s, top - 0.025 * s, (40, 32, 32))
    brush.box(x - 0.40 * s, top + 0.10 * s, x + 0.40 * s, top + 0.145 * s, paint)


def ruins(rng: Rng, size: Size, *, mood: str = "day") -> Image.Image:
    """White columns on a hill."""
    image = hills(rng, size, mood=mood, near=(170, 150, 110), rough=0.03)
    brush, stone = Brush(image), (236, 224, 200)
    brush.box(0.14, 0.80, 0.86, 0.86, mix(stone, (120, 100, 80), 0.3))
    for x in np.linspace(0.18, 0.82, 8):
        _column(brush, float(x), stone)
    brush.box(0.15, 0.36, 0.70, 0.42, stone)
    brush.poly([(0.15, 0.36), (0.70, 0.36), (0.425, 0.24)], mix(stone, (150, 130, 100), 0.25))
    return image


def _column(brush: Brush, x: float, stone: Rgb) -> None:
    top = 0.42 if x < 0.70 else 0.56
    brush.box(x - 0.022, top, x + 0.022, 0.80, stone)
    for k in range(4):
        brush.line(
            [(x - 0.016 + 0.011 * k, top), (x - 0.016 + 0.011 * k, 0.80)],
            mix(stone, (130, 110, 80), 0.45),
            0.003,
        )


def stall(rng: Rng, size: Size, *, goods: str = "fruit") -> Image.Image:
    """A market stall: crates of produce or rows of bowls under an awning."""
    image = glow(flat(size, (66, 58, 54)), (0.5, 0.4), 0.4, (120, 100, 80), 0.6)
    brush = Brush(image)
    colours = {
        "fruit": (
            (228, 60, 48),
            (250, 170, 40),
            (110, 170, 60),
            (250, 220, 80),
            (130, 60, 120),
            (236, 120, 90),
        ),
        "pots": (
            (90, 120, 150),
            (190, 170, 140),
            (110, 90, 74),
            (224, 222, 212),
            (70, 96, 84),
            (160, 80, 60),
        ),
        "greens": (
            (80, 140, 60),
            (120, 180, 80),
            (230, 240, 220),
            (200, 60, 90),
            (150, 190, 90),
            (60, 110, 60),
        ),
    }[goods]
    for row in range(3):
        for column in range(4):
            _crate(
                rng,
                brush,
                (0.02 + 0.245 * column, 0.30 + 0.235 * row),
                colours[int(rng.integers(len(colours)))],
                goods,
            )
    stripes: tuple[Rgb, Rgb] = ((250, 244, 232), jitter(rng, (196, 66, 58), 50))
    for k in range(14):
        x = k / 14
        brush.poly(
            [(x, 0), (x + 1 / 14, 0), (x + 1 / 14, 0.2), (x + 1 / 28, 0.24), (x, 0.2)],
            stripes[k % 2],
        )
    return image


def _crate(rng: Rng, brush: Brush, at: Point, colour: Rgb, goods: str) -> None:
    x, y = at
    brush.box(x, y, x + 0.235, y + 0.225, (120, 84, 52), 0.006)
    brush.box(x + 0.008, y + 0.012, x + 0.227, y + 0.205, (52, 38, 30))
    for gy in np.arange(y + 0.05, y + 0.2, 0.056):
        for gx in np.arange(x + 0.034, x + 0.22, 0.042):
            _piece(rng, brush, (float(gx), float(gy)), jitter(rng, colour, 16), goods)


def _piece(rng: Rng, brush: Brush, at: Point, colour: Rgb, goods: str) -> None:
    x, y = at[0] + float(rng.normal(0, 0.003)), at[1] + float(rng.normal(0, 0.004))
    brush.disc(x, y, 0.0225, mix(colour, (0, 0, 0), 0.35))
    brush.disc(x - 0.001, y - 0.003, 0.0205, colour)
    inner = mix(colour, (0, 0, 0), 0.4) if goods == "pots" else mix(colour, (255, 255, 255), 0.45)
    brush.disc(
        x - (0.0 if goods == "pots" else 0.006),
        y - 0.006,
        0.013 if goods == "pots" else 0.006,
        inner,
    )


def train_window(rng: Rng, size: Size, *, view: str = "hills", mood: str = "day") -> Image.Image:
    """A landscape through the window of a train."""
    views: dict[str, Callable[..., Image.Image]] = {"hills": hills, "sea": sea, "path": path}
    outside = views[view](rng, size, mood=mood)
    outside = outside.filter(ImageFilter.BoxBlur(size[0] / 260))
    frame = gradient(size, ((186, 184, 178), (150, 148, 144), (96, 96, 98)))
    hole = Image.new("RGB", size)
    Brush(hole).box(0.08, 0.10, 0.92, 0.74, (255, 255, 255), 0.05)
    image = over(frame, outside, hole.convert("L"))
    Brush(image).box(0.0, 0.80, 1.0, 0.835, (206, 200, 190), 0.004)
    return image


def plane_window(rng: Rng, size: Size, *, mood: str = "dawn") -> Image.Image:
    """Clouds and a wing through an aeroplane's window."""
    outside = gradient(size, SKIES[mood])
    cloud = fractal(rng, size, start=5, octaves=6).point(
        [max(0, min(255, (v - 110) * 3)) for v in range(256)]
    )
    below = Image.new("L", size, 0)
    below.paste(cloud.crop((0, size[1] // 2, size[0], size[1])), (0, size[1] // 2))
    outside = over(outside, flat(size, (250, 244, 240)), below)
    Brush(outside).poly(
        [(0.0, 0.74), (0.72, 0.52), (0.76, 0.48), (0.775, 0.54), (0.30, 0.92), (0.0, 1.0)],
        (176, 182, 192),
    )
    wall = gradient(size, ((226, 224, 220), (206, 204, 202), (170, 168, 170)))
    hole = Image.new("RGB", size)
    Brush(hole).box(0.26, 0.08, 0.74, 0.92, (255, 255, 255), 0.16)
    rim = wall.copy()
    Brush(rim).box(0.23, 0.04, 0.77, 0.96, (240, 238, 236), 0.18)
    return over(rim, outside, hole.convert("L").filter(ImageFilter.GaussianBlur(size[0] / 400)))


def stage(rng: Rng, size: Size, *, hue: Rgb = (200, 60, 160)) -> Image.Image:
    """A concert: beams of light over a crowd."""
    image = flat(size, (10, 8, 18))
    for k in range(6):
        image = glow(image, (0.1 + 0.16 * k, 0.12), 0.07, jitter(rng, hue, 70), 1.1)
    beams = flat(size, (0, 0, 0))
    for k in range(6):
        x, foot = 0.1 + 0.16 * k, float(rng.uniform(0, 1))
        Brush(beams).poly(
            [(x, 0.1), (x + 0.01, 0.1), (foot + 0.10, 0.9), (foot - 0.02, 0.9)],
            jitter(rng, mix(hue, (0, 0, 0), 0.4), 40),
        )
    beams = beams.filter(ImageFilter.GaussianBlur(size[0] / 120))
    image = over(beams, image, Image.new("L", size, 120))
    image = glow(image, (0.5, 0.55), 0.16, (255, 210, 190), 0.7)
    return crowd(rng, image)


def crowd(rng: Rng, image: Image.Image) -> Image.Image:
    """Heads and raised arms in the dark."""
    brush = Brush(image)
    for row, y in enumerate((0.80, 0.88, 0.97)):
        for x in np.arange(-0.02, 1.05, 0.055):
            px, py = float(x) + float(rng.normal(0, 0.012)), y + float(rng.normal(0, 0.012))
            colour = (26 - 9 * row, 18 - 6 * row, 32 - 10 * row)
            brush.oval(px, py, 0.022, 0.028, colour)
            brush.box(px - 0.035, py + 0.035, px + 0.035, 1.0, colour, 0.01)
            if rng.random() < 0.18:
                brush.line([(px + 0.03, py + 0.06), (px + 0.035, py - 0.10)], colour, 0.014)
    return image


def launch(rng: Rng, size: Size, *, crop: int = 0) -> Image.Image:
    """A rocket on its pad at night (SpaceX)."""
    source = photo("rocket.jpg")
    box = ((0, 0, 640, 427), (150, 80, 500, 342), (40, 150, 410, 427))[crop]
    return source.crop(box).resize(size, Image.Resampling.BICUBIC)


def exhibit(rng: Rng, size: Size) -> Image.Image:
    """Old coins in a lit museum case."""
    coins = tint(photo("coins.png").convert("L"), (30, 22, 18), (236, 206, 150)).resize(
        size, Image.Resampling.BICUBIC
    )
    return glow(coins, (0.5, 0.1), 0.3, (80, 70, 50), 0.8)


def horse(rng: Rng, size: Size) -> Image.Image:
    """A bronze horse against the evening."""
    image = sky(rng, size, "dusk", clouds=0.8)
    tall = round(size[1] * 0.72)
    shape = (
        photo("horse.png")
        .convert("L")
        .resize((round(tall * 400 / 328), tall), Image.Resampling.BICUBIC)
    )
    mask = Image.new("L", size, 0)
    mask.paste(
        shape.point([255 - v for v in range(256)]), (round(size[0] * 0.22), round(size[1] * 0.14))
    )
    image = over(image, flat(size, (34, 30, 36)), mask)
    Brush(image).box(0.18, 0.83, 0.86, 1.0, (52, 46, 48))
    return image


def wall(
    rng: Rng,
    size: Size,
    *,
    dark: Rgb = (70, 76, 88),
    light: Rgb = (176, 180, 186),
    angle: float = 12.0,
) -> Image.Image:
    """A climbing wall: panels, bolt holes and coloured holds."""
    image = tint(fractal(rng, size, start=3, octaves=4), dark, light)
    brush = Brush(image)
    for x in np.arange(0.0, 1.0, 0.2):
        brush.line(
            [(float(x), 0.0), (float(x) + angle / 100, 1.0)], mix(dark, (0, 0, 0), 0.4), 0.003
        )
    for _ in range(240):
        brush.disc(float(rng.uniform()), float(rng.uniform()), 0.002, mix(dark, (0, 0, 0), 0.6))
    for _ in range(34):
        _hold(rng, brush, (float(rng.uniform(0.03, 0.97)), float(rng.uniform(0.03, 0.84))))
    mat = tint(
        tiled("gravel.png", (size[0], round(size[1] * 0.12)), repeat=9), (30, 50, 90), (60, 90, 140)
    )
    image.paste(mat, (0, size[1] - mat.height))
    return shadow(image, (0.5, 0.88), (0.6, 0.05), 0.5)


def _hold(rng: Rng, brush: Brush, at: Point) -> None:
    colours: tuple[Rgb, ...] = (
        (236, 70, 60),
        (250, 200, 50),
        (60, 170, 90),
        (70, 120, 220),
        (240, 130, 190),
        (245, 245, 240),
    )
    colour, aspect = colours[int(rng.integers(len(colours)))], brush.width / brush.height
    r = float(rng.uniform(0.012, 0.036))
    outline = [(r * float(rng.uniform(0.6, 1.1)), float(a)) for a in np.arange(0, 6.28, 0.7)]
    for drop, scale, shade in (
        (0.012, 1.05, (16, 16, 20)),
        (0.0, 1.0, colour),
        (-0.006, 0.55, mix(colour, (255, 255, 255), 0.3)),
    ):
        brush.poly(
            [
                (
                    at[0] + scale * k * float(np.cos(a)),
                    at[1] + drop + scale * k * aspect * float(np.sin(a)),
                )
                for k, a in outline
            ],
            shade,
        )
