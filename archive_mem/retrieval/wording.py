"""What a question asks for, by its words: English first, Chinese and Japanese too."""

import re
from enum import StrEnum
from typing import TypeVar

from archive_mem.schema.annotation import Scenario
from archive_mem.schema.media import MediaKind
from archive_mem.schema.qa import Tier

__all__ = [
    "Grouping",
    "Operation",
    "asks_clock",
    "asks_trips",
    "asks_weekday",
    "read_field",
    "read_grouping",
    "read_kind",
    "read_operation",
    "read_scenario",
    "read_tier",
]


class Operation(StrEnum):
    """What is to be done with what is found."""

    FIND = "find"
    WHEN = "when"
    WHERE = "where"
    WHO = "who"
    WHAT_TEXT = "what text"
    COUNT = "count"
    LIST = "list"
    FIRST = "first"
    LAST = "last"
    HOW_OFTEN = "how often"
    COMPARE = "compare"
    ORDER = "order"
    FIGURE = "figure"
    LONGEST = "longest"
    MOST = "most"
    EVER = "ever"
    WHAT = "what"


class Grouping(StrEnum):
    """What is counted or listed."""

    ITEM = "item"
    OCCASION = "occasion"
    DAY = "day"
    YEAR = "year"
    MONTH = "month"
    WEEKDAY = "weekday"
    CITY = "city"
    COUNTRY = "country"
    PERSON = "person"
    SCENARIO = "scenario"


def read_operation(text: str) -> Operation:
    """The operation whose words come first in the table below; WHAT when none does."""
    return _first(_OPERATIONS, text) or Operation.WHAT


def read_field(text: str) -> Operation:
    """What is asked about the first, the last or the most: when, where, who, or what."""
    return _first(_FIELDS, text) or Operation.WHAT


def asks_clock(text: str) -> bool:
    """True for "what time"."""
    return _CLOCK.search(text.casefold()) is not None


def asks_weekday(text: str) -> bool:
    """True for "which day of the week"."""
    return _WEEKDAY.search(text.casefold()) is not None


def asks_trips(text: str) -> bool:
    """True for "how many trips"."""
    return _TRIPS.search(text.casefold()) is not None


def read_grouping(text: str) -> Grouping:
    """What is counted or listed; OCCASION when the question does not say."""
    return _first(_GROUPINGS, text) or Grouping.OCCASION


def read_kind(text: str) -> MediaKind | None:
    """Photo or video, None when the question takes either."""
    return _first(_KINDS, text)


def read_scenario(text: str) -> Scenario | None:
    """One of the ten scenarios, when its own name is in the question."""
    return _first(_SCENARIOS, text)


def read_tier(text: str) -> Tier:
    """T2 for habits, change and reasons; T3 for a choice to be made; else T1."""
    return _first(_TIERS, text) or Tier.T1


_Value = TypeVar("_Value")
_Table = tuple[tuple[_Value, re.Pattern[str]], ...]


def _first(table: _Table[_Value], text: str) -> _Value | None:
    lowered = text.casefold()
    return next((value for value, pattern in table if pattern.search(lowered)), None)


def _table(*rows: tuple[_Value, tuple[str, ...]]) -> _Table[_Value]:
    return tuple((value, re.compile("|".join(patterns))) for value, patterns in rows)


_TEXT_WORDS = (
    "written|printed|say|says|said|read|label|price|cost|costs|total|amount|seat|gate|platform"
    "|score|sign|receipt|menu|ticket|bill|invoice|barcode|plate|poster|headline|title|whiteboard"
    "|password|address|flight|train|room|table|order"
)

