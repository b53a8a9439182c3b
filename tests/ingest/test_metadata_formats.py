"""One capture, in every format and place that a file can keep it in, is read the same."""

from pathlib import Path

import pytest

from archive_mem.ingest.metadata import read
from archive_mem.ingest.metadata.clock import offset_text
from archive_mem.schema.media import MediaKind, Precision
from tests.gnarly_media.formats import FORMATS
from tests.ingest.reading import item_of, reading_of, time_of

TAKEN = "2019-03-02T10:11:12"
KYOTO = (35.0, 135.75)


@pytest.mark.parametrize(
    ("name", "mime"),
    [
        ("bigtiff-little.tif", "image/tiff"),
        ("bigtiff-big.tif", "image/tiff"),
        ("exif-in-two-segments.jpg", "image/jpeg"),
        ("xmp-before-exif.webp", "image/webp"),
        ("exif-compressed.png", "image/png"),
        ("exif-as-app1.png", "image/png"),
        ("exif-in-mdat.heic", "image/heic"),
        ("exif-in-mdat-version-0.heic", "image/heic"),
        ("exif-in-idat.heic", "image/heic"),
        ("exif-in-an-item.heic", "image/heic"),
        ("exif-in-extents.heic", "image/heic"),
        ("exif-in-extents-of-an-item.heic", "image/heic"),
        ("exif-of-another-picture-first.heic", "image/heic"),
        ("brand-of-a-maker.heic", "image/heif"),
        ("avif-in-mif1.avif", "image/avif"),
        ("photoshop.psd", "image/vnd.adobe.photoshop"),
        ("jpeg-2000.jp2", "image/jp2"),
        ("boxes.jxl", "image/jxl"),
        ("compressed-boxes.jxl", "image/jxl"),
        ("canon.cr3", "image/x-canon-cr3"),
        ("fuji.raf", "image/x-fujifilm-raf"),
        ("minolta.mrw", "image/x-minolta-mrw"),
        ("nikon.nef", "image/x-dcraw"),
        ("olympus.orf", "image/x-olympus-orf"),
        ("panasonic.rw2", "image/x-panasonic-rw2"),
    ],
)
def test_exif_is_read_in_every_format(name: str, mime: str, tmp_path: Path) -> None:
    """F1, F2: time, offset by the zone of the place, and place."""
    item = item_of(name, tmp_path)
    time, place = item.capture.time, item.capture.place
    assert time is not None
    assert place is not None
    assert item.mime == mime
    assert (time.local.isoformat(), time.source) == (TAKEN, "EXIF DateTimeOriginal")
    assert (offset_text(time.utc_offset), time.zone) == ("+09:00", "Asia/Tokyo")
    assert (place.latitude, place.longitude) == pytest.approx(KYOTO, abs=1e-7)


@pytest.mark.parametrize(
    ("name", "source", "offset"),
    [
        ("photoshop-resources.tif", "IPTC DateCreated", None),
        ("month-and-day-with-blanks.jpg", "EXIF DateTimeOriginal", None),
        ("xmp-as-profile.png", "XMP CreateDate", None),
        ("xmp-compressed.png", "XMP CreateDate", None),
        ("creation-time-as-in-mail.png", "PNG Creation Time", "+09:00"),
        ("creation-time-compressed.png", "PNG Creation Time", None),
        ("sequence-dated-as-movie.heic", "container UTC time", "+00:00"),
        ("xmp-extended.jpg", "XMP DateTimeOriginal", None),
        ("xmp-as-elements.jpg", "XMP DateTimeOriginal", "+09:00"),
        ("xmp-digitized.jpg", "XMP CreateDate", None),
        ("xmp-with-control-character.jpg", "XMP DateTimeOriginal", None),
        ("iptc-digital-creation.jpg", "IPTC DateCreated", None),
        ("sony-xavc.mp4", "record of the camcorder", "+09:00"),
        ("canon-thumbnail.mov", "EXIF DateTimeOriginal", "+09:00"),
        ("date-in-user-data.mov", "QuickTime creationdate", "+09:00"),
        ("day-in-user-data.mov", "QuickTime creationdate", "+09:00"),
        ("dated-in-its-track.mp4", "container UTC time", "+00:00"),
        ("version-1-behind-its-samples.mp4", "container UTC time", "+00:00"),
        ("phone.3gp", "container UTC time", "+09:00"),
        ("avchd.mts", "record of the camcorder", "+09:00"),
        ("avchd-without-zone.mts", "record of the camcorder", "+09:00"),
        ("weekday.avi", "container local time", None),
        ("colons.avi", "container local time", None),
        ("two-blanks.avi", "container local time", None),
        ("slashes-and-blanks.avi", "container local time", None),
        ("utc.mkv", "container UTC time", "+00:00"),
        ("coding-that-nobody-knows.mkv", "container UTC time", "+00:00"),
        ("utc.webm", "container UTC time", "+00:00"),
        ("recorded-and-placed.mkv", "container local time", "+09:00"),
    ],
)
def test_a_date_is_read_wherever_it_stands(
    name: str, source: str, offset: str | None, tmp_path: Path
) -> None:
    """T10 and its neighbours. Where only UTC is known and no place, UTC is what is shown."""
    time = time_of(name, tmp_path)
    in_utc = offset == "+00:00"
    assert time.local.isoformat() == ("2019-03-02T01:11:12" if in_utc else TAKEN)
    assert (time.source, offset_text(time.utc_offset)) == (source, offset)


