"""Personal details are found in every script and national form; what tells nobody stays (R3)."""

import time

import pytest

from anonymize.names import KnownName, NameList
from anonymize.pii import Recognisers
from anonymize.pseudonyms import Kind

OWN = NameList(
    entries=(
        KnownName(kind=Kind.FRIEND, name="Ann"),
        KnownName(kind=Kind.RESTAURANT, name="Sakura", aliases=("さくら",)),
    )
)


@pytest.fixture(scope="module")
def recognisers() -> Recognisers:
    return Recognisers()


def hidden(recognisers: Recognisers, text: str, region: str | None = None) -> list[tuple[str, str]]:
    return [
        (text[span.start : span.end], span.kind.value)
        for span in recognisers.find(text, OWN, region)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Write to anna.b@example.org.", ("anna.b@example.org", "email")),
        ("see https://x.org/a?b=1.", ("https://x.org/a?b=1", "link")),
        ("ask @annab_22 about it", ("@annab_22", "handle")),
        ("IBAN DE89 3704 0044 0532 0130 00 PAID", ("DE89 3704 0044 0532 0130 00", "iban")),
        ("visa 4111 1111 1111 1111", ("4111 1111 1111 1111", "card")),
        ("PNR: X7K2QP", ("X7K2QP", "booking")),
        ("Buchungscode QWERTZ", ("QWERTZ", "booking")),
        ("予約番号：AB12CD34", ("AB12CD34", "booking")),
        ("parked next to AB-123-CD", ("AB-123-CD", "plate")),
        ("京A·12345", ("京A·12345", "plate")),
        ("license plate 7ABC123 again", ("7ABC123", "plate")),
        ("221B Baker Street, London", ("221B Baker Street", "place")),
        ("12 rue de la Paix, 75002 Paris", ("12 rue de la Paix, 75002", "place")),
        ("Hauptstraße 12, 10115 Berlin", ("Hauptstraße 12, 10115", "place")),
        ("Calle Mayor 5, 28013 Madrid", ("Calle Mayor 5, 28013", "place")),
        ("Rua Augusta 24, Lisboa", ("Rua Augusta 24", "place")),
        ("35.01164, 135.76813", ("35.01164, 135.76813", "place")),
        ("Passenger: MILLER/SARAH MRS", ("MILLER/SARAH MRS", "person")),
        ("Dinner with Sarah Miller in Rome", ("Sarah Miller", "person")),
        ("昨天和王小明吃饭", ("王小明", "person")),
        ("佐藤花子と寿司を食べた", ("佐藤花子", "person")),
        ("어제 김민수랑 비빔밥을 먹었다", ("김민수", "person")),
        ("सुनीता शर्मा के साथ दिल्ली में", ("सुनीता शर्मा", "person")),
        ("Cena con Lucía Fernández en Sevilla", ("Lucía Fernández", "person")),
        ("Abendessen mit Jürgen Schäfer", ("Jürgen Schäfer", "person")),
        ("Jantar com João Silva em Lisboa", ("João Silva", "person")),
        ("Lunch at Osteria Bella", ("Osteria Bella", "restaurant")),
        ("近くのさくらで", ("さくら", "restaurant")),
        ("my sister Priya sang", ("Priya", "family")),
        ("notre amie Margaux habite ici", ("Margaux", "friend")),
        ("Meine Kollegin Heike hilft", ("Heike", "colleague")),
        ("Restaurant Chez Lucie in Lyon", ("Restaurant Chez Lucie", "restaurant")),
        ("Hotel Adler in Berlin", ("Hotel Adler", "hotel")),
        ("10115 Berlin", ("10115", "place")),
        ("1012 AB Amsterdam", ("1012 AB", "place")),
        ("London SW1A 1AA", ("SW1A 1AA", "place")),
        ("SMITH/JOHN MR 14A", ("SMITH/JOHN MR", "person")),
        ("QUUXLEY/ZEB MR 14A", ("QUUXLEY/ZEB MR", "person")),
        ("Booking ref ABC123", ("ABC123", "booking")),
        ("Nora Lee: see you at 9", ("Nora Lee", "person")),
        ("[12:03] Zuzka: bring the map", ("Zuzka", "person")),
        ("[01.02.21, 13:45:01] Torvin: Hallo", ("Torvin", "person")),
        ("01/02/2021, 13:45 - Paul Meier: Hallo", ("Paul Meier", "person")),
        ("[20:15] 高伟：明天九点", ("高伟", "person")),
        ("서연 오후 3:20 강남역", ("서연", "person")),
        ("WhatsApp Chat with Sarah Miller", ("Sarah Miller", "person")),
        ("Screenshot Lucas Moreau.png", ("Lucas Moreau", "person")),
        ("मेरा नंबर 98765 43210 है", ("98765 43210", "phone")),
        ("A Jussara fez moqueca", ("Jussara", "person")),
        ("bises, Aurore", ("Aurore", "person")),
    ],
)
def test_a_detail_is_found(recognisers: Recognisers, text: str, found: tuple[str, str]) -> None:
    assert hidden(recognisers, text) == [found]


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("Tel 01 42 68 53 00", "FR"),
        ("call 020 7946 0958", "GB"),
        ("+351 912 345 678", None),
        ("Tel. 030 901820", "DE"),
        ("電話 03-3201-3331", "JP"),
        ("전화 02-312-3456", "KR"),
        ("电话 010 6552 9988", "CN"),
        ("फोन 098101 23456", "IN"),
        ("tel 91 234 56 78", "ES"),
        ("(212) 736-5000", "US"),
        ("ring 01 42 68 53 00 tomorrow", None),
        ("ring 020 7946 0958 tomorrow", None),
    ],
)
def test_phones_in_national_form(recognisers: Recognisers, text: str, region: str | None) -> None:
    ((_, kind),) = hidden(recognisers, text, region)
    assert kind == "phone"


