"""The words the plan is written in: an item, its note, the places, and how rows become items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from sample_archive.canvas import Size

FULL = ("time", "subsec", "offset", "gps")
CAMERA = ("time",)
NO_GPS = ("time", "subsec", "offset")
NO_OFFSET = ("time", "gps")
BARE: tuple[str, ...] = ()

LEISURE = "leisure_entertainment"
NATURE = "nature_outdoor"
HOME = "home_routine"
SOCIAL = "social_interaction"
FASHION = "fashion"
SPORT = "sports_physical"
EVENT = "special_events"
TRAVEL = "travel_mobility"
WORK = "work_study"
MEDICAL = "medical_care"
SCENARIOS = (LEISURE, NATURE, HOME, SOCIAL, FASHION, SPORT, EVENT, TRAVEL, WORK, MEDICAL)

DEFAULT_SIZE: Size = (1280, 960)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place: its public name, its coordinates, its time zone."""

    label: str
    latitude: float
    longitude: float
    altitude: float
    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What the participant wrote about an item: the objective layer, then the subjective one."""

    scenario: str
    event: str
    people: tuple[str, ...]
    context: str
    feelings: str
    preferences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One file of the archive: its place and time, what it shows and what was said of it."""

    key: str
    path: str
    at: datetime
    spot: Spot
    scene: str
    options: Mapping[str, object] = field(default_factory=dict)
    size: Size = DEFAULT_SIZE
    stamps: tuple[str, ...] = FULL
    orientation: int = 1
    special: str = ""
    note: Note | None = None

    @property
    def suffix(self) -> str:
        """The file's extension in lower case, with its dot."""
        return "." + self.path.rsplit(".", 1)[-1].lower()

    @property
    def offset(self) -> str:
        """The offset from UTC at that place and time, as +HH:MM."""
        text = self.aware.strftime("%z")
        return f"{text[:3]}:{text[3:]}"

    @property
    def aware(self) -> datetime:
        """The time of capture with its zone."""
        return self.at.replace(tzinfo=ZoneInfo(self.spot.zone))

    @property
    def instant(self) -> datetime:
        """The time of capture in UTC."""
        return self.aware.astimezone(UTC)


def _spot(label: str, latitude: float, longitude: float, altitude: float, zone: str) -> Spot:
    return Spot(label=label, latitude=latitude, longitude=longitude, altitude=altitude, zone=zone)


_PT, _JP = "Europe/Lisbon", "Asia/Tokyo"
SPOTS: Mapping[str, Spot] = {
    "alfama": _spot("Lisbon, Portugal", 38.7118, -9.1301, 62, _PT),
    "belem": _spot("Lisbon, Portugal", 38.6946, -9.2057, 6, _PT),
    "lisbon": _spot("Lisbon, Portugal", 38.7139, -9.1394, 20, _PT),
    "marvila": _spot("Lisbon, Portugal", 38.7421, -9.1027, 12, _PT),
    "lisbon-airport": _spot("Lisbon, Portugal", 38.7742, -9.1342, 114, _PT),
    "air": _spot("", 46.0, 20.0, 11000, _PT),
    "cascais": _spot("Cascais, Portugal", 38.6979, -9.4215, 5, _PT),
    "porto": _spot("Porto, Portugal", 41.1496, -8.6110, 85, _PT),
    "nazare": _spot("Nazaré, Portugal", 39.6012, -9.0701, 40, _PT),
    "monsaraz": _spot("Monsaraz, Portugal", 38.4433, -7.3808, 330, _PT),
    "athens": _spot("Athens, Greece", 37.9715, 23.7257, 150, "Europe/Athens"),
    "florida": _spot("Titusville, United States", 28.6122, -80.8076, 4, "America/New_York"),
    "demachi": _spot("Kyoto, Japan", 35.0303, 135.7717, 56, _JP),
    "kamo": _spot("Kyoto, Japan", 35.0246, 135.7706, 48, _JP),
    "toji": _spot("Kyoto, Japan", 34.9806, 135.7477, 27, _JP),
    "fushimi": _spot("Kyoto, Japan", 34.9671, 135.7727, 60, _JP),
    "arashiyama": _spot("Kyoto, Japan", 35.0170, 135.6713, 50, _JP),
    "gojo": _spot("Kyoto, Japan", 34.9936, 135.7766, 52, _JP),
    "karasuma": _spot("Kyoto, Japan", 35.0037, 135.7594, 38, _JP),
    "okazaki": _spot("Kyoto, Japan", 35.0136, 135.7823, 50, _JP),
    "otsu": _spot("Otsu, Japan", 35.0110, 135.8686, 86, _JP),
    "osaka": _spot("Osaka, Japan", 34.6687, 135.5013, 8, _JP),
    "nara": _spot("Nara, Japan", 34.6851, 135.8430, 95, _JP),
    "sapporo": _spot("Sapporo, Japan", 43.0603, 141.3544, 22, _JP),
    "seoul": _spot("Seoul, South Korea", 37.5512, 126.9882, 240, "Asia/Seoul"),
    "taipei": _spot("Taipei, Taiwan", 25.0330, 121.5645, 10, "Asia/Taipei"),
}


def say(
    scenario: str, event: str, context: str, feelings: str, *preferences: str, people: str = ""
) -> Note:
    """A note; companions are given as one comma-separated string."""
    names = tuple(name.strip() for name in people.split(",") if name.strip())
    return Note(
        scenario=scenario,
        event=event,
        people=names,
        context=context,
        feelings=feelings,
        preferences=preferences,
    )


def _default_path(at: datetime) -> str:
    if at.year < 2024:
        return f"DCIM/{at.year}/IMG_{at:%Y%m%d_%H%M%S}.jpg"
    number = at.timetuple().tm_yday * 24 + at.hour + 1000
    return f"iPhone/{at.year}/IMG_{number:04d}.jpg"


def snap(
    key: str,
    at: str,
    where: str,
    scene: str,
    note: Note | None = None,
    *,
    path: str = "",
    size: Size = DEFAULT_SIZE,
    stamps: tuple[str, ...] = FULL,
    orientation: int = 1,
    special: str = "",
    **options: object,
) -> Item:
    """One row of the plan; further options go to the scene."""
    when = datetime.fromisoformat(at)
    return Item(
        key=key,
        path=path or _default_path(when),
        at=when,
        spot=SPOTS[where],
        scene=scene,
        options=options,
        size=size,
        stamps=stamps,
        orientation=orientation,
        special=special,
        note=note,
    )
