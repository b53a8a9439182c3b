"""The questions of the sample archive: what a person might ask on 12 January 2026."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from sample_archive.story import by_key

QUESTIONS = Path(__file__).with_name("qa.jsonl")
ASKED_AT = "2026-01-12T12:00:00"
NOTHING = "Nothing in the archive says."


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question; `ranked` holds the options of a choice, best first."""

    subtask: str
    question: str
    evidence: tuple[str, ...]
    answer: str = ""
    key_points: tuple[str, ...] = ()
    ranked: tuple[str, ...] = ()
    photo: str = ""


def _fact(subtask: str, question: str, answer: str, *evidence: str, photo: str = "") -> Ask:
    return Ask(subtask=subtask, question=question, answer=answer, evidence=evidence, photo=photo)


def _persona(subtask: str, question: str, points: Sequence[str], *evidence: str) -> Ask:
    return Ask(subtask=subtask, question=question, key_points=tuple(points), evidence=evidence)


def _choice(subtask: str, question: str, ranked: Sequence[str], *evidence: str) -> Ask:
    return Ask(subtask=subtask, question=question, ranked=tuple(ranked), evidence=evidence)


RECALL: tuple[Ask, ...] = (
    _fact("1.1", "When did I try climbing for the first time?", "10 April 2021", "wall-first"),
    _fact("1.1", "Who was with me on the first climbing evening?", "Marta Quental", "wall-first"),
    _fact(
        "1.1",
        "Where did I spend the evening of Christmas Eve in 2024?",
        "At my mother's in Lisbon",
        "mother-2024",
    ),
    _fact(
        "1.1",
        "What did we go to see in the United States in February 2022, and with whom?",
        "A rocket launch at Titusville, with my mother Helena",
        "launch",
    ),
    _fact("1.1", "Which day did my cat arrive?", "18 November 2023", "mikan"),
    _fact("1.1", "Where was I when I turned thirty?", "At home in Alfama, Lisbon", "birthday-30"),
    _fact(
        "1.1",
        "Who helped me at the doctor's when my stomach was bad in September 2023?",
        "Kenji Morita",
        "clinic-stomach",
    ),
    _fact(
        "1.1",
        "What was I doing last summer on the second of August?",
        "Walking up Mount Hiei with Kenji",
        "mountains",
    ),
    _fact(
        "1.1",
        "Who went to the snow with me in the winter of 2025, and how did we travel?",
        "Kenji Morita, by train",
        "sapporo",
    ),
    _fact(
        "1.1", "In which town did I lie looking for shooting stars?", "Monsaraz, Portugal", "stars"
    ),
    _fact(
        "1.1",
        "What did Aiko leave for me at my place when I started at the company in Kyoto?",
        "A map of the lunch places",
        "office-first",
    ),
    _fact(
        "1.1", "When did I eat fish again after a long time without it?", "10 May 2025", "mackerel"
    ),
    _fact(
        "1.1",
        "What happened with the trip to Tokyo in August 2024?",
        "It was called off: a typhoon stopped the trains",
        "trains-off",
    ),
    _fact("1.1", "When did I last go scuba diving?", NOTHING),
    _fact("1.1", "Who was my driving instructor in 2022?", NOTHING),
    _fact("1.2", "How much were the climbing shoes I bought?", "89.90 euros", "receipt-shoes"),
    _fact("1.2", "What seat did I have on the plane to Athens?", "14A", "ticket-athens"),
    _fact(
        "1.2",
        "What was the code for the wireless at the guest house in Porto?",
        "ribeira-1887",
        "wifi-sign",
    ),
    _fact("1.2", "What did the moussaka cost at the taverna?", "9.80", "menu-athens"),
    _fact("1.2", "What number did I wear at the half marathon in Lisbon?", "4182", "bib-lisbon"),
    _fact("1.2", "What was my net time in the Kyoto half marathon?", "1:52:08", "finish-kyoto"),
    _fact(
        "1.2",
        "Which two medicines was I given for my stomach?",
        "Famotidine 20 mg and rebamipide 100 mg",
        "medicine",
    ),
    _fact("1.2", "What was the total for my glasses in 2024?", "38,500 yen", "glasses"),
    _fact(
        "1.2", "How hot is the outdoor pool at the ryokan in Sapporo?", "42 degrees", "onsen-sign"
    ),
    _fact("1.2", "What is the refund code for the cancelled train?", "KT-7741-Q", "trains-off"),
    _fact("1.2", "How much did the kiln's open day take in altogether?", "28,000 yen", "kiln-till"),
    _fact(
        "1.2",
        "Which coach and seat were on the ticket to Porto?",
        "Coach 23, seat 67",
        "porto-ticket",
    ),
    _fact("1.2", "What does my gas bill for December 2025 say I owe?", NOTHING),
    _fact(
        "1.3",
        "How many times did I go to the market at Tō-ji?",
        "4",
        "toji-first",
        "toji-oct",
        "toji-april",
        "toji-may",
    ),
    _fact(
        "1.3",
        "How many Saturday runs did I photograph or film in 2023?",
        "3",
        "run-kamo",
        "run-clip",
        "run-nov",
    ),
    _fact(
        "1.3",
        "Which foreign countries did I travel to on holiday from 2021 to 2025?",
        "Greece, the United States, South Korea and Taiwan",
        "ruins",
        "launch",
        "seoul",
        "taipei",
    ),
    _fact(
        "1.3",
        "When was the last time I was at the climbing wall to climb?",
        "17 September 2022",
        "wall-sep",
    ),
    _fact(
        "1.3",
        "How many evenings at the climbing wall did I take pictures of in 2022?",
        "2",
        "wall-apr",
        "wall-sep",
    ),
    _fact(
        "1.3",
        "In which of my two half marathons was I faster?",
        "The Kyoto one in February 2025 (1:52:08 against 2:04:31)",
        "finish-lisbon",
        "finish-kyoto",
    ),
    _fact(
        "1.3",
        "How many times have I been to Kissa Tombo, and when was the first?",
        "3 times, the first on 12 October 2023",
        "hojicha-first",
        "hojicha-feb",
        "hojicha-july",
    ),
    _fact(
        "1.3",
        "Which came first, the cat or the first pottery lesson?",
        "The cat, three weeks earlier (18 November and 9 December 2023)",
        "mikan",
        "wheel-first",
    ),
    _fact(
        "1.3",
        "On how many Christmas Eves did I only see my mother on a screen?",
        "2 (2023 and 2025)",
        "call-christmas",
        "call-2025",
    ),
    _fact(
        "1.3",
        "How many trips did I make with Marta after I had moved to Japan?",
        "2: Seoul in 2024 and Taipei in 2025",
        "seoul",
        "taipei",
    ),
    _fact(
        "1.4",
        "Where was this taken, and who told me to take the first train?",
        "At Fushimi Inari in Kyoto; Aiko Tanabe",
        "gates",
        photo="gates",
    ),
    _fact(
        "1.4",
        "Who sent me this picture, and who is in it?",
        "Tomás Leal sent it; my brother Duarte is in it",
        "duarte-film",
        photo="duarte-film",
    ),
    _fact(
        "1.4",
        "Which city was this, and how long did I stay in front of it?",
        "Athens; an hour",
        "coins",
        photo="coins",
    ),
    _fact(
        "1.4",
        "What was the occasion for wearing this?",
        "Gion Matsuri in July 2023",
        "yukata",
        photo="yukata",
    ),
    _fact(
        "1.4",
        "Did these all survive the firing?",
        "No: five went in and four came out",
        "first-firing",
        photo="first-firing",
    ),
    _fact(
        "1.4",
        "What was in this bowl, and where did I eat it?",
        "Pumpkin soup, at home in Kyoto",
        "pumpkin",
        photo="pumpkin",
    ),
    _fact(
        "1.4",
        "On what day did I get this, and what did the examiner let me do?",
        "8 March 2024; photograph the screen",
        "eye",
        photo="eye",
    ),
    _fact(
        "1.4",
        "Who brought these, and why?",
        "My friends each brought the same pastry to my farewell dinner",
        "farewell",
        photo="farewell",
    ),
)

