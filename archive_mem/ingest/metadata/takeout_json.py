"""The form of Google Takeout's JSON: what is read of it. Apart, for pydantic takes long to load."""

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Geo", "TakeoutPhoto", "Timestamp"]


class Timestamp(BaseModel):
    """Unix seconds, as text or as a number."""

    timestamp: float


class Geo(BaseModel):
    """Degrees and metres; all 0 stands for nothing."""

    latitude: float = 0.0
    longitude: float = 0.0
    altitude: float = 0.0


class TakeoutPhoto(BaseModel):
    """The keys that are read; all may be missing, all others are ignored."""

    model_config = ConfigDict(populate_by_name=True, extra="ignore")

    title: str = ""
    description: str = ""
    taken: Timestamp | None = Field(default=None, alias="photoTakenTime")
    geo: Geo | None = Field(default=None, alias="geoData")
    geo_exif: Geo | None = Field(default=None, alias="geoDataExif")
