"""Outdoor scenes: sea, hills, paths, trees, weather and night skies."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageFilter

from sample_archive.canvas import (
    Brush,
    Point,
    Rgb,
    Rng,
    Size,
    floor,
    fractal,
    glow,
    gradient,
    jitter,
    mix,
    over,
    photo,
    tint,
)

SKIES: dict[str, tuple[Rgb, ...]] = {
    "dawn": ((96, 120, 178), (196, 170, 190), (250, 204, 160)),
    "day": ((58, 124, 200), (120, 178, 228), (206, 228, 242)),
    "dusk": ((46, 44, 96), (160, 84, 116), (250, 156, 92)),
    "night": ((8, 10, 28), (18, 22, 52), (44, 44, 84)),
    "grey": ((140, 148, 158), (176, 182, 188), (208, 210, 212)),
    "winter": ((150, 176, 208), (196, 212, 228), (236, 238, 244)),
}


def sky(rng: Rng, size: Size, mood: str, *, clouds: float = 0.6) -> Image.Image:
    """A sky of one mood with a share of cloud."""
    base = gradient(size, SKIES[mood])
    top = mix(SKIES[mood][-1], (255, 255, 255), 0.45 if mood != "night" else 0.05)
    noise = fractal(rng, size, start=2, octaves=6)
    mask = noise.point([max(0, min(255, round((v - 128) * 2.2 * clouds))) for v in range(256)])
    return over(base, Image.new("RGB", size, top), mask)


def ridge(rng: Rng, level: float, rough: float, steps: int = 160) -> list[Point]:
    """The outline of a hill across the picture, as points."""
    x = np.linspace(0, 1, steps)
    y = np.full(steps, level)
    for octave in range(1, 7):
        phase, shift = rng.uniform(0, 6.28), rng.uniform(-1, 1)
        y += rough / octave * np.sin(x * 3.1 * 1.7**octave + phase) * (0.6 + 0.4 * shift)
    return [(float(a), float(b)) for a, b in zip(x, y, strict=True)]


def _fill_below(brush: Brush, outline: list[Point], colour: Rgb) -> None:
    brush.poly([(0.0, 1.0), *outline, (1.0, 1.0)], colour)


def hills(
    rng: Rng, size: Size, *, mood: str = "day", near: Rgb = (40, 76, 52), rough: float = 0.05
) -> Image.Image:
    """Ridge behind ridge, paler with distance."""
    image = glow(
        sky(rng, size, mood), (float(rng.uniform(0.2, 0.8)), 0.4), 0.12, (255, 220, 170), 0.7
    )
    brush, far = Brush(image), mix(SKIES[mood][-1], near, 0.2)
    for index in range(5):
        share = index / 4
        outline = ridge(rng, 0.46 + 0.13 * index, rough * (1.3 - 0.5 * share))
        _fill_below(brush, outline, mix(far, near, share))
    return image


def snow(rng: Rng, size: Size, *, mood: str = "winter") -> Image.Image:
    """White hills, dark firs and falling flakes."""
    image = hills(rng, size, mood=mood, near=(232, 238, 246), rough=0.06)
    brush = Brush(image)
    for _ in range(26):
        x, y = float(rng.uniform(0, 1)), float(rng.uniform(0.62, 0.98))
        fir(brush, x, y, 0.05 + 0.10 * (y - 0.5), jitter(rng, (40, 62, 60)))
    for _ in range(260):
        brush.disc(
            float(rng.uniform()),
            float(rng.uniform()),
            float(rng.uniform(0.0008, 0.003)),
            (250, 250, 255),
        )
    return image


def fir(brush: Brush, x: float, y: float, tall: float, colour: Rgb) -> None:
    """A fir tree with its foot at a point."""
    for step in range(4):
        wide, top = tall * (0.42 - 0.08 * step), y - tall * (0.3 + 0.26 * step)
        brush.poly(
            [(x - wide, top + tall * 0.3), (x + wide, top + tall * 0.3), (x, top - tall * 0.25)],
            colour,
        )


def sea(rng: Rng, size: Size, *, mood: str = "day", sun: float = 0.5, boat: int = 0) -> Image.Image:
    """Sky over water that carries the sun's track."""
    image = sky(rng, size, mood)
    line = 0.52 + float(rng.uniform(-0.06, 0.06))
    light = mix(SKIES[mood][-1], (255, 244, 220), 0.5)
    image = glow(image, (sun, line - 0.09), 0.10, light, 0.9)
    water = _water(rng, (size[0], size[1] - round(size[1] * line)), mood, sun)
    image.paste(water, (0, round(size[1] * line)))
    if boat:
        sail(Brush(image), 0.25 + 0.4 * float(rng.uniform()), line + 0.02, 0.06)
    return image


