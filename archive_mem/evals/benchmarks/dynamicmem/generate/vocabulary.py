"""The words that generated people live by: attributes, choices, habits, idle calls.

All of it was made up for this. Names of apps, firms and places stand for nobody.
"""

from dataclasses import dataclass, field

__all__ = [
    "ATTRIBUTES",
    "HABITS",
    "IDLE",
    "PREFERENCES",
    "Attribute",
    "Call",
    "Habit",
    "Preference",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of an app; `{}` in a value of `fields` stands for what the call is about.

    app, api: which
    fields: of its request
    """

    app: str
    api: str
    fields: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A fact that holds until it changes.

    key, question: how it is asked for
    values: what it may be
    sets: the call that begins it
    hints: calls that show it in passing
    others: calls that show another person's, or an old one's
    scenario, instruction, slot: a service that needs it; slot is the path in its template
    """

    key: str
    question: str
    values: tuple[str, ...]
    sets: Call
    hints: tuple[Call, ...]
    others: tuple[Call, ...]
    scenario: str
    instruction: str
    slot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """A taste that no log says; it shows in what is taken among what is offered.

    key, question: how it is asked for
    options: what is offered
    call: how one is taken; "{}" is the one taken
    offered: name of the list of offers in the response
    noun: what the options are, such as "seat"
    scenario, instruction, slot: a search that needs it
    """

    key: str
    question: str
    options: tuple[str, ...]
    call: Call
    offered: str
    noun: str
    scenario: str
    instruction: str
    slot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """A routine.

    key, question: how it is asked for
    names: what it is called, the plain name first
    frequency: daily, weekly, biweekly, monthly_by_date or monthly_nth_weekday
    per_week: how many days a week, for weekly
    hours: when it may start
    places: where; empty for none
    call: how it is logged; "{}" is the name, "{place}" the place
    scene: what can be seen of the moment, without the routine's name
    """

    key: str
    question: str
    names: tuple[str, ...]
    frequency: str
    hours: tuple[int, int]
    places: tuple[str, ...]
    call: Call
    scene: str
    per_week: tuple[int, ...] = field(default=(1, 2, 3))


ATTRIBUTES = (
    Attribute(
        key="employer",
        question="Which company does the user work for now?",
        values=("Northbeam Studio", "Harrow Analytics", "Tallow and Pine", "Quillmark Press"),
        sets=Call(app="DeskFlow", api="update_work_profile", fields={"company": "{}"}),
        hints=(
            Call(app="DeskFlow", api="clock_in", fields={"company": "{}", "door": "main"}),
            Call(app="PocketBank", api="incoming_salary", fields={"company": "{}"}),
        ),
        others=(Call(app="DeskFlow", api="view_job_advert", fields={"advertiser": "{}"}),),
        scenario="The user is filling in the work section of a travel visa form.",
        instruction="Fill in the employer of the user.",
        slot="work_section.employer_company",
    ),
    Attribute(
        key="home_district",
        question="In which district does the user live now?",
        values=("Mill Quarter", "Oldharbour", "Saint Brannock", "Lower Fenwick"),
        sets=Call(app="CartNest", api="set_home_address", fields={"home_district": "{}"}),
        hints=(
            Call(app="PlateDash", api="place_order", fields={"deliver_to_district": "{}"}),
            Call(app="HopCar", api="ride_home", fields={"home_district": "{}"}),
        ),
        others=(
            Call(app="CartNest", api="send_gift", fields={"recipient_district": "{}"}),
            Call(app="HopCar", api="visit_friend", fields={"friend_district": "{}"}),
        ),
        scenario="The user is booking a boiler inspection and has to say where they live.",
        instruction="Fill in the district of the user's home.",
        slot="visit.home_district",
    ),
    Attribute(
        key="phone_model",
        question="Which phone does the user own now?",
        values=("Aster 7", "Lumen Fold", "Kestrel Mini", "Oriel 12 Pro"),
        sets=Call(app="CloudKeep", api="register_phone", fields={"phone_model": "{}"}),
        hints=(Call(app="CloudKeep", api="backup_finished", fields={"phone_model": "{}"}),),
        others=(Call(app="CartNest", api="compare_phones", fields={"looked_at": "{}"}),),
        scenario="The user is ordering a protective case in a shop for phone accessories.",
        instruction="Set the phone that the case has to fit.",
        slot="case_order.phone_model",
    ),
    Attribute(
        key="music_subscription",
        question="Which music subscription plan does the user have now?",
        values=("Wavelet Solo", "Wavelet Family", "Wavelet Student", "Wavelet Hi-Res"),
        sets=Call(app="Wavelet", api="change_plan", fields={"music_plan": "{}"}),
        hints=(Call(app="PocketBank", api="card_payment", fields={"music_subscription": "{}"}),),
        others=(Call(app="Wavelet", api="show_offer", fields={"advertised": "{}"}),),
        scenario="The user is connecting a new loudspeaker to their music account.",
        instruction="Configure the music subscription plan.",
        slot="speaker_setup.music_plan",
    ),
    Attribute(
        key="health_insurer",
        question="Who insures the user's health now?",
        values=("Beacon Mutual", "Corda Health", "Elm and Ivy Cover", "Sable Care"),
        sets=Call(app="ClinicLine", api="add_insurance", fields={"health_insurer": "{}"}),
        hints=(Call(app="ClinicLine", api="book_visit", fields={"health_insurer": "{}"}),),
        others=(Call(app="PocketBank", api="quote_request", fields={"asked_insurer": "{}"}),),
        scenario="The user is registering with a new physiotherapist.",
        instruction="Fill in the health insurer.",
        slot="registration.health_insurer",
    ),
    Attribute(
        key="bicycle",
        question="Which bicycle does the user ride now?",
        values=("Ridgeback Tourer", "Swallow Cargo", "Fenland Gravel", "Tern Folder"),
        sets=Call(app="ParkEasy", api="register_bicycle", fields={"bicycle": "{}"}),
        hints=(Call(app="ParkEasy", api="unlock_stand", fields={"bicycle": "{}"}),),
        others=(Call(app="CartNest", api="watch_listing", fields={"listing": "{}"}),),
        scenario="The user is taking out theft insurance for what they ride.",
        instruction="Configure which bicycle is insured.",
        slot="theft_cover.bicycle",
    ),
    Attribute(
        key="dentist_practice",
        question="Which dentist practice does the user go to now?",
        values=("Whitlow Dental", "Bright Lane Dentists", "Cobble Street Teeth", "Marrow Dental"),
        sets=Call(app="ClinicLine", api="choose_dentist", fields={"dentist_practice": "{}"}),
        hints=(Call(app="ClinicLine", api="dentist_reminder", fields={"dentist_practice": "{}"}),),
        others=(Call(app="MapTrail", api="search_nearby", fields={"result": "{}"}),),
        scenario="The user is sending X-ray pictures to where their teeth are looked after.",
        instruction="Set the dentist practice that receives them.",
        slot="transfer.dentist_practice",
    ),
)

PREFERENCES = (
    Preference(
        key="seat_choice",
        question="Which seat does the user prefer on trains and planes?",
        options=("aisle seats", "window seats", "quiet car seats"),
        call=Call(app="TripLoom", api="choose_seat", fields={"seat": "{}"}),
        offered="seats_offered",
        noun="seat",
        scenario="The user is planning a rail journey and the seat filters are still empty.",
        instruction="Set the seat filters.",
        slot="seat_filter",
    ),
    Preference(
        key="milk_in_coffee",
        question="Which milk does the user prefer in coffee?",
        options=("oat milk", "dairy milk", "almond milk"),
        call=Call(app="BeanLine", api="order_coffee", fields={"milk": "{}"}),
        offered="milk_offered",
        noun="milk",
        scenario="The user is comparing coffee bars and wants only those with the right milk.",
        instruction="Set the milk filters of the coffee search.",
        slot="coffee_filter",
    ),
    Preference(
        key="lodging_style",
        question="Which kind of lodging does the user prefer when travelling?",
        options=("small guesthouses", "large chain hotels", "rented flats"),
        call=Call(app="TripLoom", api="book_lodging", fields={"lodging": "{}"}),
        offered="lodging_offered",
        noun="lodging",
        scenario="The user is looking for somewhere to stay on a trip next month.",
        instruction="Set the lodging filters of the search.",
        slot="lodging_filter",
    ),
    Preference(
        key="meal_delivery",
        question="How does the user prefer meals to be handed over on delivery?",
        options=("left at the door", "given in person", "put in the locker"),
        call=Call(app="PlateDash", api="choose_handover", fields={"meal_handover": "{}"}),
        offered="handover_offered",
        noun="handover of meals",
        scenario="The user is trying another service for meals and sets up the delivery.",
        instruction="Set the handover filters for meal delivery.",
        slot="handover_filter",
    ),
    Preference(
        key="film_genre",
        question="Which film genre does the user prefer in the evening?",
        options=("slow documentaries", "heist films", "animated films"),
        call=Call(app="ReelRoom", api="start_film", fields={"film_genre": "{}"}),
        offered="films_offered",
        noun="film genre",
        scenario="The user is browsing for a film for tonight.",
        instruction="Set the film genre filters.",
        slot="film_filter",
    ),
    Preference(
        key="book_format",
        question="Which book format does the user prefer to read in?",
        options=("audiobooks", "printed books", "e-books"),
        call=Call(app="PageTurn", api="borrow_book", fields={"book_format": "{}"}),
        offered="formats_offered",
        noun="book format",
        scenario="The user is searching a library's catalogue for a holiday read.",
        instruction="Set the book format filters.",
        slot="book_filter",
    ),
    Preference(
        key="ride_type",
        question="Which kind of ride does the user prefer to hail?",
        options=("shared rides", "electric cars", "large vans"),
        call=Call(app="HopCar", api="request_ride", fields={"ride_type": "{}"}),
        offered="rides_offered",
        noun="ride",
        scenario="The user is setting up a hailing service in a foreign city.",
        instruction="Set the ride filters.",
        slot="ride_filter",
    ),
)

_VENUE = {"activity": "{}", "venue": "{place}"}
HABITS = (
    Habit(
        key="bouldering",
        question="When and where does the user go bouldering?",
        names=("bouldering session", "bouldering", "evening bouldering"),
        frequency="weekly",
        hours=(17, 20),
        places=("Granite Hall", "Slopers Gym", "The Overhang"),
        call=Call(app="StrideLog", api="log_workout", fields=_VENUE),
        scene="The user packs chalk and tight shoes.",
    ),
    Habit(
        key="morning_run",
        question="When and where does the user go for the morning run?",
        names=("morning run", "easy morning run", "run"),
        frequency="weekly",
        hours=(6, 8),
        places=("canal path", "Reservoir loop", "Elder Park"),
        call=Call(app="StrideLog", api="log_workout", fields=_VENUE),
        scene="The user ties their shoes by the front door.",
    ),
    Habit(
        key="lane_swimming",
        question="When and where does the user go lane swimming?",
        names=("lane swimming", "swimming lanes", "swimming"),
        frequency="weekly",
        hours=(12, 14),
        places=("Baths on Fore Street", "Lido Annex", "Riverside Pool"),
        call=Call(app="StrideLog", api="log_workout", fields=_VENUE),
        scene="The user looks for goggles and a towel.",
    ),
    Habit(
        key="weekly_groceries",
        question="When and where does the user do the weekly groceries?",
        names=("weekly groceries", "groceries", "big groceries"),
        frequency="weekly",
        hours=(9, 12),
        places=("Barrow Market", "Greenscale", "Corner Co-op"),
        call=Call(app="CartNest", api="check_out", fields={"basket": "{}", "shop": "{place}"}),
        scene="The user empties the fridge and takes two bags.",
        per_week=(1,),
    ),
    Habit(
        key="language_class",
        question="When and where does the user attend the language class?",
        names=("language class", "Portuguese language class", "class in language"),
        frequency="weekly",
        hours=(18, 20),
        places=("Tandem House", "room 14 at the library", "Linden College"),
        call=Call(app="TutorBay", api="check_in", fields={"course": "{}", "venue": "{place}"}),
        scene="The user puts a grammar and a pencil into a bag.",
        per_week=(1, 2),
    ),
    Habit(
        key="call_with_grandmother",
        question="When and from where does the user call their grandmother?",
        names=("call with grandmother", "grandmother call", "long call with grandmother"),
        frequency="weekly",
        hours=(16, 19),
        places=("kitchen table", "balcony", "sofa in the living room"),
        call=Call(app="ChatLeaf", api="start_call", fields={"title": "{}", "place": "{place}"}),
        scene="The user sits down with a cup of tea and the phone.",
        per_week=(1,),
    ),
    Habit(
        key="choir_practice",
        question="When and where does the user go to choir practice?",
        names=("choir practice", "choir", "choir evening"),
        frequency="biweekly",
        hours=(19, 21),
        places=("Chapel Yard", "Saint Orla's hall", "Old Tannery"),
        call=Call(app="DayGrid", api="check_in", fields={"event": "{}", "venue": "{place}"}),
        scene="The user hums scales and takes a folder of sheets.",
    ),
    Habit(
        key="meditation",
        question="When and where does the user meditate?",
        names=("meditation", "short meditation", "breathing meditation"),
        frequency="daily",
        hours=(21, 23),
        places=("bedroom floor", "study", "reading chair"),
        call=Call(
            app="StillMind", api="start_session", fields={"session": "{}", "where": "{place}"}
        ),
        scene="The user dims the light and sits still.",
    ),
    Habit(
        key="rent_transfer",
        question="On which day of the month and when does the user transfer the rent?",
        names=("rent transfer", "rent", "transfer of rent"),
        frequency="monthly_by_date",
        hours=(8, 11),
        places=(),
        call=Call(app="PocketBank", api="transfer", fields={"purpose": "{}"}),
        scene="The user opens the bank's app.",
    ),
    Habit(
        key="prescription_refill",
        question="On which day of the month, when and where does the user refill the prescription?",
        names=("prescription refill", "refill of prescription", "prescription"),
        frequency="monthly_by_date",
        hours=(15, 18),
        places=("Heron Pharmacy", "Mill Street Chemist", "Tansy Apothecary"),
        call=Call(app="ClinicLine", api="pick_up", fields={"item": "{}", "place": "{place}"}),
        scene="The user counts how many tablets are left.",
    ),
    Habit(
        key="book_club",
        question="Which weekday of the month, when and where is the user's book club?",
        names=("book club", "book club meeting", "book club evening"),
        frequency="monthly_nth_weekday",
        hours=(18, 21),
        places=("Fig Cafe", "The Reading Room", "upstairs at the Plough"),
        call=Call(app="DayGrid", api="check_in", fields={"event": "{}", "venue": "{place}"}),
        scene="The user looks for a novel with many slips of paper in it.",
    ),
    Habit(
        key="watering_plants",
        question="When does the user water the plants?",
        names=("watering plants", "plants watering", "watering of plants"),
        frequency="weekly",
        hours=(7, 10),
        places=(),
        call=Call(app="HearthHub", api="run_scene", fields={"scene": "{}"}),
        scene="The user fills a can at the tap.",
        per_week=(1, 2),
    ),
)

IDLE = (
    Call(app="SkyGlance", api="open_forecast", fields={"view": "today"}),
    Call(app="MapTrail", api="open_map", fields={"zoom": "14"}),
    Call(app="ChatLeaf", api="send_message", fields={"kind": "text"}),
    Call(app="Wavelet", api="play", fields={"mix": "daily mix"}),
    Call(app="ReelRoom", api="browse", fields={"row": "new"}),
    Call(app="DayGrid", api="open_day", fields={"view": "agenda"}),
    Call(app="StrideLog", api="log_workout", fields={"activity": "stretching", "venue": "home"}),
    Call(app="CartNest", api="check_out", fields={"basket": "forgotten things", "shop": "kiosk"}),
    Call(app="PocketBank", api="transfer", fields={"purpose": "shared bill"}),
    Call(app="DayGrid", api="check_in", fields={"event": "birthday drinks", "venue": "a bar"}),
)
