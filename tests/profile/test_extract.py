"""What is taken up from a record: words said, feelings felt, and what repeats."""

from archive_mem.profile.candidates import Candidate
from archive_mem.profile.extract import EmbeddedExtractor
from archive_mem.profile.feelings import feeling
from archive_mem.profile.vectors import Vectors
from archive_mem.schema.annotation import Scenario
from archive_mem.schema.profile import Category
from archive_mem.schema.record import Record
from models.fake import FakeEmbedder
from tests.profile.world import World, moment, restored


def found(record: Record) -> list[Candidate]:
    session = next(iter(World([record]).sessions()))
    return EmbeddedExtractor(FakeEmbedder()).extract(session, [record])


def statements(record: Record) -> list[str]:
    return [candidate.statement.value for candidate in found(record)]


def test_each_clause_that_takes_a_side_is_a_statement() -> None:
    record = moment("2024-01-01T10:00", "I used to love running but now I prefer swimming")
    assert statements(record) == ["I used to love running", "now I prefer swimming"]


def test_a_story_gives_what_it_claims_and_no_more() -> None:
    record = moment(
        "2024-01-01T10:00", context="The queue was long. I gave up sugar in spring. Rain again."
    )
    assert statements(record) == ["I gave up sugar in spring."]


def test_a_life_event_is_a_fact_with_its_quote() -> None:
    record = moment("2024-01-01T10:00", context="My sister got married on the beach.")
    candidate = found(record)[0]
    assert candidate.category is Category.MEANINGFUL_FACTS
    assert candidate.mention.quote.value == "My sister got married on the beach."


def test_a_feeling_makes_an_event_liked_or_not() -> None:
    def enjoyed(feelings: str) -> set[int]:
        record = moment(
            "2024-01-01T10:00",
            event="choir practice",
            feelings=feelings,
            scenario=Scenario.LEISURE_ENTERTAINMENT,
        )
        return {c.polarity for c in found(record) if c.category is Category.PREFERENCES}

    assert enjoyed("happy and relaxed") == {1}
    assert enjoyed("exhausted and sad") == {-1}


def test_companions_evenings_and_journeys_are_seen() -> None:
    record = moment(
        "2024-01-06T20:00",
        place="Graz, Austria",
        people=["Friend A"],
        scenario=Scenario.SOCIAL_INTERACTION,
    )
    assert {
        "Spends time with Friend A",
        "Home and evenings are in Graz, Austria",
        "Saturday evenings: time with other people in Graz, Austria",
    } <= set(statements(record))
    away = moment("2024-01-06T20:00", place="Oslo, Norway", scenario=Scenario.TRAVEL_MOBILITY)
    assert "Travels in Oslo, Norway" in statements(away)
    assert "Home and evenings are in Oslo, Norway" not in statements(away)


def test_a_negated_feeling_is_turned() -> None:
    vectors = Vectors(FakeEmbedder())
    assert feeling(restored("not happy"), vectors) == -1
    assert feeling(restored("no longer anxious"), vectors) == 1


def test_said_in_passing_is_weaker() -> None:
    firm = found(moment("2024-01-01T10:00", "I love the bus"))[0]
    passing = found(moment("2024-01-01T10:00", "I love the bus this time"))[0]
    assert passing.strength < firm.strength