def _water(rng: Rng, size: Size, mood: str, sun: float) -> Image.Image:
    dark, pale = mix(SKIES[mood][0], (6, 40, 70), 0.5), mix(SKIES[mood][-1], (60, 120, 150), 0.25)
    noise = fractal(rng, (max(8, size[0] // 10), size[1]), start=26, octaves=4).resize(size)
    water = tint(noise, dark, pale)
    brush = Brush(water)
    for _ in range(420):
        y = float(rng.uniform(0, 1)) ** 1.6
        x = sun + float(rng.normal(0, 0.02 + 0.10 * y))
        reach = 0.004 + 0.03 * y
        brush.line(
            [(x - reach, y), (x + reach, y)], mix(pale, (255, 250, 230), 0.8), 0.0012 + 0.003 * y
        )
    return water


def sail(brush: Brush, x: float, y: float, tall: float) -> None:
    """A small sailing boat."""
    brush.poly([(x, y - tall * 2.2), (x, y), (x + tall, y)], (244, 244, 238))
    brush.poly([(x - 0.01, y - tall * 1.7), (x - 0.01, y), (x - tall * 0.7, y)], (226, 120, 86))
    brush.poly(
        [
            (x - tall, y),
            (x + tall * 1.2, y),
            (x + tall * 0.8, y + 0.03),
            (x - tall * 0.7, y + 0.03),
        ],
        (70, 50, 44),
    )


def lawn(size: Size, dark: Rgb, light: Rgb) -> Image.Image:
    """Grass seen along the ground."""
    return tint(floor("grass.png", size), dark, light)


def tree(rng: Rng, brush: Brush, foot: Point, tall: float, leaves: Rgb) -> None:
    """A leafy tree: a trunk and many overlapping tufts."""
    x, y = foot
    brush.poly(
        [
            (x - tall * 0.05, y),
            (x + tall * 0.05, y),
            (x + tall * 0.02, y - tall * 0.8),
            (x - tall * 0.02, y - tall * 0.8),
        ],
        (74, 54, 42),
    )
    for _ in range(90):
        dx, dy = float(rng.normal(0, 0.22)), float(rng.normal(0, 0.22))
        shade = 0.5 - dy - 0.4 * dx
        colour = mix(
            mix(leaves, (16, 22, 20), 0.5),
            mix(leaves, (255, 255, 220), 0.3),
            float(np.clip(shade, 0, 1)),
        )
        brush.disc(
            x + dx * tall,
            y - tall * (0.98 - dy),
            tall * float(rng.uniform(0.05, 0.12)),
            jitter(rng, colour, 8),
        )


def path(
    rng: Rng, size: Size, *, mood: str = "dawn", leaves: Rgb = (70, 120, 60), trees: int = 9
) -> Image.Image:
    """A gravel path through grass, trees on both sides."""
    line = 0.5
    image = glow(sky(rng, size, mood), (0.5, line), 0.18, SKIES[mood][-1], 0.5)
    rest = (size[0], size[1] - round(size[1] * line))
    image.paste(
        lawn(rest, mix(leaves, (10, 30, 10), 0.55), mix(leaves, (230, 230, 150), 0.4)),
        (0, size[1] - rest[1]),
    )
    track = tint(floor("gravel.png", rest, grain=60), (96, 84, 72), (214, 200, 182))
    mask = Image.new("L", rest, 0)
    bend = float(rng.uniform(-0.15, 0.15))
    Brush(shape := Image.new("RGB", rest)).poly(
        [(0.5 + bend, 0), (0.515 + bend, 0), (0.86, 1), (0.2, 1)], (255, 255, 255)
    )
    mask = shape.convert("L").filter(ImageFilter.GaussianBlur(size[0] / 300))
    image.paste(track, (0, size[1] - rest[1]), mask)
    brush = Brush(image)
    for step in np.sort(rng.uniform(0.05, 1.0, trees)):
        side = -1 if rng.random() < 0.5 else 1
        x = 0.5 + bend * (1 - step) + side * (0.08 + 0.36 * float(step))
        tree(
            rng,
            brush,
            (x, line + 0.02 + 0.2 * float(step)),
            0.07 + 0.25 * float(step),
            jitter(rng, leaves, 20),
        )
    return image


def river(rng: Rng, size: Size, *, mood: str = "dawn", leaves: Rgb = (88, 132, 70)) -> Image.Image:
    """A shallow city river between grassy banks, a bridge across and hills behind."""
    image = hills(rng, size, mood=mood, near=mix(leaves, (40, 70, 70), 0.5), rough=0.035)
    top = round(size[1] * 0.60)
    image.paste(
        lawn(
            (size[0], size[1] - top),
            mix(leaves, (10, 30, 10), 0.5),
            mix(leaves, (240, 240, 170), 0.35),
        ),
        (0, top),
    )
    water = _water(rng, (size[0], size[1] - top), mood, 0.55)
    Brush(shape := Image.new("RGB", water.size)).poly(
        [(0.46, 0), (0.60, 0), (0.98, 1), (0.16, 1)], (255, 255, 255)
    )
    image.paste(water, (0, top), shape.convert("L").filter(ImageFilter.GaussianBlur(size[0] / 250)))
    brush, stone = Brush(image), (150, 142, 134)
    brush.box(0.0, 0.575, 1.0, 0.605, stone)
    for x in np.linspace(0.06, 0.94, 9):
        brush.box(float(x) - 0.012, 0.60, float(x) + 0.012, 0.66, mix(stone, (30, 30, 40), 0.3))
    return image


def forest(
    rng: Rng, size: Size, *, stalk: Rgb = (112, 150, 72), light: Rgb = (214, 232, 150)
) -> Image.Image:
    """A grove of tall straight stems, light between them."""
    image = glow(
        gradient(size, (light, mix(light, stalk, 0.5), mix(stalk, (20, 30, 16), 0.6))),
        (0.5, 0.45),
        0.2,
        light,
        0.7,
    )
    brush = Brush(image)
    for step in np.sort(rng.uniform(0, 1, 70)):
        x, wide = float(rng.uniform(-0.02, 1.02)), 0.004 + 0.022 * float(step)
        colour = mix(mix(light, stalk, 0.6), mix(stalk, (14, 26, 14), 0.55), float(step) ** 1.5)
        _stem(rng, brush, x, wide, jitter(rng, colour, 8))
    return image


def _stem(rng: Rng, brush: Brush, x: float, wide: float, colour: Rgb) -> None:
    lean = float(rng.uniform(-0.02, 0.02))
    brush.poly([(x, 0), (x + wide, 0), (x + wide + lean, 1), (x + lean, 1)], colour)
    brush.poly(
        [(x, 0), (x + wide * 0.3, 0), (x + wide * 0.3 + lean, 1), (x + lean, 1)],
        mix(colour, (255, 255, 230), 0.25),
    )
    for y in np.arange(float(rng.uniform(0, 0.12)), 1, 0.05 + wide * 4):
        brush.line(
            [(x + lean * y, y), (x + wide + lean * y, y)], mix(colour, (20, 30, 14), 0.5), 0.0018
        )


def branch(rng: Rng, size: Size, *, petal: Rgb = (246, 190, 206), mood: str = "day") -> Image.Image:
    """Blossom or autumn leaves on a branch, the rest out of focus."""
    image = sky(rng, size, mood, clouds=0.3)
    brush = Brush(image)
    for _ in range(150):
        at = (float(rng.uniform()), float(rng.uniform()))
        brush.disc(
            *at, float(rng.uniform(0.015, 0.05)), mix(jitter(rng, petal), SKIES[mood][1], 0.45)
        )
    image = image.filter(ImageFilter.GaussianBlur(size[0] / 90))
    brush = Brush(image)
    for _ in range(3):
        _twig(rng, brush, (-0.02, float(rng.uniform(0.1, 0.7))), petal)
    return image


def _twig(rng: Rng, brush: Brush, start: Point, petal: Rgb) -> None:
    x, y = start
    points = [start]
    while x < 1.02:
        x, y = x + 0.06, y + float(rng.normal(0.012, 0.03))
        points.append((x, y))
    brush.line(points, (70, 48, 44), 0.010)
    for px, py in points:
        for _ in range(5):
            flower(
                rng,
                brush,
                (px + float(rng.normal(0, 0.03)), py + float(rng.normal(0, 0.05))),
                petal,
            )


def flower(rng: Rng, brush: Brush, at: Point, petal: Rgb) -> None:
    """Five petals and a darker heart."""
    turn, r = float(rng.uniform(0, 6.28)), float(rng.uniform(0.010, 0.018))
    for k in range(5):
        angle = turn + k * 1.2566
        aspect = brush.width / brush.height
        spot = (at[0] + r * float(np.cos(angle)), at[1] + r * aspect * float(np.sin(angle)))
        brush.disc(*spot, r * 0.75, jitter(rng, mix(petal, (255, 255, 255), 0.35), 10))
    brush.disc(*at, r * 0.4, mix(petal, (150, 30, 60), 0.5))


def stars(rng: Rng, size: Size, *, crop: int = 0) -> Image.Image:
    """A clear night over dark hills; the stars are Hubble's."""
    deep = photo("hubble_deep_field.jpg")
    left = 90 * crop
    image = deep.crop((left, 60, left + 620, 60 + 465)).resize(size, Image.Resampling.BICUBIC)
    image = glow(image, (0.5, 0.95), 0.25, (90, 60, 110), 0.8)
    brush = Brush(image)
    _fill_below(brush, ridge(rng, 0.80, 0.05), (20, 18, 34))
    _fill_below(brush, ridge(rng, 0.90, 0.03), (8, 8, 16))
    return image


def fireworks(rng: Rng, size: Size) -> Image.Image:
    """Bursts over dark water and a crowd's heads."""
    image = sea(rng, size, mood="night")
    brush = Brush(image)
    for colour in ((255, 200, 90), (255, 96, 110), (120, 200, 255), (190, 255, 150)):
        _burst(rng, brush, (float(rng.uniform(0.15, 0.85)), float(rng.uniform(0.1, 0.36))), colour)
    image = glow(image, (0.5, 0.25), 0.25, (120, 90, 80), 0.5)
    brush = Brush(image)
    for x in np.arange(0, 1.02, 0.045):
        brush.oval(
            float(x) + float(rng.normal(0, 0.01)),
            0.98 + float(rng.normal(0, 0.02)),
            0.026,
            0.034,
            (6, 6, 12),
        )
    return image


def _burst(rng: Rng, brush: Brush, at: Point, colour: Rgb) -> None:
    aspect = brush.width / brush.height
    for ring in (0.05, 0.09, 0.13):
        for angle in np.arange(0, 6.28, 0.16):
            reach = ring * float(rng.uniform(0.8, 1.1))
            dx, dy = reach * float(np.cos(angle)), reach * aspect * float(np.sin(angle))
            brush.line(
                [(at[0] + dx * 0.7, at[1] + dy * 0.7), (at[0] + dx, at[1] + dy)],
                jitter(rng, colour, 30),
                0.0018,
            )
