"""One table of every kind of picture, and the function that makes one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from zlib import crc32

import numpy as np
from PIL import Image, ImageOps

from sample_archive import drawn, indoors, nature, table, town
from sample_archive.canvas import Rng, Size, finish, grade

SCENES: Mapping[str, Callable[..., Image.Image]] = {
    scene.__name__: scene
    for scene in (
        nature.hills,
        nature.snow,
        nature.sea,
        nature.path,
        nature.river,
        nature.forest,
        nature.branch,
        nature.stars,
        nature.fireworks,
        town.facades,
        town.skyline,
        town.pagoda,
        town.gates,
        town.ruins,
        town.stall,
        town.train_window,
        town.plane_window,
        town.stage,
        town.launch,
        town.exhibit,
        town.horse,
        town.wall,
        table.bowl,
        table.plate,
        table.cake,
        table.cup,
        table.pots,
        table.wheel,
        table.tiles,
        indoors.room,
        indoors.garment,
        indoors.books,
        indoors.clinic,
        indoors.retina,
        indoors.cat,
        indoors.film,
        indoors.portrait,
        indoors.print_on,
        indoors.call,
        indoors.distant,
        drawn.paper,
        drawn.sign,
        drawn.ticket,
        drawn.whiteboard,
        drawn.phone,
        drawn.laptop,
        drawn.bib,
    )
}
_CLEAN = frozenset({"phone"})
_FRAMED = frozenset(
    {
        "paper",
        "sign",
        "ticket",
        "whiteboard",
        "laptop",
        "bib",
        "portrait",
        "print_on",
        "call",
        "distant",
        "phone",
        "retina",
    }
)


def render(scene: str, size: Size, options: Mapping[str, object], seed: str) -> Image.Image:
    """The picture of a scene at a size; the same seed gives the same pixels."""
    rng = np.random.default_rng(crc32(seed.encode()))
    scale = 1 if max(size) > 2000 or scene in _CLEAN else 1.25
    canvas = (round(size[0] * scale), round(size[1] * scale))
    image = SCENES[scene](rng, canvas, **options)
    image = image if scene in _FRAMED else _reframe(rng, image)
    image = ImageOps.fit(image, size, Image.Resampling.BILINEAR)
    return image if scene in _CLEAN else finish(rng, image)


def _reframe(rng: Rng, image: Image.Image) -> Image.Image:
    """Another hand, another frame: a little closer, off centre, perhaps from the other side."""
    share = 1 / float(rng.uniform(1.0, 1.3))
    width, height = round(image.width * share), round(image.height * share)
    left = round((image.width - width) * float(rng.random()))
    top = round((image.height - height) * float(rng.random()))
    view = image.crop((left, top, left + width, top + height))
    return ImageOps.mirror(view) if rng.random() < 0.5 else view


def edited(image: Image.Image) -> Image.Image:
    """What a person does to a picture they like: a tighter crop, warmer, stronger."""
    width, height = image.size
    box = (width // 20, height // 20, width - width // 20, height - height // 20)
    return grade(
        image.crop(box).resize(image.size, Image.Resampling.LANCZOS), warmth=0.35, colour=1.2
    )
