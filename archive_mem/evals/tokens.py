"""How long a text is where no model with a tokenizer reads it."""

import re

from archive_mem.schema.safe import SafeText

__all__ = ["COUNTED_AS", "approximate"]

COUNTED_AS = "words and marks"
_PIECE = re.compile(r"\w+|[^\w\s]")


def approximate(text: SafeText) -> int:
    """Words and marks: the embedded reader has no tokenizer of its own."""
    return len(_PIECE.findall(text.value))
