"""What a statement is about: its slot, by the nearest of a few described topics."""

from typing import NamedTuple

import numpy as np

from anonymize.compose import word
from archive_mem.profile.vectors import Vectors
from archive_mem.schema.profile import Category
from archive_mem.schema.safe import SafeText

__all__ = ["EXCLUSIVE", "Topic", "Topics"]


class Topic(NamedTuple):
    """A slot, how it is described to the embedder, and where an activity in it belongs."""

    slot: str
    text: SafeText
    activity: Category


# A person has one of these at a time: another value is a change, not an addition.
EXCLUSIVE = frozenset({"city", "job", "home"})

CLOSE_ENOUGH = 0.22
HABIT, HOBBY, LIKING = Category.BEHAVIORAL_HABITS, Category.HOBBIES, Category.PREFERENCES


def _topics() -> tuple[Topic, ...]:
    return (
        Topic("drink", word("a drink: coffee, tea, wine, beer, juice, water"), LIKING),
        Topic("food", word("food: a dish, a meal, a taste, a snack, a dessert"), LIKING),
        Topic("diet", word("a diet: vegetarian, vegan, meat, gluten free, healthy eating"), LIKING),
        Topic("sport", word("sport and exercise: running, swimming, cycling, gym, a match"), HOBBY),
        Topic("outdoors", word("the outdoors: hiking, forest, mountains, beach, camping"), HOBBY),
        Topic("music", word("music: songs, concerts, an instrument, a band, singing"), HOBBY),
        Topic("art", word("art and craft: painting, pottery, drawing, knitting, museum"), HOBBY),
        Topic("photography", word("photography: taking pictures with a camera"), HOBBY),
        Topic("reading", word("reading books, novels, magazines, poetry"), HOBBY),
        Topic("screen", word("films, series, television, cinema, streaming"), LIKING),
        Topic("games", word("games: board games, video games, chess, puzzles"), HOBBY),
        Topic("garden", word("gardening: plants, flowers, vegetables on the balcony"), HOBBY),
        Topic("cooking", word("cooking and baking at home, recipes"), HOBBY),
        Topic("travel", word("travel: a trip, holiday, hotel, sightseeing abroad"), LIKING),
        Topic("transport", word("transport: car, train, bus, bicycle, flight, commute"), HABIT),
        Topic("clothes", word("clothes and fashion: shoes, a dress, a jacket, style"), LIKING),
        Topic(
            "interior", word("interior: furniture, colours, decoration, light of a room"), LIKING
        ),
        Topic("weather", word("weather and season: sun, rain, snow, summer, winter"), LIKING),
        Topic("pets", word("pets and animals: dog, cat, bird"), LIKING),
        Topic("company", word("company: friends, family, a crowd, being alone, parties"), LIKING),
        Topic("city", word("the city or country where somebody lives, moving home"), LIKING),
        Topic("job", word("job and career: office, company, colleagues, profession"), HABIT),
        Topic("study", word("studying: a course, school, an exam, a language"), HOBBY),
        Topic("health", word("health: illness, doctor, injury, medicine, sleep"), HABIT),
        Topic(
            "routine", word("daily routine: waking up early, mornings, evenings, bedtime"), HABIT
        ),
        Topic("shopping", word("shopping: market, second hand, brands, prices, money"), LIKING),
        Topic("technology", word("technology: phone, computer, apps, gadgets"), LIKING),
        Topic("volunteering", word("volunteering, charity, community, religion"), HOBBY),
    )


class Topics:
    """Finds slots with an embedder."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._topics = _topics()

    def nearest(self, text: SafeText) -> Topic | None:
        """The topic of a text; None when no topic is near."""
        closeness = self._vectors.similarity([text], [topic.text for topic in self._topics])[0]
        best = int(np.argmax(closeness))
        return self._topics[best] if closeness[best] >= CLOSE_ENOUGH else None
