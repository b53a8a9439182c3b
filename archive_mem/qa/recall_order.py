"""Which of several things came first. Pure."""

from collections.abc import Sequence

from anonymize.compose import compose, join
from archive_mem.qa.recall_whole import Told
from archive_mem.qa.recall_words import said_time
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText

__all__ = ["in_order"]


def in_order(sides: Sequence[tuple[SafeText, Record]]) -> Told | None:
    """Each side with its day, the earliest first; None unless two sides have a time.

    sides: name and the record that tells of it; records without a time are left out
    """
    dated = [(record.at, record.item_id, name, record) for name, record in sides if record.at]
    if len({item for _, item, _, _ in dated}) < 2:
        return None
    ordered = sorted(dated, key=lambda each: each[:2])
    said = [
        compose("{name} {day}", name=name, day=said_time(record.time))
        for _, _, name, record in ordered
    ]
    return Told(text=join(", then ", said), records=tuple(record for *_, record in ordered))
