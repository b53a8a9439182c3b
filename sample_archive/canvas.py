"""What every scene is painted with: noise, gradients, textures and a brush."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageFont

Rgb: TypeAlias = tuple[int, int, int]
Size: TypeAlias = tuple[int, int]
Point: TypeAlias = tuple[float, float]
Array: TypeAlias = npt.NDArray[np.float32]
Rng: TypeAlias = np.random.Generator
Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont


@lru_cache(maxsize=16)
def photo(name: str) -> Image.Image:
    """One of scikit-image's bundled pictures, as RGB."""
    with as_file(files("skimage") / "data" / name) as path, Image.open(path) as image:
        return image.convert("RGB")


@lru_cache(maxsize=64)
def font(pixels: int) -> Font:
    """The typeface that ships inside Pillow, so that no installed font is needed."""
    return ImageFont.load_default(max(6, pixels))


def mix(a: Rgb, b: Rgb, t: float) -> Rgb:
    """The colour a fraction t of the way from a to b."""
    red, green, blue = (round(x + (y - x) * t) for x, y in zip(a, b, strict=True))
    return red, green, blue


def jitter(rng: Rng, colour: Rgb, amount: int = 14) -> Rgb:
    """The colour, a little different."""
    shift = rng.integers(-amount, amount + 1, 3)
    red, green, blue = (int(np.clip(c + s, 0, 255)) for c, s in zip(colour, shift, strict=True))
    return red, green, blue


def _octave(rng: Rng, size: Size, cells: int) -> Array:
    wide = max(2, round(cells * size[0] / size[1]))
    grid = Image.fromarray((rng.random((cells, wide)) * 255).astype(np.uint8))
    smooth = np.asarray(grid.resize(size, Image.Resampling.BICUBIC), dtype=np.float32)
    return smooth / np.float32(255)