PERSONA: tuple[Ask, ...] = (
    _persona(
        "2.1",
        "What do my Saturday mornings look like?",
        (
            "I run on Saturday mornings",
            "it has held from 2021 to 2026",
            "by the Tagus first, by the Kamo now",
        ),
        "run-first",
        "run-jan",
        "run-kamo",
        "run-dec",
        "run-2026",
    ),
    _persona(
        "2.1",
        "What do I do on Thursdays?",
        ("I go to the same café every Thursday", "Café Janela in Lisbon, Kissa Tombo in Kyoto"),
        "espresso-2021",
        "espresso-2022",
        "hojicha-first",
        "hojicha-july",
    ),
    _persona(
        "2.1",
        "How do I like to travel?",
        ("trains rather than planes", "a window seat when I fly"),
        "porto-train",
        "sapporo",
        "ticket-athens",
        "plane",
    ),
    _persona(
        "2.1",
        "How would you describe the way I buy clothes?",
        ("second-hand rather than new", "plain rather than decorated"),
        "coat",
        "yukata",
        "jacket",
        "glasses",
    ),
    _persona(
        "2.1",
        "Is there a day of the month that means something to me?",
        ("the 21st", "the temple market at Tō-ji"),
        "toji-first",
        "toji-oct",
        "toji-april",
        "toji-may",
    ),
    _persona(
        "2.1",
        "Am I a morning or an evening person when I want to see something?",
        ("early morning", "before the crowds come"),
        "ruins",
        "gates",
        "bamboo",
        "new-year",
    ),
    _persona(
        "2.1",
        "What kind of objects am I drawn to?",
        ("things made by hand", "pottery above all"),
        "tiles",
        "toji-first",
        "pots-jan",
        "kiln-sale",
    ),
    _persona(
        "2.2",
        "How has what I eat changed over the years?",
        (
            "red meat in 2021 and 2022, pork broth in early 2023",
            "vegetables and tofu from October 2023",
            "fish again from May 2025",
        ),
        "steak",
        "ramen-april",
        "shojin",
        "mackerel",
        "taipei-menu",
    ),
    _persona(
        "2.2",
        "How has my Thursday drink changed?",
        ("espresso in Lisbon", "roasted tea since October 2023", "no coffee even back in Lisbon"),
        "espresso-2021",
        "espresso-2022",
        "hojicha-first",
        "janela-again",
    ),
    _persona(
        "2.2",
        "How did climbing come and go in my life?",
        (
            "started in April 2021",
            "three times a week in 2022",
            "shoulder injury in November 2022, gave up in December",
        ),
        "wall-first",
        "wall-apr",
        "clinic-shoulder",
        "quit-wall",
    ),
    _persona(
        "2.2",
        "Trace how I came to pottery and how far I have got.",
        (
            "trial lesson in December 2023",
            "first pieces fired in June 2024",
            "group show in March 2025, sold bowls in September 2025",
        ),
        "wheel-first",
        "first-firing",
        "group-show",
        "kiln-sale",
    ),
    _persona(
        "2.2",
        "How has my working life moved since 2021?",
        (
            "data analyst at Marefluxo in Lisbon",
            "UX researcher at Tsuzumi Labs in Kyoto from April 2023",
            "three days a week at a craft museum from January 2025",
        ),
        "desk-marefluxo",
        "office-first",
        "contract",
        "museum-first",
    ),
    _persona(
        "2.2",
        "Do I still like a noisy night out?",
        ("loved loud crowded nights in 2021", "prefer quiet places since the end of 2023"),
        "sardines",
        "concert",
        "maple",
        "taipei",
    ),
    _persona(
        "2.2",
        "Sea or mountains: has my answer changed?",
        ("the sea in 2021 and 2022", "the mountains in August 2025"),
        "beach",
        "waves",
        "mountains",
    ),
    _persona(
        "2.3",
        "Why did I give up climbing?",
        ("a fall injured my shoulder in November 2022", "I was afraid of the wall"),
        "clinic-shoulder",
        "physio",
        "quit-wall",
    ),
    _persona(
        "2.3",
        "Why did I stop eating meat?",
        (
            "gastritis in September 2023",
            "Kenji's dare of a month without meat",
            "I slept well again",
        ),
        "clinic-stomach",
        "medicine",
        "shojin",
    ),
    _persona(
        "2.3",
        "What made me go back to fish?",
        ("a blood test showed a lack of iron", "grilled mackerel with Kenji in Osaka"),
        "mackerel",
    ),
    _persona(
        "2.3",
        "What was behind leaving Tsuzumi Labs?",
        ("too many meetings, worn out", "I wanted fewer hours", "time for the pottery studio"),
        "whiteboard-tsuzumi",
        "contract",
    ),
    _persona(
        "2.3",
        "How come I no longer drink coffee?",
        ("the doctor took it away for gastritis", "roasted tea took its place"),
        "medicine",
        "hojicha-first",
        "janela-again",
    ),
    _persona(
        "2.3",
        "Why did I leave Lisbon?",
        ("an offer from Tsuzumi Labs in Kyoto", "I wanted to live abroad while I could"),
        "offer",
        "boxes",
        "plane",
    ),
)

