"""People's names in Chinese, Japanese, Korean and Hindi."""

import logging
import re
import warnings
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from anonymize.lexicon import Lexicon, word_list
from anonymize.pseudonyms import Kind, fold
from anonymize.spans import Span

if TYPE_CHECKING:
    from janome.tokenizer import Tokenizer

__all__ = [
    "find_chat_names",
    "find_chinese_names",
    "find_hindi_names",
    "find_japanese_names",
    "find_korean_names",
]

NAME_TAGS = ("nr", "nrt", "nrfg")
HAN = re.compile(r"[\u3400-\u9fff]")
KANA = re.compile(r"[\u3041-\u30fa]")
HANGUL_WORD = re.compile(r"[\uac00-\ud7af]+")
DEVANAGARI_WORD = re.compile(r"[\u0900-\u0963\u0970-\u097f]+")
ZH_TITLED = re.compile(
    r"([\u4e00-\u9fff]{1,3})(?:先生|小姐|女士|太太|老师|老師|医生|醫生|教授|同学|同學|阿姨|叔叔|师傅|師傅|经理|經理|哥|姐)"
)
ZH_DOUBLE = re.compile(
    r"(?:欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|东方|東方|皇甫|尉迟|公孙|慕容|令狐|司徒|夏侯|端木|南宫)"
    r"[\u4e00-\u9fff]{1,2}?(?=$|[^\u4e00-\u9fff]|[的和在与與跟一说說是也去来來给給老先女])"
)
ZH_LABEL = re.compile(
    r"(?:姓名|乘客|旅客|收件人|联系人|聯絡人|客人|患者|持卡人)\s?[:：]\s?([\u4e00-\u9fff·]{2,6})"
)
JA_TITLED = re.compile(
    r"([\u3400-\u9fff々]{1,4}|[\u30a1-\u30fa\u30fc]{2,8})(?:さん|くん|君|ちゃん|様|さま|先生|先輩|氏)"
)
JA_LABEL = re.compile(
    r"(?:氏名|お名前|名前|搭乗者|宛名|ご予約者|担当)\s?[:：]\s?([\u3400-\u9fff々ぁ-んァ-ヶー]{1,6}"
    r"(?:[ 　][\u3400-\u9fff々ぁ-んァ-ヶー]{1,6}(?![\u3400-\u9fffぁ-んァ-ヶー]|\s?[\d:：]))?)"
)
JA_KANA_GIVEN = re.compile(r"[ぁ-ん]{2,4}")
KO_SURNAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편"
)
KO_TAIL = re.compile(
    r"(?:이랑|랑|하고|과|와|이가|이는|이를|이의|이도|이|가|은|는|을|를|의|도|에게|한테|께|께서|아|야|씨|님|군|양|언니|오빠|누나|형|"
    r"선배|선배님|이모|삼촌|선생님|네|만|부터|까지|이네|처럼|보다|이나)?(?:가|는|를|의|도|와|랑|이랑|하고|에게|한테)?$"
)
KO_TITLED = re.compile(
    r"([\uac00-\ud7af]{2,4})\s?(?:씨|님|선배|언니|오빠|누나|선생님|이모|삼촌|대리|과장|부장|팀장|교수님)(?=$|"
    r"[^\uac00-\ud7af]|[가는를의도와랑이과께에한])"
)
KO_KIN = re.compile(
    r"(?:친구|동생|사촌|동료|남편|아내|조카|후배|선배|이웃)\s([\uac00-\ud7af]{2,3}?)"
    r"(?=이?(?:가|는|를|랑|와|하고|의|네|도)?(?:[^\uac00-\ud7af]|$))"
)
KO_EVENT = re.compile(r"([\uac00-\ud7af]{2,3})(?:이|의)?\s(?:생일|결혼식|졸업식|환갑|돌잔치)")
KO_LABEL = re.compile(
    r"(?:이름|성명|승객|탑승자|예약자|받는\s?사람|고객명?)\s?[:：]\s?([\uac00-\ud7af]{2,5})"
)
HI_TITLED = re.compile(
    r"(?:श्री|श्रीमती|डॉ\.?|डॉक्टर|कुमारी|मिस्टर|मिसेज|दोस्त|सहेली|बहन|भाई|पत्नी|पति|"
    r"बेटी|बेटा|बेटे|चाचा|चाची|मामा|मौसी|भाभी|"
    r"दीदी)\s([\u0900-\u0963\u0970-\u097f]{2,20})"
    r"(?:\s([\u0900-\u0963\u0970-\u097f]{2,20}))?"
)
HI_AFTER = re.compile(
    r"([\u0900-\u0963\u0970-\u097f]{2,20})\s(?:जी|भैया|दीदी|अंकल|आंटी|चाचा|मौसी)(?![\u0900-\u097f])"
)
HI_LABEL = re.compile(
    r"(?:नाम|यात्री|यात्री का नाम)\s?[:：]\s?([\u0900-\u0963\u0970-\u097f]{2,20}"
    r"(?:\s[\u0900-\u0963\u0970-\u097f]{2,20}(?![\u0900-\u097f]|\s?[\d:：])){0,2})"
)
HI_BIRTHDAY = re.compile(
    r"([\u0900-\u0963\u0970-\u097f]{2,20})\s(?:का|की)\s(?:जन्मदिन|शादी|सालगिरह)"
)