@pytest.mark.parametrize(
    "text",
    [
        "2023-05-26 20:11 Total 12.50 EUR",
        "26.05.2023 - 28.05.2023",
        "20230526_200122948",
        "H1 Summary",
        "TONKOTSU RAMEN 950",
        "WELCOME TO THE MUSEUM OF MODERN ART",
        "Mum and Dad in Zürich",
        "Paris in April, Florence in May",
        "I will mark the date",
        "Anniversary in Cannes",
        "IMG_1234.jpg and notes.py",
        "Pad Thai and Tom Yum at the night market in Bangkok",
        "Starbucks, Nike and Toyota",
        "12 eggs, 500 g flour, 180 °C for 25 min",
        "Gate B22, Seat 14C, 10:45",
        "Mont Saint-Michel at low tide",
        "北京烤鸭很好吃",
        "京都の紅葉がきれいだった",
        "제주도에서 흑돼지를 먹었다",
        "दिल्ली में छोले भटूरे खाए",
        "Spargel mit Kartoffeln in Berlin",
        "Tortilla y gazpacho en Sevilla",
        "Pastel de nata em Lisboa",
        "Raclette à Genève en janvier",
        "2019 Paris",
        "10000 steps in Kyoto",
        "Total: 12.50, Menu: soup",
        "小计：38元",
    ],
)
def test_what_tells_nobody_stays(recognisers: Recognisers, text: str) -> None:
    assert hidden(recognisers, text) == []


def test_who_an_album_is_about(recognisers: Recognisers) -> None:
    for text in ("Hochzeit Anna & Paul 2019", "IMG_Anna_Paul_2019.jpg", "Wedding Anna and Paul"):
        assert hidden(recognisers, text) == [("Anna", "person"), ("Paul", "person")]


def test_bytes_that_are_no_text_stop_nothing(recognisers: Recognisers) -> None:
    assert hidden(recognisers, "\udcff call 020 7946 0958", "GB") == [("020 7946 0958", "phone")]


def test_placeholders_are_left_alone(recognisers: Recognisers) -> None:
    text = "Friend A met [Person B] at [Restaurant AA], call [Phone C]"
    assert hidden(recognisers, text) == []


def test_a_surname_after_a_listed_name_is_hidden_with_it(recognisers: Recognisers) -> None:
    assert hidden(recognisers, "Lunch with Ann Miller today") == [("Ann Miller", "friend")]


def test_a_long_text_takes_time_in_proportion(recognisers: Recognisers) -> None:
    sentence = "We had soup near the river with Sarah Miller, then walked home. "
    hidden(recognisers, sentence)
    started = time.process_time()
    found = hidden(recognisers, sentence * 400)
    assert len(found) == 400
    assert time.process_time() - started < 30


@pytest.mark.parametrize(
    "piece", ["1 ", "A" * 9 + " ", "@" * 3, "a.", "Rua ", "(0", "12-", "-" * 5]
)
def test_hostile_repetition_is_no_trap(recognisers: Recognisers, piece: str) -> None:
    started = time.process_time()
    hidden(recognisers, piece * (20000 // len(piece)))
    assert time.process_time() - started < 30