CHOICE: tuple[Ask, ...] = (
    _choice(
        "3.1",
        "A friend takes me out to lunch in Kyoto this week. What will I most likely order?",
        (
            "Grilled salmon with mountain vegetables",
            "Simmered tofu and greens",
            "Rich pork ramen with extra meat",
            "Rare beef steak",
        ),
        "mackerel",
        "taipei-menu",
        "shojin",
    ),
    _choice(
        "3.1",
        "It is Thursday afternoon and I have an hour. Where am I?",
        (
            "At my usual corner with a roasted tea",
            "Trying out a new tea house across town",
            "In an espresso bar with a double shot",
            "At a beer hall with a band",
        ),
        "hojicha-july",
        "hojicha-feb",
        "janela-again",
    ),
    _choice(
        "3.1",
        "Which Saturday morning is the likeliest for me this month?",
        (
            "A run along the river at eight",
            "A slow breakfast at home with the cat",
            "A bouldering session",
            "Sleeping until noon after a club",
        ),
        "run-2026",
        "run-dec",
        "quit-wall",
    ),
    _choice(
        "3.1",
        "I have to be in Tokyo next week. How do I get there?",
        (
            "By Shinkansen, at the window",
            "By night bus",
            "By plane, window seat",
            "By plane, aisle seat",
        ),
        "sapporo",
        "porto-train",
        "plane",
    ),
    _choice(
        "3.1",
        "I need a warm coat. What do I do?",
        (
            "Look in second-hand shops for something plain",
            "Borrow one from a friend",
            "Buy a plain new one in a department store",
            "Order a sequinned designer coat",
        ),
        "jacket",
        "coat",
        "glasses",
    ),
    _choice(
        "3.1",
        "How do I spend a free Friday at home in Kyoto these days?",
        (
            "At the wheel in the pottery studio",
            "Cooking soup and reading with the cat",
            "A day trip to a busy theme park",
            "Climbing in a gym",
        ),
        "kiln-sale",
        "room-night",
        "list-2026",
        "quit-wall",
    ),
    _choice(
        "3.1",
        "A recruiter offers me four jobs. Which one tempts me most?",
        (
            "Two more paid days in a five-person ceramics archive",
            "Part-time research for a small design studio",
            "Full-time researcher in a mid-sized company",
            "Lead of a forty-person analytics team with overtime",
        ),
        "contract",
        "museum-first",
        "whiteboard-tsuzumi",
    ),
    _choice(
        "3.1",
        "Which outing would I pick for a day in the country next August?",
        (
            "Walking a long mountain ridge at dawn",
            "A quiet bay early in the morning",
            "A crowded beach at noon",
            "An outdoor rave by the sea",
        ),
        "mountains",
        "bamboo",
        "taipei",
    ),
    _choice(
        "3.2",
        "Kenji wants to book a table for my dinner. Which place should he take?",
        (
            "A small counter that grills fish and vegetables over charcoal",
            "A temple kitchen serving tofu courses",
            "A lively izakaya known for pork skewers",
            "An all-you-can-eat beef barbecue",
        ),
        "mackerel",
        "taipei-menu",
        "maple",
    ),
    _choice(
        "3.2",
        "Find me somewhere to stay for two nights by the Japan Sea.",
        (
            "A quiet inn with a bath, reached by a local train",
            "A plain guest house by the station",
            "A large resort reached by a short flight",
            "A party hostel above a bar",
        ),
        "onsen-sign",
        "sapporo",
        "taipei",
    ),
    _choice(
        "3.2",
        "My mother is coming to Kyoto for three days in spring. Which plan suits us?",
        (
            "Dawn at a quiet temple garden, then the studio with Haruka",
            "A morning by the river under the blossom, lunch outdoors",
            "The most famous shrine at midday",
            "A night tour of noisy bars",
        ),
        "bamboo",
        "mother-sideways",
        "blossom-2024",
    ),
    _choice(
        "3.2",
        "What would be a good present to myself for my birthday?",
        (
            "A share in the next kiln firing",
            "A second-hand book on glazes",
            "New trail-running shoes",
            "A year at a climbing gym",
        ),
        "list-2026",
        "group-show",
        "room-night",
        "quit-wall",
    ),
    _choice(
        "3.2",
        "I have one free weekday: help me plan it.",
        (
            "Studio in the morning, roasted tea in the afternoon",
            "The temple market, if it is the 21st",
            "Extra shifts for a consultancy",
            "A steak lunch and a shopping mall",
        ),
        "contract",
        "hojicha-july",
        "toji-may",
    ),
    _choice(
        "3.2",
        "Which race should I enter this year?",
        (
            "A half marathon on a river course",
            "A ten-kilometre run before breakfast",
            "An indoor climbing contest",
            "A midnight neon fun run with DJs",
        ),
        "list-2026",
        "finish-kyoto",
        "quit-wall",
    ),
    _choice(
        "3.2",
        "Marta asks what we should do when I am back in Lisbon in August. What should I answer?",
        (
            "An early walk through Alfama and grilled fish at noon",
            "A train along the coast to Porto",
            "An espresso crawl through the old town",
            "Three nights of stadium concerts",
        ),
        "mackerel",
        "janela-again",
        "porto-train",
        "taipei",
    ),
)