_OPERATIONS = _table(
    (
        Operation.HOW_OFTEN,
        (r"\bhow often\b|\bhow frequently\b|多久.*一次|どの(?:くらい|ぐらい)の頻度",),
    ),
    (
        Operation.COMPARE,
        (
            r"\bmore often\b|\bmore (?:\w+ ){1,4}than\b|\bfewer (?:\w+ ){1,4}than\b",
            r"\bcompared? (?:to|with)\b|\bdifference between\b|更多|より多い|どちらが",
        ),
    ),
    (
        Operation.ORDER,
        (
            r"\b(?:which|what)\b.{0,40}\b(?:first|earlier|sooner|later)\b.{1,80}\bor\b",
            r"先.{1,30}还是|どちらが先|どっちが先",
        ),
    ),
    (
        Operation.FIGURE,
        (
            r"\b(?:which|what|was|were|is)\b.{0,60}\b(?:fast|quick|slow|cheap|long|short|warm|cold"
            r"|cool|dear|near|close|light)(?:er|est)\b(?<!\blongest)",
            r"\b(?:which|what|was|were|is)\b.{0,60}\b(?:hotter|hottest|heavier|heaviest|pricier"
            r"|farther|further)\b|\b(?:more|most|less) expensive\b|\bcost (?:me )?(?:more|less)\b",
        ),
    ),
    (Operation.MOST, (r"\bmost\b(?! recent)|\bmain(?:ly)?\b|最多|最常|一番多|最も",)),
    (Operation.LONGEST, (r"\blongest\b|最长|一番長|最長",)),
    (
        Operation.COUNT,
        (
            r"\bhow many\b|\bnumber of\b|\bhow much time\b|\bcount\b|几次|多少(?:次|张|个|人|天)",
            r"几张|几个|几天|何回|何度(?!も)|何枚|いくつ|何人|何日間|何本|何件|何か国",
        ),
    ),
    (Operation.FIRST, (r"\bfirst\b|\bearliest\b|\boldest\b|第一次|最早|初めて|最初|一番古",)),
    (
        Operation.LAST,
        (
            r"\blast\b|\b(?:most recent|latest|newest)\b",
            r"最后一次|最近一次|最後|一番最近|最近(?:では)?いつ",
        ),
    ),
    (
        Operation.LIST,
        (
            r"\blist\b",
            r"\b(?:which|what) (?:\w+ )?(?:cities|countries|places|towns|restaurants|museums)\b",
            r"\b(?:which|what) (?:\w+ )?(?:cafes|years|months|days|people|friends|dishes)\b",
            r"\ball (?:of )?(?:the|my)\b|\beach\b|\bper year\b",
            r"\bevery (?:time|year|place|city)\b|哪些|列出|都去过|すべて|全部|どの国|どんな場所",
        ),
    ),
    (
        Operation.WHAT_TEXT,
        (
            rf"\b(?:{_TEXT_WORDS}) (?:number|on|of|at|in|for|was|is|did|does)\b",
            r"\bhow much (?:did|was|were|is|does)\b",
            r"\bwhat (?:did|does|do) .{1,60}\b(?:say|read|cost)\b",
            r"\bwhat (?:number|price|seat|score|gate|platform|text|words?)\b|\bhow much\b",
            r"多少钱|价格|价钱|写着|写了什么|座位|いくら|値段|座席|書いて|書かれ",
        ),
    ),
    (
        Operation.WHEN,
        (
            r"\bwhen\b|\b(?:what|which) (?:day|date|year|month|time|season|weekday)\b",
            r"\bhow long ago\b|什么时候|何时|哪(?:天|年|个月|一天|一年)|几月|几号",
            r"いつ|何年|何月|何日|何曜日",
        ),
    ),
    (
        Operation.WHERE,
        (
            r"\bwhere\b|\b(?:what|which) (?:city|country|place|town|location)\b|哪里|哪儿|在哪",
            r"什么地方|哪个城市|哪个国家|どこ|どの(?:街|町|都市|国)",
        ),
    ),
    (Operation.WHO, (r"\bwho\b|\bwhom\b|\bwhose\b|\bwhich (?:friend|person)\b|谁|誰|だれ",)),
    (
        Operation.EVER,
        (
            r"^\s*(?:did|have|has|was|were|do|does|am|is|are|had) (?:i|we|my|there|any)\b",
            r"吗[？?]?\s*$|有没有|ことがあ(?:る|り)|(?:まし|でし)たか",
        ),
    ),
    (Operation.FIND, (r"\bshow\b|\bfind\b|\blook for\b|找|给我看|見せて|探して",)),
)

_FIELDS = tuple(
    row for row in _OPERATIONS if row[0] in (Operation.WHEN, Operation.WHERE, Operation.WHO)
)

_CLOCK = re.compile(r"\bwhat time\b|\bat what hour\b|几点|何時")
_WEEKDAY = re.compile(r"\bday of the week\b|\bweekday\b|星期几|何曜日")
_TRIPS = re.compile(
    r"\bhow many (?:\w+ )?(?:trips|journeys|vacations|holidays)\b|几次旅行|何回旅行"
)

