"""What a camera writes beside the pixels: EXIF, and the sidecars of a Takeout."""

from __future__ import annotations

import json
from fractions import Fraction

from PIL import Image, TiffImagePlugin

from sample_archive.plan import Item

_EXIF_IFD, _GPS_IFD = 0x8769, 0x8825


def exif_bytes(item: Item) -> bytes:
    """The EXIF block of an item; empty when it carries none."""
    if not item.stamps:
        return b""
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = device(item)
    exif[0x0112] = item.orientation
    exif.get_ifd(_EXIF_IFD).update(_times(item))
    if "gps" in item.stamps:
        exif.get_ifd(_GPS_IFD).update(_gps(item))
    return exif.tobytes()


def device(item: Item) -> tuple[str, str]:
    """Maker and model of the (invented) device that took the item."""
    if item.path.startswith("Camera/"):
        return "Halden", "H-40"
    return ("Orchard", "Phone 14") if item.path.startswith("iPhone/") else ("Lumen", "L7")


def _times(item: Item) -> dict[int, str]:
    stamp = item.at.strftime("%Y:%m:%d %H:%M:%S")
    tags = {0x9003: stamp, 0x9004: stamp}
    if "subsec" in item.stamps:
        tags[0x9291] = f"{(item.at.minute * 37 + item.at.day * 11) % 1000:03d}"
    if "offset" in item.stamps:
        tags |= {0x9010: item.offset, 0x9011: item.offset}
    return tags


def _gps(item: Item) -> dict[int, object]:
    spot, utc = item.spot, item.instant
    return {
        0: b"\x02\x03\x00\x00",
        1: "N" if spot.latitude >= 0 else "S",
        2: _degrees(spot.latitude),
        3: "E" if spot.longitude >= 0 else "W",
        4: _degrees(spot.longitude),
        5: b"\x00",
        6: _rational(spot.altitude),
        7: (_rational(utc.hour), _rational(utc.minute), _rational(utc.second)),
        29: utc.strftime("%Y:%m:%d"),
    }


def _rational(value: float) -> TiffImagePlugin.IFDRational:
    exact = Fraction(value).limit_denominator(10000)
    return TiffImagePlugin.IFDRational(exact.numerator, exact.denominator)


def _degrees(value: float) -> tuple[TiffImagePlugin.IFDRational, ...]:
    whole = abs(value)
    minutes = (whole - int(whole)) * 60
    return (
        _rational(int(whole)),
        _rational(int(minutes)),
        _rational(round((minutes - int(minutes)) * 60, 2)),
    )


def sidecar(item: Item) -> str:
    """The JSON that Takeout puts beside a picture."""
    spot = item.spot
    geo = {
        "latitude": spot.latitude,
        "longitude": spot.longitude,
        "altitude": spot.altitude,
        "latitudeSpan": 0.0,
        "longitudeSpan": 0.0,
    }
    body = {
        "title": item.path.rsplit("/", 1)[-1],
        "description": item.note.event if item.note else "",
        "imageViews": "3",
        "creationTime": {"timestamp": str(int(item.instant.timestamp()) + 3600)},
        "photoTakenTime": {
            "timestamp": str(int(item.instant.timestamp())),
            "formatted": f"{item.instant:%b %d, %Y, %I:%M:%S %p} UTC",
        },
        "geoData": geo,
        "geoDataExif": geo,
        "url": "https://photos.example.invalid/photo/" + item.key,
        "googlePhotosOrigin": {"mobileUpload": {"deviceType": "ANDROID_PHONE"}},
    }
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"