def _options(ask: Ask) -> tuple[list[dict[str, str]], list[str]]:
    """The options in an order that says nothing, and the ranking by their ids."""
    rng = np.random.default_rng(crc32(ask.question.encode()))
    order = [int(k) for k in rng.permutation(len(ask.ranked))]
    letters = {place: "abcdefgh"[shown] for shown, place in enumerate(order)}
    shown = [{"id": letters[place], "text": ask.ranked[place]} for place in order]
    return shown, [letters[place] for place in range(len(ask.ranked))]


def _row(ask: Ask, number: int) -> dict[str, object]:
    items = by_key()
    row: dict[str, object] = {
        "id": f"sa-{ask.subtask}-{number:02d}",
        "tier": f"T{ask.subtask[0]}",
        "subtask": ask.subtask,
    }
    row |= {"question": ask.question, "asked_at": ASKED_AT}
    if ask.photo:
        row["photo"] = items[ask.photo].path
    if ask.answer:
        row["answer"] = ask.answer
    row["evidence"] = [items[key].path for key in ask.evidence]
    if ask.key_points:
        row["key_points"] = list(ask.key_points)
    if ask.ranked:
        row["options"], row["ranking"] = _options(ask)
    return row


def question_rows() -> list[dict[str, object]]:
    """Every question as a line of qa.jsonl, numbered within its subtask."""
    seen: dict[str, int] = {}
    rows: list[dict[str, object]] = []
    for ask in (*RECALL, *PERSONA, *CHOICE):
        seen[ask.subtask] = seen.get(ask.subtask, 0) + 1
        rows.append(_row(ask, seen[ask.subtask]))
    return rows