def fractal(rng: Rng, size: Size, *, start: int = 3, octaves: int = 5) -> Image.Image:
    """Cloud-like noise as a grey picture that uses the whole range."""
    small = (max(8, size[0] // 4), max(8, size[1] // 4))
    total = np.zeros((small[1], small[0]), dtype=np.float32)
    for step in range(octaves):
        total += _octave(rng, small, start * 2**step) / 2**step
    total -= total.min()
    total *= 255 / max(float(total.max()), 1e-6)
    return Image.fromarray(total.astype(np.uint8)).resize(size, Image.Resampling.BILINEAR)


def gradient(size: Size, stops: Sequence[Rgb]) -> Image.Image:
    """A vertical run of colours, top to bottom."""
    strip = Image.new("RGB", (1, len(stops)))
    strip.putdata(list(stops))
    return strip.resize((1, size[1]), Image.Resampling.BICUBIC).resize(
        size, Image.Resampling.NEAREST
    )


def flat(size: Size, colour: Rgb) -> Image.Image:
    """One colour everywhere."""
    return Image.new("RGB", size, colour)


def tint(grey: Image.Image, dark: Rgb, light: Rgb) -> Image.Image:
    """A grey picture between two colours."""
    ramp = np.linspace(0, 1, 256)[:, None]
    table = np.array(dark) + ramp * (np.array(light) - np.array(dark))
    return Image.merge("RGB", [grey.point(list(np.round(table[:, c]))) for c in range(3)])


def tiled(name: str, size: Size, *, repeat: float = 2.0) -> Image.Image:
    """A bundled texture, mirrored so that no seam shows, repeated across the width."""
    tile = photo(name).convert("L")
    edge = max(16, round(size[0] / repeat))
    tile = tile.resize((edge, edge), Image.Resampling.LANCZOS)
    sheet = Image.new("L", size)
    for row, top in enumerate(range(0, size[1], edge)):
        for column, left in enumerate(range(0, size[0], edge)):
            turned = tile.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if column % 2 else tile
            turned = turned.transpose(Image.Transpose.FLIP_TOP_BOTTOM) if row % 2 else turned
            sheet.paste(turned, (left, top))
    return sheet


def floor(name: str, size: Size, *, grain: float = 90.0) -> Image.Image:
    """A texture laid flat and seen in perspective, the horizon at the top edge."""
    tile = np.asarray(photo(name).convert("L"), dtype=np.float32)
    width, height = size
    depth = 1.0 / ((np.arange(height, dtype=np.float32) + 4) / height)[:, None]
    across = (np.arange(width, dtype=np.float32) - width / 2)[None, :] / width
    u = (across * depth * grain * 8).astype(np.int64) % tile.shape[1]
    v = (depth * grain * 10).astype(np.int64) % tile.shape[0]
    haze = np.clip(1 - 0.10 * depth, 0.15, 1)
    ground = tile.mean() + (tile[v, u] - tile.mean()) * haze
    return Image.fromarray(ground.astype(np.uint8)).filter(ImageFilter.GaussianBlur(1.2))


def wood(
    rng: Rng, size: Size, dark: Rgb = (92, 58, 34), light: Rgb = (176, 122, 76)
) -> Image.Image:
    """A table top: long grain and a few boards."""
    narrow = (max(8, size[0] // 24), size[1])
    grain = fractal(rng, narrow, start=24, octaves=4).resize(size, Image.Resampling.BICUBIC)
    board = tint(grain, dark, light)
    draw = ImageDraw.Draw(board)
    for index in range(1, 4):
        y = round(size[1] * index / 4 + float(rng.uniform(-20, 20)))
        draw.line(
            [(0, y), (size[0], y)], fill=mix(dark, (0, 0, 0), 0.35), width=max(2, size[1] // 300)
        )
    return board


def glow(
    image: Image.Image, at: Point, radius: float, colour: Rgb, strength: float = 1.0
) -> Image.Image:
    """Light added around a point; at and radius are fractions of the width and height."""
    width, height = image.size
    small = (max(8, width // 8), max(8, height // 8))
    x = (np.arange(small[0]) / small[0] - at[0])[None, :]
    y = (np.arange(small[1]) / small[1] - at[1])[:, None] * height / width
    fall = np.exp(-(x**2 + y**2) / (2 * radius**2)) * strength
    light = np.clip(fall[..., None] * np.array(colour), 0, 255).astype(np.uint8)
    return ImageChops.screen(
        image, Image.fromarray(light).resize(image.size, Image.Resampling.BILINEAR)
    )


def over(base: Image.Image, top: Image.Image, mask: Image.Image) -> Image.Image:
    """The top picture laid over the base where the mask is white."""
    return Image.composite(top, base, mask)


class Brush:
    """Draws in fractions of the picture: x and radii of its width, y of its height."""

    def __init__(self, image: Image.Image) -> None:
        """A brush for one picture, which it changes."""
        self.image = image
        self.width, self.height = image.size
        self._draw = ImageDraw.Draw(image)

    def at(self, points: Sequence[Point]) -> list[Point]:
        """The points in pixels."""
        return [(x * self.width, y * self.height) for x, y in points]

    def box(
        self, x0: float, y0: float, x1: float, y1: float, fill: Rgb, radius: float = 0.0
    ) -> None:
        """A filled rectangle, its corners rounded by a fraction of the width."""
        (left, top), (right, bottom) = self.at([(x0, y0), (x1, y1)])
        corners = [left, top, max(left, right), max(top, bottom)]
        self._draw.rounded_rectangle(corners, radius=radius * self.width, fill=fill)

    def oval(self, x: float, y: float, rx: float, ry: float, fill: Rgb) -> None:
        """A filled ellipse; both radii are fractions of the width."""
        cx, cy, a, b = x * self.width, y * self.height, rx * self.width, ry * self.width
        self._draw.ellipse([cx - a, cy - b, cx + a, cy + b], fill=fill)

    def disc(self, x: float, y: float, r: float, fill: Rgb) -> None:
        """A filled circle."""
        self.oval(x, y, r, r, fill)

    def poly(self, points: Sequence[Point], fill: Rgb) -> None:
        """A filled polygon."""
        self._draw.polygon(self.at(points), fill=fill)

    def line(self, points: Sequence[Point], fill: Rgb, width: float = 0.004) -> None:
        """A run of lines, their width a fraction of the picture's."""
        self._draw.line(
            self.at(points), fill=fill, width=max(1, round(width * self.width)), joint="curve"
        )

    def arc(
        self, x: float, y: float, r: float, turn: tuple[float, float], fill: Rgb, width: float
    ) -> None:
        """A part of a circle, from one angle to another in degrees."""
        cx, cy, a = x * self.width, y * self.height, r * self.width
        edge = max(1, round(width * self.width))
        self._draw.arc([cx - a, cy - a, cx + a, cy + a], *turn, fill=fill, width=edge)

    def text(
        self, x: float, y: float, words: str, size: float, fill: Rgb, anchor: str = "lm"
    ) -> None:
        """Words at a point, their height a fraction of the picture's width."""
        place = (x * self.width, y * self.height)
        self._draw.text(place, words, fill=fill, font=font(round(size * self.width)), anchor=anchor)


def shadow(image: Image.Image, at: Point, radii: Point, strength: float = 0.5) -> Image.Image:
    """A soft dark patch under an object."""
    small = (max(8, image.width // 4), max(8, image.height // 4))
    mask = Image.new("L", small, 0)
    draw = ImageDraw.Draw(mask)
    cx, cy, a, b = at[0] * small[0], at[1] * small[1], radii[0] * small[0], radii[1] * small[0]
    draw.ellipse([cx - a, cy - b, cx + a, cy + b], fill=round(255 * strength))
    mask = mask.filter(ImageFilter.GaussianBlur(small[0] / 45)).resize(image.size)
    return over(image, flat(image.size, (12, 10, 14)), mask)


def _vignette(image: Image.Image, strength: float) -> Image.Image:
    width, height = image.size
    small = (max(8, width // 8), max(8, height // 8))
    x = np.linspace(-1, 1, small[0])[None, :]
    y = np.linspace(-1, 1, small[1])[:, None]
    fall = 255 * np.clip(1 - strength * (x**2 + y**2) / 2, 0, 1)
    mask = Image.fromarray(fall.astype(np.uint8)).resize(image.size, Image.Resampling.BILINEAR)
    return ImageChops.multiply(image, Image.merge("RGB", (mask, mask, mask)))


def _grain(rng: Rng, image: Image.Image, amount: float) -> Image.Image:
    tile = rng.normal(0, amount, (256, 256)).astype(np.float32)
    reps = (image.height // 256 + 1, image.width // 256 + 1)
    noise = np.tile(tile, reps)[: image.height, : image.width, None]
    pixels = np.asarray(image, dtype=np.float32) + noise
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def grade(
    image: Image.Image, *, warmth: float = 0.0, light: float = 1.0, colour: float = 1.0
) -> Image.Image:
    """White balance (-1 cold to 1 warm), brightness and saturation."""
    red, green, blue = image.split()
    red = red.point([min(255, round(v * (1 + 0.16 * warmth))) for v in range(256)])
    blue = blue.point([min(255, round(v * (1 - 0.20 * warmth))) for v in range(256)])
    balanced = Image.merge("RGB", (red, green, blue))
    return ImageEnhance.Color(ImageEnhance.Brightness(balanced).enhance(light)).enhance(colour)


def finish(
    rng: Rng, image: Image.Image, *, vignette: float = 0.25, grain: float = 2.5
) -> Image.Image:
    """What a lens and a sensor add: darker corners and grain."""
    return _grain(rng, _vignette(image, vignette), grain)


def warp(page: Image.Image, behind: Image.Image, corners: Sequence[Point]) -> Image.Image:
    """A flat page put on a background, its four corners (clockwise from top left) at fractions."""
    target = [(x * behind.width, y * behind.height) for x, y in corners]
    source = [(0, 0), (page.width, 0), (page.width, page.height), (0, page.height)]
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(target, source, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.solve(np.array(rows), np.array(source, dtype=np.float64).reshape(8))
    method, how = Image.Transform.PERSPECTIVE, Image.Resampling.BICUBIC
    data = [float(value) for value in solved]
    laid = page.transform(behind.size, method, data, resample=how)
    mask = Image.new("L", page.size, 255).transform(behind.size, method, data)
    dark = Image.new("L", behind.size).point([0] * 256)
    dark.paste(
        mask.point([v * 120 // 255 for v in range(256)]), (behind.width // 120, behind.width // 90)
    )
    soft = dark.filter(ImageFilter.GaussianBlur(behind.width / 120))
    return over(over(behind, flat(behind.size, (0, 0, 0)), soft), laid, mask)
