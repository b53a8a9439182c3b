"""Food, drink and things made of clay, mostly on tables."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageChops, ImageFilter

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
    wood,
)

BROTHS: dict[str, Rgb] = {
    "tonkotsu": (226, 198, 156),
    "shoyu": (128, 70, 34),
    "miso": (190, 130, 66),
    "greens": (96, 142, 62),
    "pumpkin": (232, 146, 48),
    "rice": (246, 242, 230),
    "chickpea": (214, 166, 92),
}
WOODS: tuple[tuple[Rgb, Rgb], ...] = (
    ((92, 58, 34), (176, 122, 76)),
    ((52, 40, 36), (104, 84, 72)),
    ((150, 124, 94), (222, 198, 164)),
    ((84, 88, 92), (156, 160, 162)),
)


def table(rng: Rng, size: Size, kind: int = 0) -> Image.Image:
    """A wooden table, light from one side."""
    return glow(wood(rng, size, *WOODS[kind]), (0.15, 0.1), 0.3, (90, 80, 60), 0.6)


def bowl(
    rng: Rng,
    size: Size,
    *,
    broth: str = "shoyu",
    rim: Rgb = (40, 56, 92),
    kind: int = 0,
    meat: int = 0,
    egg: int = 1,
    leaves: int = 18,
) -> Image.Image:
    """A bowl from above: broth, noodles or rice, and what lies on it."""
    x, y, r = 0.46 + 0.08 * float(rng.random()), 0.50 + 0.05 * float(rng.random()), 0.29
    image = shadow(table(rng, size, kind), (x + 0.02, y + 0.05), (r * 1.05, r * 1.05), 0.75)
    brush, soup = Brush(image), BROTHS[broth]
    for scale, colour in (
        (1.0, rim),
        (0.96, mix(rim, (255, 255, 255), 0.35)),
        (0.92, rim),
        (0.86, mix(soup, (0, 0, 0), 0.25)),
        (0.84, soup),
    ):
        brush.disc(x, y, r * scale, colour)
    _threads(rng, brush, (x, y, r), mix(soup, (255, 240, 200), 0.55))
    for k in range(meat):
        _slice(rng, brush, (x - 0.10 + 0.09 * k, y - 0.07), (150, 84, 66))
    _scatter(rng, brush, (x, y, r * 0.72), leaves)
    for k in range(egg):
        _egg(brush, (x + 0.10 - 0.2 * k, y + 0.08))
    _sticks(brush, rng)
    return image


def _threads(rng: Rng, brush: Brush, circle: tuple[float, float, float], colour: Rgb) -> None:
    x, y, r = circle
    for _ in range(60):
        a, reach = float(rng.uniform(0, 360)), float(rng.uniform(0.15, 0.78)) * r
        turn = (a, a + float(rng.uniform(40, 150)))
        brush.arc(x, y, reach, turn, jitter(rng, colour, 12), 0.004)


def _slice(rng: Rng, brush: Brush, at: Point, colour: Rgb) -> None:
    for scale, shade in (
        (1.0, mix(colour, (60, 20, 10), 0.5)),
        (0.88, colour),
        (0.5, mix(colour, (255, 220, 200), 0.5)),
        (0.3, colour),
    ):
        brush.oval(at[0], at[1], 0.07 * scale, 0.055 * scale, jitter(rng, shade, 6))


def _egg(brush: Brush, at: Point) -> None:
    for rx, ry, colour in (
        (0.052, 0.044, (236, 224, 204)),
        (0.046, 0.039, (252, 248, 240)),
        (0.028, 0.026, (240, 150, 40)),
        (0.018, 0.016, (250, 184, 70)),
    ):
        brush.oval(at[0], at[1], rx, ry, colour)


def _scatter(rng: Rng, brush: Brush, circle: tuple[float, float, float], count: int) -> None:
    x, y, r = circle
    aspect = brush.width / brush.height
    for _ in range(count):
        a, reach = float(rng.uniform(0, 6.28)), r * float(rng.random()) ** 0.5
        spot = (x + reach * float(np.cos(a)), y + reach * aspect * float(np.sin(a)))
        brush.disc(*spot, 0.011, jitter(rng, (90, 150, 60), 20))
        brush.disc(*spot, 0.006, (206, 226, 160))


def _sticks(brush: Brush, rng: Rng) -> None:
    y = float(rng.uniform(0.90, 0.95))
    for gap in (0.0, 0.022):
        brush.line([(0.55, y + gap), (0.98, y - 0.08 + gap)], (70, 30, 26), 0.008)


def plate(rng: Rng, size: Size, *, dish: str = "fish", kind: int = 2) -> Image.Image:
    """A white plate from above with one dish on it."""
    x, y, r = 0.5, 0.52, 0.31
    image = shadow(table(rng, size, kind), (x + 0.01, y + 0.05), (r * 1.03, r * 1.03), 0.7)
    brush = Brush(image)
    for scale, colour in (
        (1.0, (226, 224, 220)),
        (0.985, (250, 249, 246)),
        (0.74, (232, 230, 226)),
        (0.72, (246, 245, 242)),
    ):
        brush.disc(x, y, r * scale, colour)
    DISHES[dish](rng, brush)
    brush.box(0.09, 0.25, 0.105, 0.80, (176, 178, 184), 0.006)
    brush.box(0.895, 0.25, 0.915, 0.80, (176, 178, 184), 0.006)
    return image


def _fish(rng: Rng, brush: Brush) -> None:
    for k in range(3):
        y = 0.42 + 0.10 * k
        brush.oval(0.48, y, 0.15, 0.030, (96, 104, 112))
        brush.oval(0.48, y - 0.01, 0.14, 0.018, (170, 176, 180))
        brush.poly([(0.61, y), (0.68, y - 0.045), (0.68, y + 0.045)], (90, 98, 106))
        brush.disc(0.36, y - 0.005, 0.005, (20, 20, 24))
        for x in np.linspace(0.42, 0.58, 5):
            brush.line([(float(x), y - 0.03), (float(x) + 0.02, y + 0.03)], (50, 40, 36), 0.005)
    _scatter(rng, brush, (0.5, 0.74, 0.09), 14)


def _steak(rng: Rng, brush: Brush) -> None:
    _slab(rng, brush, (0.45, 0.48), (104, 54, 38))
    for k in range(5):
        brush.line([(0.36 + 0.05 * k, 0.40), (0.33 + 0.05 * k, 0.58)], (48, 24, 20), 0.008)
    for _ in range(26):
        x, y = float(rng.normal(0.60, 0.035)), float(rng.normal(0.58, 0.05))
        brush.line([(x, y), (x + 0.05, y - 0.02)], jitter(rng, (240, 196, 90), 16), 0.012)


def _slab(rng: Rng, brush: Brush, at: Point, colour: Rgb) -> None:
    points = [
        (
            at[0] + float(rng.uniform(0.12, 0.16)) * float(np.cos(a)),
            at[1] + float(rng.uniform(0.13, 0.16)) * float(np.sin(a)),
        )
        for a in np.arange(0, 6.28, 0.3)
    ]
    brush.poly([(px, py + 0.012) for px, py in points], mix(colour, (0, 0, 0), 0.4))
    brush.poly(points, colour)


def _sandwich(rng: Rng, brush: Brush) -> None:
    brush.disc(0.5, 0.52, 0.21, (196, 92, 34))
    brush.box(0.39, 0.36, 0.61, 0.68, (226, 170, 70), 0.02)
    brush.box(0.40, 0.37, 0.60, 0.66, (246, 206, 104), 0.02)
    brush.disc(0.5, 0.51, 0.055, (252, 250, 244))
    brush.disc(0.5, 0.51, 0.026, (246, 160, 40))
    for _ in range(60):
        a = float(rng.uniform(0, 6.28))
        brush.disc(
            0.5 + 0.19 * float(np.cos(a)),
            0.52 + 0.25 * float(np.sin(a)),
            0.012,
            jitter(rng, (210, 110, 44), 18),
        )


def _vegetables(rng: Rng, brush: Brush) -> None:
    colours: tuple[Rgb, ...] = (
        (230, 120, 40),
        (110, 160, 70),
        (150, 70, 120),
        (240, 210, 90),
        (214, 80, 70),
    )
    for k in range(90):
        a, reach = float(rng.uniform(0, 6.28)), 0.19 * float(rng.random()) ** 0.5
        spot = (0.5 + reach * float(np.cos(a)), 0.52 + reach * 1.3 * float(np.sin(a)))
        colour = jitter(rng, colours[k % 5], 16)
        brush.disc(*spot, 0.026, mix(colour, (0, 0, 0), 0.3))
        brush.disc(spot[0] - 0.002, spot[1] - 0.004, 0.022, colour)


def _tofu(rng: Rng, brush: Brush) -> None:
    brush.disc(0.5, 0.52, 0.20, (150, 104, 62))
    brush.disc(0.5, 0.52, 0.19, (176, 130, 80))
    for x in (0.38, 0.5, 0.62):
        brush.box(x - 0.05, 0.44, x + 0.05, 0.60, (222, 196, 150), 0.008)
        brush.box(x - 0.05, 0.44, x + 0.05, 0.565, (250, 244, 226), 0.008)
        brush.oval(x, 0.45, 0.03, 0.012, (120, 70, 40))
    _scatter(rng, brush, (0.5, 0.50, 0.13), 20)


def _tarts(rng: Rng, brush: Brush) -> None:
    for x, y in ((0.40, 0.42), (0.60, 0.44), (0.41, 0.62), (0.60, 0.63)):
        brush.disc(x, y, 0.075, (214, 160, 84))
        brush.disc(x, y, 0.062, (248, 206, 96))
        for _ in range(7):
            spot = (x + float(rng.normal(0, 0.022)), y + float(rng.normal(0, 0.028)))
            brush.disc(*spot, float(rng.uniform(0.006, 0.016)), jitter(rng, (92, 48, 26), 12))


DISHES = {
    "fish": _fish,
    "steak": _steak,
    "sandwich": _sandwich,
    "vegetables": _vegetables,
    "tofu": _tofu,
    "tarts": _tarts,
}


EVENINGS: tuple[tuple[Rgb, ...], ...] = (
    ((46, 32, 40), (70, 46, 44), (96, 62, 44)),
    ((190, 186, 178), (206, 200, 190), (110, 96, 84)),
)


def cake(
    rng: Rng, size: Size, *, candles: int = 6, icing: Rgb = (250, 240, 236), mood: int = 0
) -> Image.Image:
    """A birthday cake in a dim room, its candles lit."""
    image = glow(
        gradient(size, EVENINGS[mood]),
        (0.5, 0.35),
        0.22,
        (255, 190, 100),
        0.55,
    )
    brush = Brush(image)
    brush.oval(0.5, 0.82, 0.36, 0.08, (220, 220, 226))
    brush.box(0.22, 0.52, 0.78, 0.80, (196, 130, 84), 0.02)
    brush.box(0.22, 0.50, 0.78, 0.62, icing, 0.03)
    for x in np.linspace(0.25, 0.75, 11):
        brush.oval(float(x), 0.62, 0.025, 0.03, icing)
        brush.disc(float(x), 0.51, 0.016, jitter(rng, (210, 50, 70), 20))
    for x in np.linspace(0.30, 0.70, candles):
        brush.box(float(x) - 0.006, 0.36, float(x) + 0.006, 0.50, jitter(rng, (120, 170, 210), 50))
        brush.oval(float(x), 0.335, 0.008, 0.017, (255, 214, 110))
    for x in np.linspace(0.30, 0.70, candles):
        image = glow(image, (float(x), 0.33), 0.022, (255, 200, 110), 0.9)
    return image


CUPS: tuple[tuple[int, int, int, int], ...] = (
    (0, 0, 600, 400),
    (120, 0, 480, 270),
    (90, 40, 500, 348),
    (240, 60, 600, 330),
    (40, 100, 400, 370),
)


def cup(
    rng: Rng,
    size: Size,
    *,
    crop: int = 0,
    hue: int = 0,
    flip: int = 0,
    warmth: float = 0.0,
    light: float = 1.0,
) -> Image.Image:
    """A cup on a wooden table (photograph), cropped, and its colours turned."""
    image = photo("coffee.png").crop(CUPS[crop]).resize(size, Image.Resampling.BICUBIC)
    image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if flip else image
    return grade(turn_hue(image, hue), warmth=warmth, light=light)


def turn_hue(image: Image.Image, steps: int) -> Image.Image:
    """All hues moved round the circle of 256."""
    if not steps:
        return image
    hue, saturation, value = image.convert("HSV").split()
    moved = hue.point([(v + steps) % 256 for v in range(256)])
    calm = saturation.point([v * 3 // 5 for v in range(256)])
    turned = Image.merge("HSV", (moved, calm, value)).convert("RGB")
    return over(image, turned, _reds(hue, saturation))


def _reds(hue: Image.Image, saturation: Image.Image) -> Image.Image:
    """Where a picture is plainly red: the cup and its saucer, not the wood."""
    red = hue.point([255 if v <= 11 or v >= 246 else 0 for v in range(256)])
    strong = saturation.point([255 if v > 120 else 0 for v in range(256)])
    mask = ImageChops.multiply(red, strong)
    return mask.filter(ImageFilter.MedianFilter(5)).filter(ImageFilter.GaussianBlur(2))


def pots(rng: Rng, size: Size, *, rows: int = 2, glaze: Rgb = (90, 120, 150)) -> Image.Image:
    """Shelves of thrown pots against a plaster wall."""
    image = glow(
        tint(fractal(rng, size, start=4, octaves=5), (196, 184, 168), (228, 218, 204)),
        (0.2, 0.2),
        0.4,
        (60, 56, 40),
        0.6,
    )
    for row in range(rows):
        y = (row + 0.92) / rows
        brush = Brush(image)
        brush.box(0.0, y, 1.0, y + 0.03, (122, 88, 58))
        for x in np.linspace(0.12, 0.88, 4):
            pot(
                rng,
                image,
                (float(x), y),
                0.62 / rows * float(rng.uniform(0.55, 1.0)),
                jitter(rng, glaze, 50),
            )
    return image


def pot(rng: Rng, image: Image.Image, foot: Point, tall: float, glaze: Rgb) -> None:
    """One pot: a turned profile, lit from the left."""
    x, y = foot
    aspect, brush = image.height / image.width, Brush(image)
    belly, neck, lift = (
        float(rng.uniform(*span)) for span in ((0.28, 0.5), (0.12, 0.3), (0.25, 0.55))
    )
    for t in np.linspace(0, 1, round(tall * image.height / 2)):
        swell = belly * float(np.exp(-(((float(t) - lift) / 0.32) ** 2))) + neck * (
            0.6 + 0.4 * float(t)
        )
        _ring(brush, (x, y - tall * float(t)), swell * tall * aspect, glaze, float(t))
    brush.oval(
        x,
        y - tall,
        neck * tall * aspect * 0.9,
        neck * tall * aspect * 0.22,
        mix(glaze, (0, 0, 0), 0.7),
    )


def _ring(brush: Brush, at: Point, half: float, glaze: Rgb, t: float) -> None:
    shade = glaze if t > 0.35 else (168, 128, 98)
    for k in range(12):
        left = -1 + k / 6
        light = 0.9 - 0.55 * (left + 0.45) ** 2
        colour = mix(
            (20, 16, 14),
            mix(shade, (255, 255, 255), 0.25 if k == 4 else 0.05),
            max(0.15, min(1.0, light)),
        )
        brush.line(
            [(at[0] + half * left, at[1]), (at[0] + half * (left + 1 / 6 + 0.02), at[1])],
            colour,
            0.0022,
        )


def wheel(rng: Rng, size: Size, *, clay: Rgb = (176, 132, 100)) -> Image.Image:
    """Wet clay turning on a potter's wheel, seen from above."""
    image = tint(tiled("gravel.png", size, repeat=3), (70, 60, 54), (120, 108, 98)).filter(
        ImageFilter.GaussianBlur(size[0] / 300)
    )
    image = shadow(image, (0.5, 0.54), (0.38, 0.38), 0.7)
    brush = Brush(image)
    brush.disc(0.5, 0.5, 0.36, (112, 108, 106))
    for r in np.arange(0.35, 0.03, -0.006):
        wave = 0.5 + 0.5 * float(np.sin(float(r) * 160))
        colour = (
            mix(clay, (60, 40, 30), 0.25 + 0.35 * wave)
            if r < 0.23
            else mix((130, 126, 122), (90, 88, 86), wave)
        )
        brush.disc(0.5, 0.5, float(r), jitter(rng, colour, 5))
    brush.disc(0.5, 0.5, 0.10, mix(clay, (20, 12, 10), 0.7))
    return glow(image, (0.3, 0.25), 0.2, (80, 76, 70), 0.6)


