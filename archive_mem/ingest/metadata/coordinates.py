"""Coordinates as files spell them, and which of them can be right. Pure.

EXIF 2.32 section 4.6.6 (GPS), XMP part 2 (GPSCoordinate), ISO 6709 (QuickTime).
"""

import math
import re
from collections.abc import Sequence

__all__ = ["altitude_of", "decimal", "parse_iso6709", "parse_xmp_coordinate", "usable"]

_DEEPEST, _HIGHEST = -11_000.0, 100_000.0
_SIGNED = 2**31
_ISO = re.compile(r"([+-]\d+(?:\.\d+)?)")
_XMP = re.compile(r"(?P<numbers>[\d.,\s:/]+?)\s*(?P<reference>[NSEW])?", re.IGNORECASE)


def usable(latitude: float, longitude: float) -> str | None:
    """Why a pair of degrees is no place; None when it is one."""
    if not (math.isfinite(latitude) and math.isfinite(longitude)):
        return "not a number"
    if abs(latitude) > 90 or abs(longitude) > 180:
        return "out of range"
    if abs(latitude) < 1e-6 and abs(longitude) < 1e-6:
        return "0,0 stands for no location"
    return None


def decimal(parts: Sequence[float], reference: str) -> float | None:
    """Degrees of degrees, minutes and seconds; negative for S and W.

    None when a part is missing, not finite, negative under an opposite sign or out of range. A sign
    and a reference say the same thing: south is applied once.
    """
    if not parts or not all(math.isfinite(part) for part in parts):
        return None
    degrees, minutes, seconds = (*parts, 0.0, 0.0)[:3]
    if abs(minutes) >= 60.001 or abs(seconds) >= 60.001 or abs(degrees) > 180:
        return None
    size = abs(degrees) + abs(minutes) / 60 + abs(seconds) / 3600
    turned = reference.strip().upper()[:1] in ("S", "W")
    return -size if turned or degrees < 0 else size


def altitude_of(metres: float, below_sea: bool) -> float | None:
    """Metres above sea level, None when impossible. 4294967275 is -21 written as unsigned."""
    if metres >= _SIGNED:
        metres -= 2**32
    value = -abs(metres) if below_sea else metres
    return value if math.isfinite(value) and _DEEPEST <= value <= _HIGHEST else None


def parse_iso6709(text: str) -> tuple[float, float, float | None] | None:
    """Latitude, longitude and altitude of "+32.09+034.86+028/" in degrees, DDMM.m or DDMMSS.s."""
    parts = _ISO.findall(text.split("CRS")[0])
    if len(parts) < 2:
        return None
    latitude, longitude = _iso_degrees(parts[0], 2), _iso_degrees(parts[1], 3)
    if latitude is None or longitude is None:
        return None
    return latitude, longitude, altitude_of(float(parts[2]), False) if len(parts) > 2 else None


def _iso_degrees(text: str, degree_digits: int) -> float | None:
    sign, digits = text[0], text[1:]
    whole = len(digits.split(".")[0])
    extra = max(0, whole - degree_digits)
    if extra not in (0, 2, 4):
        return None
    cut = degree_digits if extra else whole
    parts = [digits[:cut], *_pairs(digits[cut:], extra)] if extra else [digits]
    return decimal([float(part) for part in parts], "S" if sign == "-" else "N")


def _pairs(digits: str, extra: int) -> list[str]:
    return [digits] if extra == 2 else [digits[:2], digits[2:]]


def parse_xmp_coordinate(text: str, reference: str = "") -> float | None:
    """Degrees of "53,7.4W", "53,7,24N", "-38.0253" with a reference given apart or not at all."""
    sign = text.strip()[:1]
    found = _XMP.fullmatch(text.strip().lstrip("+-"))
    if found is None:
        return None
    try:
        parts = [float(part) for part in re.split(r"[,\s:]+", found["numbers"].strip(" ,"))]
    except ValueError:
        return None
    toward = "S" if sign == "-" else found["reference"] or reference
    return decimal(parts, toward)