# Who says a line of a chat, in scripts without capitals: by a time, or a name of the lists.
CHAT = re.compile(
    r"^(?P<before>\[?\d{1,2}[:：.]\d{2}\]?\s?)?"
    r"(?P<name>[\u0900-\u0963\u0970-\u097f\u3041-\u30ff\u3400-\u9fff々\uac00-\ud7af]{2,12}"
    r"(?:\s[\u0900-\u0963\u0970-\u097f]{2,12})?)"
    r"(?:\s?[:：]\s?(?=\S)|(?P<after>\s(?:오전\s|오후\s|上午|下午|午前|午後)?\d{1,2}[:：]\d{2}))",
    re.MULTILINE,
)
COMMON_SURNAMES = (
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董潘袁蔡蒋蔣余于杜"
    "叶葉程魏苏蘇吕呂丁任卢盧姚沈钟鐘姜崔谭譚陆陸范汪廖石金韦韋贾賈夏付方邹鄒熊白孟秦邱侯江尹薛闫雷龙龍史陶贺賀毛郝顾顧龚龔邵万萬覃武钱錢戴严嚴莫孔向"
)
ZH_BESIDE = re.compile(
    rf"(?:[和跟与與同给給找、]|遇到|遇见|认识)([{COMMON_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
    r"(?=[在去来來说說吃到给給也都的，。、！]|一起|聊|看|[和跟与與])"
)


def find_chat_names(text: str, names: Lexicon) -> Iterator[Span]:
    """Who says a line of a chat in Chinese, Japanese, Korean and Hindi."""
    for match in CHAT.finditer(text):
        name = match["name"]
        known = fold(name) in names.given or _with_surname(name, names)
        timed = match["before"] is not None or (match["after"] is not None and len(name) <= 5)
        if (known or timed) and fold(name) not in word_list("labels"):
            yield Span(*match.span("name"), Kind.PERSON, 0.7)


def _with_surname(name: str, names: Lexicon) -> bool:
    """Two to four characters that begin with a family name; "小敏" and "老赵" are said so, too."""
    first = name[0] in names.surnames or name[:2] in names.surnames
    return 2 <= len(name) <= 4 and (first or name[0] in "小老阿")


def find_chinese_names(text: str, names: Lexicon) -> Iterator[Span]:
    """Names that jieba tags as people (nr), after titles and labels."""
    if not HAN.search(text) or KANA.search(text):
        return
    for match in ZH_TITLED.finditer(text):
        yield from _chinese_titled(match, names)
    for match in ZH_DOUBLE.finditer(text):
        yield Span(*match.span(), Kind.PERSON, 0.75)
    for match in ZH_LABEL.finditer(text):
        yield Span(*match.span(1), Kind.PERSON, 0.8)
    for match in ZH_BESIDE.finditer(text):
        if match.group(1) not in word_list("zh_nobody") and not _is_chinese_word(match.group(1)):
            yield Span(*match.span(1), Kind.PERSON, 0.66)
    at = 0
    for word, flag in _jieba().cut(text):
        if flag in NAME_TAGS and _is_chinese_name(word, names):
            yield Span(at, at + len(word), Kind.PERSON, 0.65)
        at += len(word)


def _is_chinese_word(word: str) -> bool:
    """A word of the dictionary that is no name there."""
    import jieba

    _jieba()
    return bool(jieba.dt.FREQ.get(word)) and jieba.posseg.dt.word_tag_tab.get(word) not in NAME_TAGS


def _chinese_titled(match: re.Match[str], names: Lexicon) -> Iterator[Span]:
    """The longest end of what stands before a title that begins with a surname."""
    word = match.group(1)
    for start in range(len(word)):
        if word[start] in names.surnames and word[start:] not in word_list("zh_nobody"):
            yield Span(match.start(1) + start, match.end(1), Kind.PERSON, 0.75)
            return


def _is_chinese_name(word: str, names: Lexicon) -> bool:
    if word[0] in "小老阿" and len(word) == 2:
        return word[1] in names.surnames or word[1] in names.given or word[0] == "小"
    known = word[0] in names.surnames or word[:2] in names.surnames or word in names.given
    return 2 <= len(word) <= 4 and known


