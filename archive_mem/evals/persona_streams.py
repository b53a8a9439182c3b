"""Invented lives with known tastes: streams of records with the gold for persona and choice.

A persona has a taste in each of several domains: a utility from -1 to 1 for each alternative. Some
tastes turn at a known day, some hold only in certain weather, and now and then the person says
something that is out of character. Everything follows from the seed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from anonymize.compose import compose, word
from archive_mem.schema.annotation import ObjectiveLayer, Scenario, SubjectiveLayer
from archive_mem.schema.media import CaptureTime, MediaKind, Precision
from archive_mem.schema.profile import ProfileItem
from archive_mem.schema.qa import Option, Query, Tier
from archive_mem.schema.record import Record
from archive_mem.schema.safe import SafeText
from archive_mem.schema.session import Session

__all__ = [
    "ChangeQuestion",
    "ChoiceQuestion",
    "PersonaStream",
    "StateQuestion",
    "StreamArchive",
    "StreamSettings",
    "persona_stream",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSettings:
    """How a life is drawn.

    begin, end: first and last day
    statements: how many are made
    noise: share of statements that are out of character
    domains: how many domains have a taste
    turning: share of the tastes that turn
    told: share of the turns that are put into words when they happen
    conditional: share of the tastes that hold in certain weather
    """

    begin: datetime = datetime(2021, 1, 4, 9)
    end: datetime = datetime(2025, 12, 28, 9)
    statements: int = 180
    noise: float = 0.12
    domains: int = 9
    turning: float = 0.5
    told: float = 0.7
    conditional: float = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class StateQuestion:
    """Asks what the person likes best now.

    query: the question
    gold: the alternative
    former: what was liked best before it turned, None when it never did
    """

    query: Query
    gold: SafeText
    former: SafeText | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeQuestion:
    """Asks when it turned.

    query: the question
    changed_at: the day
    """

    query: Query
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceQuestion:
    """Asks which option they would take.

    query: the situation and the options
    utilities: by option id; the gold ranking goes from high to low
    """

    query: Query
    utilities: dict[str, float]


@dataclass(slots=True)
class StreamArchive:
    """An archive of the stream, one record a session.

    all_records: in order of time
    items: the profile, set once it is built
    """

    all_records: tuple[Record, ...]
    items: tuple[ProfileItem, ...] = ()

    def records(
        self, item_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Record]:
        """Those asked for, in order of time."""
        for record in self.all_records:
            early = until is None or (record.at is not None and record.at <= until)
            if early and (item_ids is None or record.item_id in item_ids):
                yield record

    def sessions(
        self, session_ids: Sequence[str] | None = None, until: datetime | None = None
    ) -> Iterator[Session]:
        """Those asked for, in order of time."""
        for record in self.records(until=until):
            session = _session(record)
            if session_ids is None or session.id in session_ids:
                yield session

    def profile_items(self) -> tuple[ProfileItem, ...]:
        """The profile that was set."""
        return self.items


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaStream:
    """One life.

    archive: its records
    states, changes, choices: questions with their gold
    """

    archive: StreamArchive
    states: tuple[StateQuestion, ...]
    changes: tuple[ChangeQuestion, ...]
    choices: tuple[ChoiceQuestion, ...]


class _Domain(NamedTuple):
    name: SafeText
    choosing: SafeText
    scenario: Scenario
    alternatives: tuple[SafeText, ...]


@dataclass(frozen=True, slots=True)
class _Weather:
    said: SafeText
    asked: SafeText


@dataclass(slots=True)
class _Taste:
    """Utilities of the alternatives of a domain, one tuple for before and one for after."""

    domain: _Domain
    before: tuple[float, ...]
    after: tuple[float, ...]
    turns_at: datetime | None
    weather: _Weather | None = None
    statements: int = field(default=0)

    def at(self, moment: datetime) -> tuple[float, ...]:
        return self.after if self.turns_at and moment >= self.turns_at else self.before

    def best(self, utilities: tuple[float, ...]) -> SafeText:
        return self.domain.alternatives[utilities.index(max(utilities))]


UTILITIES = (1.0, 0.55, 0.0, -0.55, -1.0)
FIRM, MILD = 0.9, 0.3


def persona_stream(seed: int, settings: StreamSettings | None = None) -> PersonaStream:
    """The life that belongs to a seed, with its questions."""
    chosen = settings or StreamSettings()
    random = Random(seed)  # noqa: S311 - a seeded draw, nothing secret
    tastes = [
        _taste(random, domain, chosen) for domain in random.sample(_domains(), chosen.domains)
    ]
    records = tuple(sorted(_records(random, tastes, chosen), key=lambda record: str(record.at)))
    asked_at = chosen.end + timedelta(days=15)
    return PersonaStream(
        archive=StreamArchive(records),
        states=tuple(_state_questions(tastes, asked_at)),
        changes=tuple(_change_questions(tastes, asked_at)),
        choices=tuple(_choice_questions(random, tastes, asked_at)),
    )


def _taste(random: Random, domain: _Domain, settings: StreamSettings) -> _Taste:
    before = tuple(random.sample(UTILITIES, len(UTILITIES)))
    if random.random() < settings.conditional:
        weather = random.choice(_weathers())
        return _Taste(domain, before, before, None, weather)
    if random.random() >= settings.turning:
        return _Taste(domain, before, before, None)
    span = settings.end - settings.begin
    turns_at = settings.begin + span * random.uniform(0.35, 0.85)
    return _Taste(domain, before, _turned(random, before), turns_at)


def _turned(random: Random, before: tuple[float, ...]) -> tuple[float, ...]:
    """The favourite falls from grace and one that was not liked takes its place."""
    after = list(before)
    best = before.index(max(before))
    rising = random.choice([place for place, value in enumerate(before) if value <= 0])
    after[best], after[rising] = before[rising], before[best]
    return tuple(after)


def _records(
    random: Random, tastes: Sequence[_Taste], settings: StreamSettings
) -> Iterator[Record]:
    span = (settings.end - settings.begin) / timedelta(days=1)
    for number in range(settings.statements):
        at = settings.begin + timedelta(days=random.uniform(0, span), hours=random.randint(0, 12))
        taste = random.choice(tastes)
        noisy = random.random() < settings.noise
        statement = _statement(random, taste, at, noisy)
        yield _record(f"s{number:04d}", at, taste.domain, statement)
    for number, taste in enumerate(tastes):
        if taste.turns_at is not None and random.random() < settings.told:
            yield _turning_record(f"t{number:04d}", taste, taste.turns_at)


def _statement(random: Random, taste: _Taste, at: datetime, noisy: bool) -> SafeText:
    utilities = taste.at(at)
    weights = [abs(value) + 0.02 for value in utilities]
    place = random.choices(range(len(utilities)), weights)[0]
    value = random.choice(UTILITIES) if noisy else utilities[place]
    what = taste.domain.alternatives[place]
    lower = [p for p, other in enumerate(utilities) if other < utilities[place]]
    if not noisy and value > 0 and lower and random.random() < 0.35:
        other = taste.domain.alternatives[random.choice(lower)]
        said = compose("I prefer {what} to {other}", what=what, other=other)
    else:
        said = _opinion(random, what, value)
    if taste.weather is None or noisy:
        return said
    return compose("{said} {weather}", said=said, weather=taste.weather.said)


def _opinion(random: Random, what: SafeText, value: float) -> SafeText:
    if value >= FIRM:
        forms = (
            compose("I love {what}", what=what),
            compose("Nothing beats {what}", what=what),
            compose("I always look forward to {what}", what=what),
            compose("I can't get enough of {what}", what=what),
        )
    elif value >= MILD:
        forms = (
            compose("I enjoy {what}", what=what),
            compose("I like {what}", what=what),
            compose("I am quite fond of {what}", what=what),
            compose("I have taken to {what}", what=what),
        )
    elif value > -MILD:
        forms = (compose("I do not mind {what}", what=what),) * 4
    elif value > -FIRM:
        forms = (
            compose("I don't care for {what}", what=what),
            compose("I am not keen on {what}", what=what),
            compose("I tend to avoid {what}", what=what),
            compose("I am tired of {what}", what=what),
        )
    else:
        forms = (
            compose("I can't stand {what}", what=what),
            compose("I hate {what}", what=what),
            compose("I am done with {what}", what=what),
            compose("I really dislike {what}", what=what),
        )
    return random.choice(forms)


def _turning_record(item_id: str, taste: _Taste, turns_at: datetime) -> Record:
    old, new = taste.best(taste.before), taste.best(taste.after)
    context = compose(
        "My physiotherapist made me rethink {name}, so {new} it is.",
        name=taste.domain.name,
        new=new,
    )
    said = compose("I have swapped {old} for {new}", old=old, new=new)
    return _record(item_id, turns_at, taste.domain, said, context)


def _record(
    item_id: str,
    at: datetime,
    domain: _Domain,
    statement: SafeText,
    context: SafeText | None = None,
) -> Record:
    return Record(
        item_id=item_id,
        session_id=f"session-{item_id}",
        name=word("photo.jpg"),
        kind=MediaKind.PHOTO,
        time=CaptureTime(
            local=at, utc_offset=None, precision=Precision.SECOND, source="stream", confidence=1.0
        ),
        place=None,
        place_label=None,
        objective=ObjectiveLayer(scenario=domain.scenario),
        subjective=SubjectiveLayer(context=context, preferences=(statement,)),
    )


def _session(record: Record) -> Session:
    return Session(
        id=str(record.session_id),
        started=record.at,
        ended=record.at,
        place_label=None,
        item_ids=(record.item_id,),
        turns=(),
    )


def _state_questions(tastes: Sequence[_Taste], asked_at: datetime) -> Iterator[StateQuestion]:
    for taste in tastes:
        if taste.weather is None:
            text = compose("Which {name} do I like best these days?", name=taste.domain.name)
            former = None if taste.turns_at is None else taste.best(taste.before)
            yield StateQuestion(
                query=Query(text=text, tier=Tier.T2, asked_at=asked_at),
                gold=taste.best(taste.after),
                former=former,
            )


def _change_questions(tastes: Sequence[_Taste], asked_at: datetime) -> Iterator[ChangeQuestion]:
    for taste in tastes:
        if taste.turns_at is not None:
            text = compose("How has my taste in {name} changed over time?", name=taste.domain.name)
            query = Query(text=text, tier=Tier.T2, asked_at=asked_at)
            yield ChangeQuestion(query=query, changed_at=taste.turns_at)


def _choice_questions(
    random: Random, tastes: Sequence[_Taste], asked_at: datetime
) -> Iterator[ChoiceQuestion]:
    for taste in tastes:
        for _ in range(3):
            places = random.sample(range(len(UTILITIES)), 4)
            yield _choice(random, asked_at, _situation(taste), [(taste, p) for p in places])
    open_tastes = [taste for taste in tastes if taste.weather is None]
    for _ in range(16):
        mixed = [
            (taste, random.randrange(len(UTILITIES))) for taste in random.sample(open_tastes, 4)
        ]
        yield _choice(random, asked_at, word("A free day lies ahead. What would I choose?"), mixed)


def _situation(taste: _Taste) -> SafeText:
    if taste.weather is None:
        return compose("{choosing} What would I choose?", choosing=taste.domain.choosing)
    return compose(
        "{weather} {choosing} What would I choose?",
        weather=taste.weather.asked,
        choosing=taste.domain.choosing,
    )


def _choice(
    random: Random, asked_at: datetime, text: SafeText, places: list[tuple[_Taste, int]]
) -> ChoiceQuestion:
    random.shuffle(places)
    options = tuple(
        Option(id=str(number), text=taste.domain.alternatives[place])
        for number, (taste, place) in enumerate(places, 1)
    )
    utilities = {
        option.id: taste.after[place]
        for option, (taste, place) in zip(options, places, strict=True)
    }
    query = Query(text=text, tier=Tier.T3, asked_at=asked_at, options=options)
    return ChoiceQuestion(query=query, utilities=utilities)


def _weathers() -> tuple[_Weather, ...]:
    return (
        _Weather(word("when it rains"), word("Rain is pouring down.")),
        _Weather(word("on hot days"), word("It is 34 degrees outside.")),
        _Weather(word("when it snows"), word("Snow covers the streets.")),
    )


def _domain(
    name: SafeText, choosing: SafeText, scenario: Scenario, *alternatives: SafeText
) -> _Domain:
    return _Domain(name, choosing, scenario, alternatives)


def _domains() -> list[_Domain]:
    return [
        _domain(
            word("breakfast drinks"),
            word("I sit down for breakfast and want something to sip."),
            Scenario.HOME_ROUTINE,
            word("mint tea"),
            word("cold brew"),
            word("orange juice"),
            word("hot chocolate"),
            word("kefir"),
        ),
        _domain(
            word("lunch dishes"),
            word("Lunch break on a working day."),
            Scenario.WORK_STUDY,
            word("lentil soup"),
            word("poke bowls"),
            word("falafel wraps"),
            word("cheese toasties"),
            word("udon noodles"),
        ),
        _domain(
            word("sports"),
            word("I have two hours to exercise."),
            Scenario.SPORTS_PHYSICAL,
            word("rowing"),
            word("badminton"),
            word("trail running"),
            word("pilates"),
            word("fencing"),
        ),
        _domain(
            word("live music"),
            word("There is something on at every venue tonight."),
            Scenario.LEISURE_ENTERTAINMENT,
            word("string quartets"),
            word("punk gigs"),
            word("jazz clubs"),
            word("choir concerts"),
            word("techno nights"),
        ),
        _domain(
            word("ways to get around town"),
            word("I have to cross the city."),
            Scenario.TRAVEL_MOBILITY,
            word("the tram"),
            word("an electric scooter"),
            word("the river ferry"),
            word("taxis"),
            word("long walks"),
        ),
        _domain(
            word("places to stay on holiday"),
            word("I am booking somewhere to sleep for my next trip."),
            Scenario.TRAVEL_MOBILITY,
            word("youth hostels"),
            word("mountain huts"),
            word("beach resorts"),
            word("farm stays"),
            word("city hotels"),
        ),
        _domain(
            word("crafts"),
            word("A quiet evening for making something by hand."),
            Scenario.HOME_ROUTINE,
            word("woodcarving"),
            word("watercolour painting"),
            word("crochet"),
            word("pottery"),
            word("origami"),
        ),
        _domain(
            word("things to watch"),
            word("The television is free tonight."),
            Scenario.HOME_ROUTINE,
            word("nature documentaries"),
            word("crime series"),
            word("romantic comedies"),
            word("anime"),
            word("quiz shows"),
        ),
        _domain(
            word("books"),
            word("I want something to read on the sofa."),
            Scenario.LEISURE_ENTERTAINMENT,
            word("graphic novels"),
            word("biographies"),
            word("poetry"),
            word("thrillers"),
            word("travelogues"),
        ),
        _domain(
            word("clothes"),
            word("I am getting dressed to go out."),
            Scenario.FASHION,
            word("linen shirts"),
            word("hoodies"),
            word("tailored suits"),
            word("denim jackets"),
            word("floral dresses"),
        ),
        _domain(
            word("evenings with people"),
            word("Friends ask what to do this evening."),
            Scenario.SOCIAL_INTERACTION,
            word("dinner parties"),
            word("karaoke"),
            word("board game nights"),
            word("street festivals"),
            word("bonfires"),
        ),
        _domain(
            word("desserts"),
            word("The waiter brings the dessert menu."),
            Scenario.SOCIAL_INTERACTION,
            word("lemon tart"),
            word("tiramisu"),
            word("mango sorbet"),
            word("rice pudding"),
            word("baklava"),
        ),
    ]
