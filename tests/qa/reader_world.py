"""A small life with its profile, and the tools of chat readers over it."""

from datetime import datetime
from pathlib import Path

from archive_mem.profile.chrono import build_profile, published
from archive_mem.profile.compare import EmbeddedComparer
from archive_mem.profile.extract import EmbeddedExtractor
from archive_mem.profile.vectors import Vectors
from archive_mem.qa.choice import Choice
from archive_mem.qa.persona import Persona
from archive_mem.qa.reader.talk import ChatTools, ReaderSettings
from archive_mem.qa.reader.tiers import chat_tier
from archive_mem.qa.recall import Recall, RecallSettings
from archive_mem.retrieval.search import Search
from archive_mem.schema.minting import mint_text
from archive_mem.schema.qa import Answer, Option, Query, Tier
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from models.base import ChatModel
from models.fake import FakeEmbedder
from tests.doubles import FakeArchive, index_of, make_record
from tests.profile.world import Checkpoints

__all__ = ["ASKED", "Desk", "life"]

ASKED = datetime(2026, 1, 12)


def life() -> list[Record]:
    return [
        make_record("ramen", datetime(2022, 4, 2, 12, 30), city="Kyoto", country="Japan",
                    event="ramen lunch", people=["Friend A"], context="I love light broth"),
        make_record("bill", datetime(2022, 4, 2, 13, 10), city="Kyoto", country="Japan",
                    event="the bill", ocr=["RAMEN HOUSE", "TOTAL 1350"]),
        make_record("steak", datetime(2021, 1, 3, 20), city="Porto", country="Portugal",
                    event="dinner", preferences=["I love steak"]),
        make_record("given", datetime(2023, 2, 20, 10), city="Porto", country="Portugal",
                    event="breakfast", preferences=["I stopped eating steak"]),
        make_record("fish", datetime(2023, 5, 20, 20), city="Porto", country="Portugal",
                    event="supper", preferences=["I love grilled fish"]),
    ]  # fmt: skip


class Desk:
    """Asks any chat model about a life, or about an archive made of one."""

    def __init__(self, folder: Path, archive: FakeArchive | None = None) -> None:
        made = FakeArchive(life()) if archive is None else archive
        self.embedder = FakeEmbedder(256)
        store = Checkpoints()
        build_profile(
            made,
            store,
            EmbeddedExtractor(self.embedder),
            EmbeddedComparer(self.embedder),
        )
        state = store.load()
        items = () if state is None else published(state)
        self.archive = made.with_profile(items)
        self.search = Search(
            self.archive, index_of(self.archive, folder, self.embedder), self.embedder
        )

    def tools(self, model: ChatModel, settings: ReaderSettings | None = None) -> ChatTools:
        return ChatTools(
            model=model,
            archive=self.archive,
            search=self.search,
            vectors=Vectors(self.embedder),
            redact=_hide_carol,
            settings=settings or ReaderSettings(),
        )

    def ask(
        self,
        model: ChatModel,
        text: str,
        tier: Tier,
        *options: str,
        settings: ReaderSettings | None = None,
        asked: datetime = ASKED,
    ) -> Answer:
        query = Query(
            text=mint_text(text),
            tier=tier,
            asked_at=asked,
            options=tuple(Option(id=f"o{n}", text=mint_text(o)) for n, o in enumerate(options)),
            top_k=5,
        )
        rules = {
            Tier.T1: Recall(self.archive, self.search, None, RecallSettings(cosine=0.75)),
            Tier.T2: Persona(self.archive, self.embedder),
            Tier.T3: Choice(self.archive, self.embedder),
        }[tier]
        return chat_tier(tier, self.tools(model, settings), rules).answer(query)


def _hide_carol(text: str) -> SafeText:
    return mint_text(text.replace("Carol", "Friend A"))