def find_japanese_names(text: str, names: Lexicon) -> Iterator[Span]:
    """Names that janome's dictionary knows as people, before さん and the like, after labels."""
    if not (KANA.search(text) or HAN.search(text)):
        return
    for match in JA_TITLED.finditer(text):
        if match.group(1) not in word_list("ja_nobody"):
            yield Span(*match.span(1), Kind.PERSON, 0.75)
    for match in JA_LABEL.finditer(text):
        yield Span(*match.span(1), Kind.PERSON, 0.8)
    if KANA.search(text):
        yield from _tagged_japanese(text, names)


def _tagged_japanese(text: str, names: Lexicon) -> Iterator[Span]:
    """Runs of tokens tagged as people; a lone one must be listed or stand before a particle."""
    for run in _name_runs(text):
        start, end = run[0], run[-1]
        listed = text[start:end] in names.given or text[start:end] in names.surnames
        particle = end - start > 1 and text[end : end + 1] in tuple("とがはにもへ")
        if len(run) > 2 or listed or particle:
            yield Span(start, _kana_given(text, end, names), Kind.PERSON, 0.65)


def _name_runs(text: str) -> Iterator[list[int]]:
    """The borders of neighbouring name tokens: two for one token, three for two."""
    run: list[int] = []
    at = 0
    for token in _janome().tokenize(text):
        surface = str(getattr(token, "surface", token))
        start = text.index(surface, at)
        at = start + len(surface)
        if "固有名詞,人名" in str(getattr(token, "part_of_speech", "")):
            if run and run[-1] != start:
                yield run
                run = []
            run = [*(run or [start]), at]
    if run:
        yield run


def _kana_given(text: str, end: int, names: Lexicon) -> int:
    """Where a given name in hiragana right after a surname ends; `end` when there is none."""
    match = JA_KANA_GIVEN.match(text, end)
    for length in range(len(match.group()) if match else 0, 1, -1):
        katakana = "".join(chr(ord(char) + 0x60) for char in text[end : end + length])
        if katakana in names.given:
            return end + length
    return end


def find_korean_names(text: str, names: Lexicon) -> Iterator[Span]:
    """Full names (surname and two syllables), given names before particles, and titles."""
    if not HANGUL_WORD.search(text):
        return
    for pattern, score in ((KO_TITLED, 0.75), (KO_LABEL, 0.8), (KO_KIN, 0.7), (KO_EVENT, 0.7)):
        for match in pattern.finditer(text):
            if match.group(1) not in word_list("ko_nobody"):
                yield Span(*match.span(1), Kind.PERSON, score)
    for match in HANGUL_WORD.finditer(text):
        length = _korean_name(match.group(), names)
        if length:
            yield Span(match.start(), match.start() + length, Kind.PERSON, 0.65)


def _korean_name(word: str, names: Lexicon) -> int:
    """How many syllables of the word are a name, 0 for none."""
    full = len(word) >= 3 and word[0] in KO_SURNAMES and KO_TAIL.match(word[3:]) is not None
    if full and _korean_given(word[1:3], names):
        return 3
    if word[:2] in names.given and KO_TAIL.match(word[2:]):
        return 2
    return 0


def _korean_given(given: str, names: Lexicon) -> bool:
    if given in names.given:
        return True
    first, second = _korean_syllables()
    return given[0] in first and given[1] in second


@cache
def _korean_syllables() -> tuple[frozenset[str], frozenset[str]]:
    from anonymize.lexicon import lexicon

    given = [name for name in lexicon().given if len(name) == 2 and HANGUL_WORD.fullmatch(name)]
    return frozenset(name[0] for name in given), frozenset(name[1] for name in given)


def find_hindi_names(text: str, names: Lexicon) -> Iterator[Span]:
    """Names of the lists, with a surname after them, and names after titles, kin and labels."""
    words = list(DEVANAGARI_WORD.finditer(text))
    for pattern in (HI_TITLED, HI_AFTER, HI_BIRTHDAY):
        for match in pattern.finditer(text):
            if match.group(1) not in word_list("hi_common"):
                yield Span(*match.span(1), Kind.PERSON, 0.7)
    for match in HI_LABEL.finditer(text):
        yield Span(*match.span(1), Kind.PERSON, 0.8)
    for at, match in enumerate(words):
        if match.group() in names.given and match.group() not in word_list("hi_common"):
            follower = words[at + 1] if at + 1 < len(words) else None
            full = follower is not None and follower.group() in names.surnames
            end = follower.end() if full and follower else match.end()
            yield Span(match.start(), end, Kind.PERSON, 0.72)


@cache
def _jieba() -> ModuleType:
    with warnings.catch_warnings():
        # Its bundled pkg_resources and regular expressions warn under newer Python versions.
        warnings.simplefilter("ignore")
        import jieba
        import jieba.posseg

        jieba.setLogLevel(logging.WARNING)
        jieba.initialize()
    tagger: ModuleType = jieba.posseg
    return tagger


@cache
def _janome() -> "Tokenizer":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from janome.tokenizer import Tokenizer

        return Tokenizer()