@pytest.mark.parametrize("name", ["sony-xavc.mp4", "avchd.mts", "phone.3gp", "xmp-as-elements.jpg"])
def test_a_place_is_read_wherever_it_stands(name: str, tmp_path: Path) -> None:
    place = item_of(name, tmp_path).capture.place
    assert place is not None
    assert (place.latitude, place.longitude) == pytest.approx(KYOTO, abs=1e-7)


@pytest.mark.parametrize(
    ("name", "local", "precision"),
    [
        ("xmp-of-a-minute.jpg", "2019-03-02T10:11:00", Precision.MINUTE),
        ("slash-behind-the-day.avi", "2019-03-02T10:11:00", Precision.MINUTE),
        ("half-day-clock.jpg", "2019-03-02T13:11:12", Precision.SECOND),
        ("xmp-of-a-day.jpg", "2019-03-02T00:00:00", Precision.DAY),
        ("xmp-of-a-month.jpg", "2019-03-01T00:00:00", Precision.MONTH),
        ("xmp-of-a-year.jpg", "2019-01-01T00:00:00", Precision.YEAR),
        ("iptc-of-a-month.jpg", "2019-03-01T00:00:00", Precision.MONTH),
        ("iptc-of-a-year.jpg", "2019-01-01T00:00:00", Precision.YEAR),
    ],
)
def test_a_date_is_as_fine_as_it_was_written(
    name: str, local: str, precision: Precision, tmp_path: Path
) -> None:
    """T4: what XMP and IPTC leave out is unknown, and said to be."""
    time = time_of(name, tmp_path)
    assert (time.local.isoformat(), time.precision) == (local, precision)


@pytest.mark.parametrize(
    "name",
    [
        "xmp-of-month-13.jpg",
        "iptc-of-nothing.jpg",
        "avchd-with-month-13.mts",
        "date-of-garbage.avi",
    ],
)
def test_what_is_no_date_is_refused_in_every_format(name: str, tmp_path: Path) -> None:
    """T4, T6."""
    reading = reading_of(name, tmp_path)
    assert reading.item is not None
    assert reading.item.capture.time is not None
    assert reading.item.capture.time.source == "file time"
    assert [one.reason for one in reading.candidates if one.reason.startswith("refused")]


@pytest.mark.parametrize(
    ("year", "name", "local", "precision"),
    [
        ("xmp-of-a-year.jpg", "IMG_20190302_101112.jpg", TAKEN, Precision.SECOND),
        ("xmp-of-a-month.jpg", "IMG-20190302-WA0001.jpg", "2019-03-02T00:00:00", Precision.DAY),
        ("xmp-of-a-year.jpg", "IMG_20180302_101112.jpg", "2019-01-01T00:00:00", Precision.YEAR),
    ],
)
def test_a_coarse_date_gives_way_to_a_finer_one_within_it(
    year: str, name: str, local: str, precision: Precision, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(FORMATS[year]())
    item = read(path, name_places=False).item
    assert item is not None
    assert item.capture.time is not None
    assert (item.capture.time.local.isoformat(), item.capture.time.precision) == (local, precision)


@pytest.mark.parametrize("name", ["iptc-caption-of-old-windows.jpg", "iptc-caption-in-utf-8.jpg"])
def test_a_caption_keeps_its_letters(name: str, tmp_path: Path) -> None:
    assert reading_of(name, tmp_path).descriptions == ("Café in Zürich",)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("bigtiff-big.tif", (48, 32)),
        ("exif-in-mdat.heic", (48, 32)),
        ("photoshop.psd", (48, 32)),
        ("jpeg-2000.jp2", (48, 32)),
        ("boxes.jxl", (48, 32)),
        ("compressed-boxes.jxl", (32, 48)),
        ("turned-3.jxl", (48, 32)),
        ("turned-6.jxl", (32, 48)),
        ("turned-8.jxl", (32, 48)),
        ("canon-thumbnail.mov", (64, 48)),
    ],
)
def test_the_size_is_that_of_the_upright_picture_in_every_format(
    name: str, size: tuple[int, int], tmp_path: Path
) -> None:
    """F4, F5: JPEG XL turns by itself; a thumbnail's turn is not the video's."""
    item = item_of(name, tmp_path)
    assert (item.width, item.height) == size


@pytest.mark.parametrize(
    "name", ["nikon.nef", "sensor.dng", "canon.cr3", "fuji.raf", "minolta.mrw"]
)
def test_a_raw_says_what_shows_its_picture(name: str, tmp_path: Path) -> None:
    item = item_of(name, tmp_path)
    assert item.mime.startswith("image/x-")
    assert item.note == "camera RAW: seen where archive-mem[raw] is installed"


def test_a_movie_in_a_container_of_many_names_stays_a_movie(tmp_path: Path) -> None:
    """A brand of pictures beside one of movies: the movie's counts."""
    from tests.gnarly_media.movies import box, movie

    data = movie(brand=b"XYZ ")
    path = tmp_path / "a"
    path.write_bytes(box(b"ftyp", b"XYZ \0\0\0\0mif1isom") + data[data.index(b"moov") - 4 :])
    item = read(path, name_places=False).item
    assert item is not None
    assert item.kind is MediaKind.VIDEO
