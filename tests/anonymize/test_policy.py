"""Text comes out safe, the same way over years, items, processes and repeats (R4)."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anonymize.keys import KeyFile
from anonymize.names import KnownName, NameList
from anonymize.pii import Recognisers
from anonymize.policy import Redactor
from anonymize.pseudonyms import Kind
from anonymize.vault import Vault
from anonymize.verify import find_secrets

OWN = NameList(
    entries=(
        KnownName(kind=Kind.FRIEND, name="Sarah Miller", aliases=("Sally", "@sallym")),
        KnownName(kind=Kind.FAMILY, name="Ann"),
        KnownName(kind=Kind.RESTAURANT, name="Sakura"),
    )
)
SECRETS = [
    "Sarah Miller",
    "Ann",
    "Sakura",
    "+49 30 901820",
    "tom.berg@example.org",
    "DE89 3704 0044 0532 0130 00",
]
FILLERS = [
    "ate ramen",
    "in Kyoto",
    "on 3 May 2024",
    "for 12.50 EUR",
    "H1",
    "昨日",
    "和",
    "à midi",
    "\n",
]


@pytest.fixture(scope="module")
def recognisers() -> Recognisers:
    return Recognisers(tagger=False)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault.open(tmp_path / "vault.sqlite", KeyFile(tmp_path / "keys"))


@pytest.fixture
def redactor(vault: Vault, recognisers: Recognisers) -> Redactor:
    return Redactor(vault, OWN, recognisers)


def test_names_become_placeholders_and_the_rest_stays(redactor: Redactor) -> None:
    done = redactor.redact("Sally and Ann had ramen at SAKURA in Kyoto on 3 May 2024.")
    assert str(done.text) == (
        "Friend A and Family A had ramen at [Restaurant A] in Kyoto on 3 May 2024."
    )
    assert [(span.start, span.end, span.kind.value) for span in done.spans] == [
        (0, 5, "friend"),
        (10, 13, "family"),
        (27, 33, "restaurant"),
    ]


def test_all_names_of_a_person_are_one_placeholder(redactor: Redactor) -> None:
    texts = ["Sarah Miller", "sally", "ask @sallym", "SARAH MILLER 2018", "Sarah_Miller_2026.jpg"]
    assert all("Friend A" in redactor.redact(text).text.value for text in texts)


def test_a_listed_first_name_hides_the_surname_after_it(redactor: Redactor) -> None:
    assert redactor.redact("Ann Miller's cake").text.value == "Family A's cake"


def test_somebody_named_in_an_annotation_is_found_in_later_texts(
    vault: Vault, redactor: Redactor, recognisers: Recognisers
) -> None:
    given_ = redactor.person("Xiulan Q")
    again = Redactor(Vault.open(vault.path, KeyFile(vault.path.parent / "keys")), None, recognisers)
    assert given_.value == "[Person A]"
    assert again.redact("with XIULAN Q at noon").text.value == "with [Person A] at noon"
    assert again.person("[Person A]") == given_


def test_a_person_of_the_list_keeps_the_relation(redactor: Redactor) -> None:
    assert redactor.person("Sally").value == "Friend A"
    assert redactor.person("Ann").value == "Family A"


def test_a_learned_list_is_known_without_it(
    vault: Vault, redactor: Redactor, recognisers: Recognisers
) -> None:
    redactor.learn(OWN)
    again = Redactor(vault, None, recognisers)
    assert again.redact("Ann, Sally, Sakura").text.value == "Family A, Friend A, [Restaurant A]"


def test_a_recognised_word_name_does_not_hide_the_word(redactor: Redactor) -> None:
    redactor.redact("Dinner with Rose Parker and with Mark Spencer")
    assert redactor.redact("I will mark the rose garden").text.value == (
        "I will mark the rose garden"
    )


def test_a_phone_number_in_two_spellings_is_one(redactor: Redactor) -> None:
    first = redactor.redact("call +49 30 901820").text.value
    second = redactor.redact("Tel. 030 901820", region="DE").text.value
    assert first == "call [Phone A]"
    assert second == "Tel. [Phone A]"


def test_a_place_without_its_street_keeps_the_city(redactor: Redactor) -> None:
    done = redactor.redact("at 12 rue de la Paix, 75002 Paris").text.value
    assert done == "at [Place A], Paris"
    assert redactor.redact(done).text.value == done


def test_a_relation_that_is_told_is_in_the_placeholder(redactor: Redactor) -> None:
    text = "my sister Priya and my friend Diego, then Priya again"
    assert redactor.redact(text).text.value == (
        "my sister Family A and my friend Friend A, then Family A again"
    )


def test_an_alias_that_was_split_off_is_somebody_else_also_for_the_list(
    vault: Vault, redactor: Redactor
) -> None:
    redactor.learn(OWN)
    other = vault.split("Friend A", ["Sally"])
    assert redactor.redact("Sally and Sarah Miller").text.value == f"{other} and Friend A"


def test_letters_go_on_after_z_in_texts(vault: Vault, redactor: Redactor) -> None:
    for number in range(27):
        vault.placeholder_for(Kind.PHONE, f"+4930{number:06}")
    assert redactor.redact("+49 30 901820").text.value == "[Phone AB]"


WORDS_ = st.sampled_from([*SECRETS, *FILLERS, "Lucía Fernández", "Tom", "Ann Kim", "Jürgen"])


@settings(max_examples=25)
@given(st.lists(st.lists(WORDS_, min_size=1, max_size=4), min_size=2, max_size=5), st.randoms())
def test_once_given_the_order_of_texts_changes_nothing(
    recognisers: Recognisers, items: list[list[str]], random: Random
) -> None:
    texts = [", ".join(words) for words in items]
    with TemporaryDirectory() as folder:
        path, key = Path(folder) / "vault.sqlite", KeyFile(Path(folder) / "keys")
        with Vault.open(path, key) as vault:
            redactor = Redactor(vault, OWN, recognisers)
            for text in texts:
                redactor.redact(text)
            first = {text: redactor.redact(text).text.value for text in texts}
        random.shuffle(texts)
        with Vault.open(path, key) as vault:
            again = Redactor(vault, OWN, recognisers)
            assert {text: again.redact(text).text.value for text in texts} == first
            assert all(again.redact(safe).text.value == safe for safe in first.values())
            shown = {entry.placeholder for entry in vault.names()}
            assert len(shown) == len(vault.names())


@given(st.text("abcdefgh", max_size=6), st.text("abcdefgh", max_size=6))
def test_a_name_inside_a_word_is_no_name(before: str, after: str) -> None:
    word = f"{before}ann{after}"
    hits = OWN.find(f"the {word} came")
    assert bool(hits) == (word == "ann")


def test_an_empty_text_stays_empty(redactor: Redactor) -> None:
    assert redactor.redact("").text.value == ""


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.sampled_from(SECRETS + FILLERS), min_size=1, max_size=8),
    st.sampled_from([" ", ", ", " - ", "\n"]),
)
def test_no_planted_secret_comes_through_and_twice_is_once(
    redactor: Redactor, parts: list[str], between: str
) -> None:
    text = between.join(parts)
    once = redactor.redact(text)
    for secret in SECRETS:
        if secret in parts:
            assert secret not in once.text.value
    assert redactor.redact(once.text.value).text == once.text
    assert redactor.redact(text).text == once.text
    for part in set(parts) & {"ate ramen", "in Kyoto", "on 3 May 2024", "for 12.50 EUR", "H1"}:
        assert part in once.text.value


def test_nothing_secret_lies_in_the_folder(redactor: Redactor, tmp_path: Path) -> None:
    for secret in SECRETS:
        redactor.redact(f"note: {secret} in Kyoto")
    assert find_secrets(tmp_path, [*SECRETS, "Sally", "sallym"]) == []