def tiles(rng: Rng, size: Size, *, ink: Rgb = (40, 84, 160)) -> Image.Image:
    """A wall of painted tiles, each the same rosette."""
    edge = size[0] // 5
    tile = flat((edge, edge), (240, 242, 244))
    brush = Brush(tile)
    for r, colour in (
        (0.48, ink),
        (0.42, (240, 242, 244)),
        (0.30, mix(ink, (255, 255, 255), 0.5)),
        (0.2, (236, 190, 60)),
        (0.1, ink),
    ):
        brush.disc(0.5, 0.5, r, colour)
    for x, y in ((0, 0), (1, 0), (0, 1), (1, 1)):
        brush.disc(x, y, 0.22, mix(ink, (255, 255, 255), 0.15))
        brush.disc(x, y, 0.12, (240, 242, 244))
    brush.box(0, 0, 1, 0.015, (190, 192, 196))
    brush.box(0, 0, 0.015, 1, (190, 192, 196))
    image = flat(size, (200, 200, 200))
    for top in range(0, size[1], edge):
        for left in range(0, size[0], edge):
            image.paste(grade(tile, light=float(rng.uniform(0.88, 1.04))), (left, top))
    return ImageChops.multiply(image, tint(fractal(rng, size), (190, 186, 180), (255, 255, 255)))
