"""People's names in Chinese, Japanese, Korean and Hindi."""

import logging
import re
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

from anonymize.lexicon import Lexicon
from anonymize.pseudonyms import Kind
from anonymize.spans import Span

__all__ = ["find_chinese_names", "find_hindi_names", "find_japanese_names", "find_korean_names"]

HAN = re.compile(r"[\u3400-\u9fff]")
KANA = re.compile(r"[\u3041-\u30fa]")
HANGUL_WORD = re.compile(r"[\uac00-\ud7af]+")
DEVANAGARI_WORD = re.compile(r"[\u0900-\u0963\u0970-\u097f]+")
ZH_TITLED = re.compile(
    r"([\u4e00-\u9fff]{1,3})(?:先生|小姐|女士|太太|老师|老師|医生|醫生|教授|同学|同學|阿姨|叔叔|师傅|師傅|经理|經理|哥|姐)"
)
ZH_NICK = re.compile(
    r"(?<![\u4e00-\u9fff])?(?:小|老|阿)([\u4e00-\u9fff])(?=[和跟與与一在的说說給给，。、！])"
)
ZH_LABEL = re.compile(
    r"(?:姓名|乘客|旅客|收件人|联系人|聯絡人|客人|患者|持卡人)\s?[:：]\s?([\u4e00-\u9fff·]{2,6})"
)
JA_TITLED = re.compile(
    r"([\u3400-\u9fff々]{1,4}|[\u30a1-\u30fa\u30fc]{2,8})(?:さん|くん|君|ちゃん|様|さま|先生|先輩|氏)"
)
JA_LABEL = re.compile(
    r"(?:氏名|お名前|名前|搭乗者|宛名|ご予約者|担当)\s?[:：]\s?([\u3400-\u9fff々ぁ-んァ-ヶー]{1,6}(?:[ 　][\u3400-\u9fff々ぁ-んァ-ヶー]{1,6})?)"
)
JA_NOBODY = frozenset(
    [
        "お客",
        "皆",
        "奥",
        "神",
        "お子",
        "赤",
        "店員",
        "運転手",
        "医者",
        "お巡り",
        "大家",
        "本屋",
        "花屋",
        "パン屋",
        "母",
        "父",
        "兄",
        "姉",
        "弟",
        "妹",
        "祖母",
        "祖父",
        "叔父",
        "叔母",
        "王",
        "姫",
        "殿",
        "お医者",
        "駅員",
        "隊員",
        "隊長",
        "校長",
        "部長",
        "課長",
        "社長",
    ]
)
ZH_NOBODY = frozenset(
    [
        "大",
        "小",
        "老",
        "各位",
        "学",
        "同",
        "我",
        "我的",
        "他",
        "她",
        "你",
        "我们",
        "这位",
        "那位",
        "一位",
        "位",
        "哥",
        "姐",
        "大哥",
        "大姐",
        "表",
        "堂",
        "师",
        "主",
        "医",
        "王子",
        "服务员",
        "出租车",
        "司机",
    ]
)
KO_SURNAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편"
)
KO_TAIL = re.compile(
    r"(?:이랑|랑|하고|과|와|이가|이는|이를|이의|이도|이|가|은|는|을|를|의|도|에게|한테|께|께서|아|야|씨|님|군|양|언니|오빠|누나|형|선배|선배님|이모|삼촌|선생님|네|만|부터|까지|이네|처럼|보다|이나)?(?:가|는|를|의|도|와|랑|이랑|하고|에게|한테)?$"
)
KO_TITLED = re.compile(
    r"([\uac00-\ud7af]{2,4})\s?(?:씨|님|선배|언니|오빠|누나|선생님|이모|삼촌|대리|과장|부장|팀장|교수님)(?=$|[^\uac00-\ud7af]|[가는를의도와랑이과께에한])"
)
KO_LABEL = re.compile(
    r"(?:이름|성명|승객|탑승자|예약자|받는\s?사람|고객명?)\s?[:：]\s?([\uac00-\ud7af]{2,5})"
)
KO_NOBODY = frozenset(
    [
        "손님",
        "고객",
        "선생",
        "부모",
        "사장",
        "아버",
        "어머",
        "할머",
        "할아버",
        "아드",
        "따",
        "선배",
        "후배",
        "회원",
        "교수",
        "기사",
        "임",
        "주인",
        "원장",
        "스",
        "하느",
        "여러분",
        "여러",
        "이모",
        "우리",
        "엄마",
        "아빠",
        "친구",
        "저희",
        "사촌",
        "막내",
        "큰",
        "작은",
        "외",
        "고모",
        "팀장",
        "부장",
        "과장",
    ]
)
HI_TITLED = re.compile(
    r"(?:श्री|श्रीमती|डॉ\.?|डॉक्टर|कुमारी|मिस्टर|मिसेज|दोस्त|सहेली|बहन|भाई|पत्नी|पति|बेटी|बेटा|बेटे|चाचा|चाची|मामा|मौसी|भाभी|दीदी)\s([\u0900-\u0963\u0970-\u097f]{2,20})(?:\s([\u0900-\u0963\u0970-\u097f]{2,20}))?"
)
HI_AFTER = re.compile(
    r"([\u0900-\u0963\u0970-\u097f]{2,20})\s(?:जी|भैया|दीदी|अंकल|आंटी|चाचा|मौसी)(?![\u0900-\u097f])"
)
HI_LABEL = re.compile(
    r"(?:नाम|यात्री|यात्री का नाम)\s?[:：]\s?([\u0900-\u0963\u0970-\u097f]{2,20}(?:\s[\u0900-\u0963\u0970-\u097f]{2,20}){0,2})"
)
HI_COMMON = frozenset(["के", "की", "का", "को", "से", "में", "और", "ने", "है", "हैं", "था", "थी", "थे", "पर", "साथ", "घर", "आज", "कल", "मिला", "मिली", "मिले", "गए", "गया", "गई", "भी", "तो", "ही", "एक", "यह", "वह", "हम", "मैं", "मेरी", "मेरा", "मेरे", "हमारे", "हमारी", "जी", "अपने", "अपनी", "शादी", "जन्मदिन", "खाना", "चाय"])  # fmt: skip