_ITEM_WORDS = r"(?:photos?|pictures?|images?|videos?|clips?|shots?|selfies?|screenshots?)"

_GROUPINGS = _table(
    (Grouping.COUNTRY, (r"\bcountr(?:y|ies)\b|国家|か国|どの国",)),
    (Grouping.CITY, (r"\bcit(?:y|ies)\b|\btowns?\b|\bplaces?\b|城市|地方|都市|場所|どこ",)),
    (
        Grouping.YEAR,
        (
            r"\bper year\b|\b(?:each|every|which|what) years?\b|\byears\b|每年|哪(?:一)?年|毎年",
            r"何年",
        ),
    ),
    (
        Grouping.MONTH,
        (r"\b(?:each|every|which|what) months?\b|\bper month\b|每(?:个)?月|哪(?:个)?月|毎月|何月",),
    ),
    (Grouping.WEEKDAY, (r"\bweekdays?\b|\b(?:which|what) day of the week\b|星期几|何曜日",)),
    (
        Grouping.ITEM,
        (
            rf"\b(?:how many|number of|count)(?: of)?(?: \w+){{0,2}} {_ITEM_WORDS}\b",
            r"几张|多少张|何枚|几个视频|何本",
        ),
    ),
    (
        Grouping.PERSON,
        (
            r"\b(?:how many|which|what) (?:different )?(?:people|friends|persons|colleagues)\b",
            r"\bwho\b|\bwhom\b|\bwith which\b|几个人|谁|何人|誰",
        ),
    ),
    (Grouping.DAY, (r"\bhow many days\b|\bwhich days\b|几天|何日",)),
    (Grouping.SCENARIO, (r"\b(?:scenario|activity|activities)\b",)),
)

_KINDS = _table(
    (MediaKind.VIDEO, (r"\b(?:videos?|clips?|recordings?|filmed)\b|视频|動画|ビデオ",)),
    (MediaKind.PHOTO, (r"\b(?:photos?|photographs?|pictures?|selfies?|screenshots?)\b|照片|写真",)),
)

_SCENARIOS = _table(
    (Scenario.TRAVEL_MOBILITY, (r"\btrip(?:s)?\b|\btravell?(?:ed|ing|s)?\b|\bjourneys?\b|旅行",)),
    (Scenario.SPORTS_PHYSICAL, (r"\bworkouts?\b|\bexercis\w+\b|\bsports?\b|运动|運動",)),
    (Scenario.MEDICAL_CARE, (r"\bdoctors?\b|\bhospitals?\b|\bclinics?\b|\bdentists?\b|医院|病院",)),
    (Scenario.FASHION, (r"\boutfits?\b|\bfashion\b|\bclothes\b|时尚|服装",)),
    (Scenario.WORK_STUDY, (r"\bmeetings?\b|\boffice\b|\bat work\b|工作|仕事",)),
)

_TIERS = _table(
    (
        Tier.T3,
        (
            r"\b(?:should|would|shall) (?:i|you|we)\b",
            r"\bwhich (?:one )?(?:would|should|of these|of the following)\b|\brecommend\b",
            r"\bsuggest\b|\brank\b|推荐|おすすめ|選ぶ",
        ),
    ),
    (
        Tier.T2,
        (
            r"\busually\b|\btypically\b|\bgenerally\b|\bnormally\b|\btend to\b",
            r"\bhabits?\b|\broutines?\b|\bprefer(?:s|red|ences?)?\b|\bfavou?rites?\b",
            r"\bkind of person\b|\bpersonality\b|\blifestyle\b",
            r"\b(?:my|their) hobb(?:y|ies)\b|\binterests?\b|\btastes?\b",
            r"\bwhy (?:did|have|has|do|am|was)\b|\bwhat (?:made|led|caused)\b",
            r"\breasons?\b",
            r"\bhow (?:has|have|did) (?:my|i|the) .*\b(?:chang|evolv|develop|shift)\w*",
            r"\bchanged? over\b|\bover (?:time|the years)\b",
            r"习惯|偏好|喜欢什么|为什么|性格|変化|習慣|好み|なぜ|平时|通常|一般都|普段|いつも|ふだん",
            r"どうして|性格",
        ),
    ),
)
