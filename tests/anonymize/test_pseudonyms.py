"""One person is one placeholder for ever; two people never share one (R4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.pseudonyms import PLACEHOLDER, Kind, PlaceholderMap, fold, label, letters

NAMES = st.text("abcdeé ABCDEÉ-'", min_size=1, max_size=8).filter(lambda name: bool(fold(name)))
PEOPLE = st.sampled_from([Kind.PERSON, Kind.FRIEND, Kind.FAMILY])


def known(*people: tuple[Kind, str]) -> PlaceholderMap:
    now = PlaceholderMap()
    for kind, name in people:
        now, _ = now.assign(kind, name)
    return now


@pytest.mark.parametrize(
    ("number", "text"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")]
)
def test_letters_go_on_after_z(number: int, text: str) -> None:
    assert letters(number) == text


@given(st.integers(0, 20000), st.integers(0, 20000))
def test_no_two_numbers_share_letters(one: int, other: int) -> None:
    assert (letters(one) == letters(other)) == (one == other)


def test_the_form_says_what_is_known() -> None:
    assert label(Kind.FRIEND, 0) == "Friend A"
    assert label(Kind.FAMILY, 1) == "Family B"
    assert label(Kind.PERSON, 0) == "[Person A]"
    assert label(Kind.RESTAURANT, 1) == "[Restaurant B]"
    assert label(Kind.PHONE, 26) == "[Phone AA]"
    assert all(PLACEHOLDER.fullmatch(label(kind, 30)) for kind in Kind)


@given(st.lists(st.tuples(PEOPLE, NAMES), max_size=20), st.randoms())
def test_placeholders_are_stable_and_distinct(
    people: list[tuple[Kind, str]], random: object
) -> None:
    now, first = PlaceholderMap(), {}
    for kind, name in people:
        now, placeholder = now.assign(kind, name)
        assert first.setdefault(fold(name), placeholder) == placeholder
    assert len(set(first.values())) == len(first)
    random.shuffle(people)  # type: ignore[attr-defined]
    for kind, name in people:
        again, placeholder = now.assign(kind, name)
        assert placeholder == first[fold(name)]
        assert again is now


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Siobhán O’Connor", "siobhan o'connor"),
        ("JOSÉ  García", "Jose\u0301 Garcia"),
        ("Łukasz", "Lukasz"),
        ("Ｓａｒａｈ", "sarah"),
    ],
)
def test_spellings_of_one_name_are_one_person(one: str, other: str) -> None:
    now, first = PlaceholderMap().assign(Kind.PERSON, one)
    assert now.find(Kind.FRIEND, other) == first


def test_names_that_differ_by_a_vowel_sign_are_two_people() -> None:
    assert fold("सुनीता") != fold("सनत")
    assert fold("がく") != fold("かく")


def test_a_first_name_joins_the_only_full_name() -> None:
    now, sarah = PlaceholderMap().assign(Kind.FRIEND, "Sarah Miller")
    now, guess = now.assign(Kind.PERSON, "Sarah", guess=True)
    assert guess == sarah
    now, jones = now.assign(Kind.PERSON, "Sarah Jones", guess=True)
    assert jones != sarah


def test_a_first_name_of_two_people_is_nobody_of_them() -> None:
    now = known((Kind.PERSON, "Sarah Miller"), (Kind.PERSON, "Sarah Jones"))
    _, third = now.assign(Kind.PERSON, "Sarah", guess=True)
    assert third == "[Person C]"


def test_what_the_owner_listed_apart_stays_apart() -> None:
    now = known((Kind.PERSON, "Sarah Miller"), (Kind.PERSON, "Sarah"))
    assert now.find(Kind.PERSON, "Sarah") == "[Person B]"


def test_a_merge_can_be_undone() -> None:
    before = known((Kind.PERSON, "Tom Berg"), (Kind.PERSON, "Tommy"))
    merged = before.merge("[Person A]", "[Person B]")
    assert merged.find(Kind.PERSON, "Tommy") == "[Person A]"
    assert merged.reveal("[Person B] laughed") == "Tom Berg laughed"
    after, other = merged.split("[Person A]", ["Tommy"])
    assert other == "[Person B]"
    assert after.entries == before.entries
    assert after.merged == {}


@given(
    st.lists(st.tuples(PEOPLE, NAMES), min_size=3, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=6),
)
def test_merges_undone_in_turn_leave_what_was_there(
    people: list[tuple[Kind, str]], pairs: list[tuple[int, int]]
) -> None:
    now = known(*people)
    states, keeps = [now], []
    for one, other in pairs:
        left = list(now.entries)
        keep, gone = left[one % len(left)], left[other % len(left)]
        if keep == gone:
            continue
        now = now.merge(keep, gone)
        states.append(now)
        keeps.append((keep, gone))
    for (keep, gone), before in zip(reversed(keeps), reversed(states[:-1]), strict=True):
        now, back = now.split(keep)
        assert back == gone
        assert now == before


def test_an_undone_merge_gives_back_what_each_was() -> None:
    before = known((Kind.FRIEND, "Tom Berg"))
    before, _ = before.assign(Kind.PERSON, "Tommy", given=True)
    merged = before.merge("Friend A", "[Person A]").with_alias("Friend A", "Tomcat")
    after, other = merged.split("Friend A", ["Tommy"])
    assert other == "[Person A]"
    assert after.entries["[Person A]"] == before.entries["[Person A]"]
    assert after.find(Kind.PERSON, "Tomcat") == "Friend A"
    assert not after.entries["Friend A"].given


def test_a_forgotten_person_is_in_no_part_either() -> None:
    now = known((Kind.PERSON, "Tom"), (Kind.PERSON, "Ben")).merge("[Person A]", "[Person B]")
    assert now.without("[Person A]").parts == {}


def test_a_split_off_name_never_takes_a_used_letter() -> None:
    now = known((Kind.PERSON, "Tom"), (Kind.PERSON, "Ben")).with_alias("[Person A]", "Ann")
    now, other = now.split("[Person A]", ["Ann"])
    assert other == "[Person C]"


@pytest.mark.parametrize("names", [["Ben"], ["Tom"], [], ["Tom", "Ann"]])
def test_a_split_needs_some_of_the_names(names: list[str]) -> None:
    now = known((Kind.PERSON, "Tom")).with_alias("[Person A]", "Ann")
    if names == ["Tom"]:
        assert now.split("[Person A]", names)[1] == "[Person B]"
        return
    with pytest.raises(ValueError, match=r"some of the names|nothing was merged"):
        now.split("[Person A]", names)


def test_a_person_and_a_venue_are_never_merged() -> None:
    now = known((Kind.PERSON, "Tom"), (Kind.HOTEL, "Ritz"))
    with pytest.raises(ValueError, match="cannot be one"):
        now.merge("[Person A]", "[Hotel A]")


def test_a_forgotten_letter_is_not_given_again() -> None:
    now = known((Kind.PERSON, "Tom")).without("[Person A]")
    assert now.reveal("[Person A]") == "[Person A]"
    assert now.assign(Kind.PERSON, "Ben")[1] == "[Person B]"