def find_chinese_names(text: str, names: Lexicon) -> Iterator[Span]:
    """Names that jieba tags as people (nr), after titles and labels."""
    if not HAN.search(text) or KANA.search(text):
        return
    for match in ZH_TITLED.finditer(text):
        yield from _chinese_titled(match, names)
    for match in ZH_LABEL.finditer(text):
        yield Span(*match.span(1), Kind.PERSON, 0.8)
    at = 0
    for word, flag in _jieba().cut(text):
        if flag in ("nr", "nrt", "nrfg") and _is_chinese_name(word, names):
            yield Span(at, at + len(word), Kind.PERSON, 0.65)
        at += len(word)


def _chinese_titled(match: re.Match[str], names: Lexicon) -> Iterator[Span]:
    """The longest end of what stands before a title that begins with a surname."""
    word = match.group(1)
    for start in range(len(word)):
        if word[start] in names.surnames and word[start:] not in ZH_NOBODY:
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
        if match.group(1) not in JA_NOBODY:
            yield Span(*match.span(1), Kind.PERSON, 0.75)
    for match in JA_LABEL.finditer(text):
        yield Span(*match.span(1), Kind.PERSON, 0.8)
    if KANA.search(text):
        yield from _tagged_japanese(text, names)


def _tagged_japanese(text: str, names: Lexicon) -> Iterator[Span]:
    at = 0
    previous: tuple[int, int, bool] | None = None
    for token in _janome().tokenize(text):
        surface = str(token.surface)
        at = text.index(surface, at)
        here: tuple[int, int, bool] | None = None
        if "固有名詞,人名" in token.part_of_speech and len(surface) > (0 if previous else 1):
            sure = surface in names.given or surface in names.surnames
            here = (at, at + len(surface), sure)
            if previous and previous[1] == at:
                here = (previous[0], here[1], True)
                previous = None
        if previous and _sure_japanese(text, previous):
            yield Span(previous[0], previous[1], Kind.PERSON, 0.65)
        previous = here
        at += len(surface)
    if previous and _sure_japanese(text, previous):
        yield Span(previous[0], previous[1], Kind.PERSON, 0.65)


def _sure_japanese(text: str, found: tuple[int, int, bool]) -> bool:
    """A lone name must be listed, or stand before a particle that goes with people."""
    start, end, sure = found
    return sure or (end - start > 1 and text[end : end + 1] in "とがはにもへ")


def find_korean_names(text: str, names: Lexicon) -> Iterator[Span]:
    """Full names (surname and two syllables), given names before particles, and titles."""
    if not HANGUL_WORD.search(text):
        return
    for pattern, score in ((KO_TITLED, 0.75), (KO_LABEL, 0.8)):
        for match in pattern.finditer(text):
            if match.group(1) not in KO_NOBODY:
                yield Span(*match.span(1), Kind.PERSON, score)
    for match in HANGUL_WORD.finditer(text):
        length = _korean_name(match.group(), names)
        if length:
            yield Span(match.start(), match.start() + length, Kind.PERSON, 0.65)


def _korean_name(word: str, names: Lexicon) -> int:
    """How many syllables of the word are a name, 0 for none."""
    if len(word) >= 3 and word[0] in KO_SURNAMES and KO_TAIL.match(word[3:]):
        if _korean_given(word[1:3], names):
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
    for pattern in (HI_TITLED, HI_AFTER):
        for match in pattern.finditer(text):
            if match.group(1) not in HI_COMMON:
                yield Span(*match.span(1), Kind.PERSON, 0.7)
    for match in HI_LABEL.finditer(text):
        yield Span(*match.span(1), Kind.PERSON, 0.8)
    for at, match in enumerate(words):
        if match.group() in names.given and match.group() not in HI_COMMON:
            follower = words[at + 1] if at + 1 < len(words) else None
            full = follower is not None and follower.group() in names.surnames
            end = follower.end() if full and follower else match.end()
            yield Span(match.start(), end, Kind.PERSON, 0.72)


@cache
def _jieba() -> Any:
    with warnings.catch_warnings():
        # Its bundled pkg_resources and regular expressions warn under newer Python versions.
        warnings.simplefilter("ignore")
        import jieba
        import jieba.posseg

        jieba.setLogLevel(logging.WARNING)
        jieba.initialize()
    return jieba.posseg


@cache
def _janome() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from janome.tokenizer import Tokenizer

        return Tokenizer()
