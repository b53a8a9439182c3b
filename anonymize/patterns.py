"""Contact details, numbers and addresses by their form. Every pattern runs in linear time."""

import re
from collections.abc import Iterator, Sequence

from anonymize.lexicon import large_cities
from anonymize.pseudonyms import Kind, fold
from anonymize.spans import Span

__all__ = ["find_codes", "find_contacts", "find_phones", "find_places"]

EMAIL = re.compile(
    r"(?<![A-Za-z0-9À-ÿ_.+-])[A-Za-z0-9À-ÿ_.+-]{1,64}@(?:[A-Za-z0-9À-ÿ-]{1,63}\.){1,6}"
    r"[A-Za-zÀ-ÿ]{2,24}(?![A-Za-z0-9À-ÿ])"
)
LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"'）】」]{2,2000}", re.IGNORECASE)
DOMAINS = (
    "com|org|net|io|me|app|dev|info|eu|de|fr|es|pt|it|nl|ch|at|be|jp|cn|kr|in|br|mx|uk|ie|us|ly|gl"
)
BARE_LINK = re.compile(
    rf"(?<![\w@.-])(?:[a-z0-9-]{{1,63}}\.){{1,4}}(?:{DOMAINS})(?![\w.-]*\w@)(?![\w-])"
    r"(?:/[^\s<>\"'）】」]{0,2000})?",
    re.IGNORECASE,
)
KNOWN_SITES = frozenset(
    [
        "booking.com",
        "amazon.com",
        "airbnb.com",
        "google.com",
        "youtube.com",
        "netflix.com",
        "spotify.com",
        "ebay.com",
        "expedia.com",
        "tripadvisor.com",
        "uber.com",
        "paypal.com",
        "amazon.de",
        "amazon.fr",
        "amazon.es",
        "amazon.co.jp",
        "bahn.de",
        "sncf.fr",
        "rakuten.co.jp",
        "naver.com",
        "taobao.com",
    ]
)
HANDLE = re.compile(r"(?<![\w.@/])@(?=[\w.]{0,29}[A-Za-z])[A-Za-z_][\w.]{1,28}\w(?!@)")
MESSENGER = re.compile(
    r"(?:insta(?:gram)?|telegram|snap(?:chat)?|discord|skype|wechat|line id|kakao(?:talk)?|微信号?|"
    r"twitter|tiktok|카톡|ig)\s?(?:id|handle|user(?:name)?)?\s?[:：]\s?@?([A-Za-z][\w.-]{2,30})",
    re.IGNORECASE,
)
IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)", re.IGNORECASE)
CARD = re.compile(r"(?<![\d.,])\d(?:[ -]?\d){12,18}(?!\d)")
CARD_BRANDS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17}"
    r"|(?:50|5[6-9]|6[37])\d{14}"
)
COORDINATES = re.compile(
    r"(?<![\d.])-?\d{1,2}\.\d{3,12}°?\s?[NS]?,?\s{1,3}-?\d{1,3}\.\d{3,12}°?\s?[EWO]?(?!\d)"
    r"|\d{1,2}°\s?\d{1,2}['′]\s?[\d.]{1,8}[\"″]?\s?[NS],?\s?\d{1,3}°\s?\d{1,2}['′]"
    r"\s?[\d.]{1,8}[\"″]?\s?[EWO]"
)

_CODE = r"([A-Z0-9](?:[A-Z0-9-]{3,18})[A-Z0-9])(?![\w])"
_LINKING = r"(?:\s?(?:is|are|ist|est|es|é|は|는|은|是|为|為))?\s?[:：#№.º°-]{0,2}\s{0,3}(?-i:"
BOOKING = re.compile(
    r"(?:\bPNR|record locator|(?:booking|reservation|confirmation|reference|ref|conf)\b\.?"
    r"(?:\s(?:ref(?:erence)?|code|number|no|nr|id)\b\.?)?|e-?ticket(?:\s(?:number|no|nr))?\b\.?|"
    r"buchungs(?:code|nummer|nr\.?)|reservierungs(?:nummer|code)|vorgangsnummer|auftragsnummer|"
    r"(?:code|num[ée]ro|n°|r[ée]f(?:[ée]rence)?)\s(?:de\s)?(?:r[ée]servation|dossier|commande)|"
    r"dossier\s(?:voyage|n°)|localizador|(?:c[óo]digo|n[úu]mero)\s(?:de|da)\s"
    r"(?:la\s)?(?:reserva|confirma[cç][iã][óo]n?)|"
    r"reserva|予約番号|確認番号|예약\s?번호|订单号|预订号|訂位代號|訂單編號|确认号|बुकिंग\s(?:नंबर|कोड|आईडी))"
    + _LINKING
    + _CODE
    + ")",
    re.IGNORECASE,
)
IDENTITY = re.compile(
    r"(?:passport|pass(?:port)?(?:nummer|-nr)|ausweis(?:nummer|-nr)|driver'?s? licen[cs]e|ssn|"
    r"social security|member(?:ship)?|customer|patient|account|konto|kunden|versicherten|"
    r"frequent flyer|steuer-?id|nif|nie|dni|cpf|aadhaar|pan card|insee|passeport|pasaporte|"
    r"passaporte|護照|护照|身份证|パスポート|여권|주민등록|आधार)(?:-|\s)?"
    r"(?:number|no|nr|nummer|num[ée]ro|n[úu]mero|id|card|号码?|號碼|番号|번호|संख्या|नंबर)?\.?"
    + _LINKING
    + r"((?=[A-Z0-9 .-]{0,20}\d)[A-Z0-9](?:[A-Z0-9]|[ .-](?=[A-Z0-9]{0,6}\d)){4,20}))",
    re.IGNORECASE,
)
NATIONAL_IDS = re.compile(
    r"(?<![\w-])(?:\d{3}-\d{2}-\d{4}|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{6}-[1-4]\d{6}"
    r"|[12] \d{2} \d{2} \d{2} \d{3} \d{3}(?: \d{2})?|\d{8}-?[TRWAGMYFPDXBNJZSQVHLCKE])(?![\w-])"
)
SECRET = re.compile(
    r"(?:\b(?:wi-?fi|wlan)\s)?(?:\bpassword|passcode|\bpwd|\bpin(?:\scode)?|passwort|mot de passe|"
    r"contraseña|\bsenha|パスワード|暗証番号|密码|密碼|비밀번호|पासवर्ड)\s?(?:is|ist|est|es|é|は|는|是)?\s?[:：]?\s?"
    r"((?=\S{0,40}\d)\S{4,40})",
    re.IGNORECASE,
)
PLATE_WORD = re.compile(
    r"(?:licen[cs]e plate|number plate|plate(?: number)?|\breg(?:istration)?"
    r"(?: no\.?)?|kennzeichen|"
    r"plaque(?: d['’]immatriculation)?|immatricul\w{1,8}|matr[ií]cula|placa|车牌号?码?|車牌號?碼?|"
    r"ナンバー(?:プレート)?|차량\s?번호|번호판|गाड़ी\sनंबर)\s?(?:is|ist|est|es|é|は|는|是)?\s?[:：]?\s?"
    r"(?-i:([A-ZÄÖÜ0-9](?:[A-ZÄÖÜ0-9]|[ ·-](?=[A-Z0-9])){3,11}))",
    re.IGNORECASE,
)
PLATE = re.compile(
    r"(?<![\w-])(?:[A-Z]{2}-\d{3}-[A-Z]{2}|\d{2}-[A-Z]{2}-\d{2}|[A-Z]{2}-\d{2}-[A-Z]{2}"
    r"|[A-Z]{2}\d{2} [A-Z]{3}|[A-Z]{2}[ -]?\d{2}[ -][A-Z]{1,2}[ -]?\d{4}"
    r"|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?\d{1,4}[EH]?)(?![\w-])"
    r"|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"
    r"[A-Z][·• ]?[A-Z0-9]{5,6}(?![A-Z0-9])"
    r"|[一-龯]{1,4}\s?\d{2,3}\s?[あ-ん]\s?\d{2}-\d{2}(?!\d)|(?<!\d)\d{2,3}[가-힣]\s?\d{4}(?!\d)"
)
SPANISH_PLATE = re.compile(r"(?<![\w-])\d{4}[ -]?[BCDFGHJKLMNPRSTVWXYZ]{3}(?![\w-])")

_WORD = r"(?:[A-ZÀ-ÖØ-Þ][\w'’.-]{0,30}|\d{1,3}(?:st|nd|rd|th))"
_SMALL = (
    r"(?:(?:de|du|des|da|do|das|dos|la|le|les|los|las|el|del|of|the|y|e|et|a|al)\s|l['’]|d['’])"
)
_FLAT = (
    r"(?:,?\s(?:apt|apartment|flat|unit|suite|app?t|wohnung|piso|bajo|esc|andar|"
    r"#)\.?\s?[\w-]{1,6})?"
)
ADDRESSES = (
    re.compile(
        rf"(?<![\w.,€$£¥-])\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,4}})?,?\s(?:(?:N|S|E|W|North|"
        rf"South|East|West)\.?\s)?"
        rf"(?:{_WORD}\s){{1,4}}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|"
        rf"Boulevard|Blvd|Court|"
        rf"Ct|Square|Sq|Terrace|Way|Close|Crescent|Gardens|Grove|Mews|Row|Highway|Hwy|Parkway)\b\.?"
        rf"(?i:{_FLAT})"
    ),
    re.compile(
        rf"(?<![\w.,-])\d{{1,4}}(?:\s?(?:bis|ter|quater|[a-d])\b)?,?\s(?:[Rr]ue|"
        rf"[Aa]venue|[Aa]v\.|[Bb]oulevard|"
        rf"[Bb]d\.?|[Pp]lace|[Qq]uai|[Cc]hemin|[Ii]mpasse|[Aa]llée|[Cc]ours|[Rr]oute|"
        rf"[Ss]quare|[Pp]assage)\s"
        rf"(?:{_SMALL}){{0,3}}{_WORD}(?:[\s-](?:{_SMALL}){{0,2}}{_WORD}){{0,4}}"
    ),
    re.compile(
        r"(?<!\w)(?:[A-ZÄÖÜ][\wäöüß.-]{1,30}[\s-]){0,3}[A-ZÄÖÜ]?[\wäöüß-]{1,40}"
        r"(?:stra(?:ß|ss)e|str\.|"
        r"weg|platz|allee|gasse|ring|damm|ufer|Stra(?:ß|ss)e|Str\.|Weg|Platz|Allee|"
        r"Gasse|Ring)\s\d{1,4}\s?[a-hA-H]?\b"
    ),
    re.compile(
        rf"(?<!\w)(?:Calle|C/|Avenida|Avda\.?|Av\.|Plaza|Pza\.?|Paseo|Pº|Carrer|Ronda|"
        rf"Camino|Rua|R\.|"
        rf"Travessa|Praça|Largo|Estrada|Alameda|Via|Viale|Corso|Piazza)\s?"
        rf"(?:{_SMALL}){{0,3}}{_WORD}"
        rf"(?:\s(?:{_SMALL}){{0,2}}{_WORD}){{0,5}},?\s(?:n\.?[ºo°]?\s?)?\d{{1,5}}(?:-?[A-Za-z]\b)?"
        rf"(?:,\s?\d{{1,2}}[ºª°]\s?(?:[A-Za-z]{{1,4}}\b)?)?"
    ),
    re.compile(
        r"〒\s?\d{3}-\d{4}|[一-龯ァ-ヶ]{1,8}[区町村](?:[一-龯ぁ-んァ-ヶ]{0,8}?)(?:\d{1,3}丁目)?(?:\d{1,4}番地?)?"
        r"\d{1,4}(?:[-−ー号]\d{1,4}){0,3}号?|[一-龯]{1,6}\d{1,2}丁目[\d番号地の-]{0,12}"
    ),
    re.compile(
        r"[一-龥]{1,8}(?:路|街|道|巷|弄|胡同|大道)\s?[\d一二三四五六七八九十]{1,5}\s?[号號]"
        r"(?:\s?\d{1,3}[栋幢樓楼单元]{1,2})?(?:\s?\d{1,4}[室号樓楼])?"
    ),
    re.compile(
        r"[가-힣\d]{1,12}(?:대로|로|길)\s?\d{1,4}(?:-\d{1,4})?"
        r"(?:번길\s?\d{1,4})?(?![가-힣\d]?[시분월일년원])(?:\s?\d{1,4}동)?(?:\s?\d{1,5}호)?"
    ),
    re.compile(
        r"(?:मकान|फ्लैट|घर)\s(?:नंबर|नं\.?|संख्या)\s?[\d०-९/-]{1,8}"
        r"(?:,?\s[\u0900-\u097f]{2,20}\s(?:रोड|मार्ग|गली|नगर|कॉलोनी))?|"
        r"[\d०-९]{1,4},?\s[\u0900-\u097f]{2,20}(?:\s[\u0900-\u097f]{2,20})?\s(?:रोड|मार्ग|"
        r"गली)"
    ),
)  # fmt: skip
UK_POSTCODE = re.compile(r"(?<![\w-])[A-Z]{1,2}\d[A-Z\d]?\s\d[ABD-HJLNP-UW-Z]{2}(?![\w-])")
TAIL_POSTCODE = re.compile(
    r"\s?,?\s{0,2}(?:[A-Z]-)?(?:\d{5}(?:-\d{3,4})?|\d{4}-\d{3}|\d{4}\s?[A-Z]{2})(?!\d)"
)

# A postal code without its street: before a city ("10115 Berlin"), and no year.
CITY_CODE = re.compile(
    r"(?<![\w.,€$£¥-])(?:[A-Z]{1,2}-)?(?!(?:19|20)\d\d\s)"
    r"(?P<code>\d{5}(?:-\d{3,4})?|\d{4}-\d{3}|\d{4}\s?[A-Z]{2}|\d{4})\s"
    r"(?P<city>[A-ZÀ-Þ][\w'’-]{1,30}(?:\s[A-ZÀ-Þ][\w'’-]{1,30})?)"
)

# Where national numbers are tried when an item has no region: the largest speakers of each script.
REGIONS = (
    "US", "GB", "FR", "DE", "ES", "PT", "IT", "JP", "KR", "CN", "TW", "IN", "BR", "MX", "NL", "CH",
    "AT",
)  # fmt: skip
NATIONAL = re.compile(r"(?<![\w.,/])[(+（]?\d[\d\s().\-/–]{6,22}\d(?![\w/])")
PHONE_CUE = re.compile(
    r"(?:\b(?:phone|tel|telephone|mobile|cell|call|ring|text|whatsapp|zap|fax|handy(?:nummer)?|"
    r"nummer|telefon|anrufen|numéro|portable|téléphone|appelle\S*|móvil|celular|teléfono|llama\S*|"
    r"telemóvel|telefone|liga\S*|number)|电话|電話|手机|手機|携帯|전화|번호|핸드폰|फोन|फ़ोन|नंबर|मोबाइल)"
    r"[^\d\n]{0,12}$",
    re.IGNORECASE,
)
DATE_LIKE = re.compile(
    r"(?:19|20)\d\d[-/. ]\s?\d{1,2}[-/. ]\s?\d{1,2}(?!\d)|\d{1,2}[-/.]\d{1,2}[-/.]"
    r"(?:19|20)?\d\d(?!\d)"
    r"|(?:19|20)\d{6}(?:[-_ ]?\d{2,6})?$|(?:19|20)\d\d\s?[-–]\s?(?:19|20)\d\d$"
)


def find_contacts(text: str) -> Iterator[Span]:
    """E-mail addresses, links and handles."""
    for match in EMAIL.finditer(text):
        yield Span(*match.span(), Kind.EMAIL, 0.98)
    for match in LINK.finditer(text):
        yield Span(match.start(), _link_end(match), Kind.LINK, 0.97)
    for match in BARE_LINK.finditer(text):
        if match.group().casefold().removeprefix("www.").rstrip("/") not in KNOWN_SITES:
            yield Span(match.start(), _link_end(match), Kind.LINK, 0.8)
    for match in HANDLE.finditer(text):
        yield Span(*match.span(), Kind.HANDLE, 0.9)
    for match in MESSENGER.finditer(text):
        yield Span(*match.span(1), Kind.HANDLE, 0.9)


def _link_end(match: re.Match[str]) -> int:
    """Without the punctuation of the sentence around it."""
    return match.start() + len(match.group().rstrip(".,;:!?)]}。、，！？"))


def find_codes(text: str) -> Iterator[Span]:
    """Accounts, cards, plates, bookings, identity numbers and passwords."""
    yield from _ibans(text)
    yield from _cards(text)
    yield from _after(PLATE_WORD, text, Kind.PLATE, 0.9)
    yield from (Span(*match.span(), Kind.PLATE, 0.75) for match in PLATE.finditer(text))
    yield from (each for each in _after(BOOKING, text, Kind.BOOKING, 0.9) if _is_code(each, text))
    yield from (each for each in _after(IDENTITY, text, Kind.NUMBER, 0.85) if _is_code(each, text))
    yield from (Span(*match.span(), Kind.NUMBER, 0.7) for match in NATIONAL_IDS.finditer(text))
    yield from _after(SECRET, text, Kind.NUMBER, 0.85)


def _after(pattern: re.Pattern[str], text: str, kind: Kind, score: float) -> Iterator[Span]:
    for match in pattern.finditer(text):
        yield Span(*match.span(1), kind, score)


def _is_code(span: Span, text: str) -> bool:
    """A code has digits, or is six letters as airlines write them; a date is none."""
    code = text[span.start : span.end]
    has_digit = any(char.isdigit() for char in code)
    return (has_digit or len(code) == 6) and DATE_LIKE.match(code) is None


def _ibans(text: str) -> Iterator[Span]:
    for match in IBAN.finditer(text):
        end = match.end()
        while end - match.start() >= 15 and not _is_iban(text[match.start() : end]):
            end -= 1
        if end - match.start() >= 15:
            plain = match.group()[: end - match.start()].replace(" ", "").upper()
            yield Span(match.start(), end, Kind.IBAN, 0.98, plain)


def _is_iban(text: str) -> bool:
    """ISO 13616: the remainder of the rearranged digits by 97 is 1."""
    plain = text.replace(" ", "").upper()
    if text[-1] == " " or len(plain) < 15:
        return False
    digits = "".join(str(int(char, 36)) for char in plain[4:] + plain[:4])
    return int(digits) % 97 == 1


def _cards(text: str) -> Iterator[Span]:
    """Card numbers; digits of an amount that follows are left out."""
    for match in CARD.finditer(text):
        ends = [each.end() for each in re.finditer(r"\d(?![\d])", match.group())]
        for end in reversed(ends):
            digits = re.sub(r"\D", "", match.group()[:end])
            if CARD_BRANDS.fullmatch(digits) and _luhn(digits):
                yield Span(match.start(), match.start() + end, Kind.CARD, 0.97, digits)
                break


def _luhn(digits: str) -> bool:
    """ISO/IEC 7812: the weighted sum of the digits ends in 0."""
    doubled = (int(char) * (1 + at % 2) for at, char in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def find_places(text: str, region: str | None = None) -> Iterator[Span]:
    """Street addresses with their postal codes, and coordinates; the city stays."""
    for pattern in ADDRESSES:
        for match in pattern.finditer(text):
            tail = TAIL_POSTCODE.match(text, match.end())
            yield Span(match.start(), tail.end() if tail else match.end(), Kind.PLACE, 0.8)
    yield from (Span(*match.span(), Kind.PLACE, 0.8) for match in UK_POSTCODE.finditer(text))
    yield from (Span(*match.span(), Kind.PLACE, 0.85) for match in COORDINATES.finditer(text))
    for match in CITY_CODE.finditer(text):
        if {fold(match["city"]), fold(match["city"].split()[0])} & large_cities():
            yield Span(match.start(), match.end("code"), Kind.PLACE, 0.7)
    if region == "ES":
        yield from (Span(*match.span(), Kind.PLATE, 0.7) for match in SPANISH_PLATE.finditer(text))


def find_phones(text: str, region: str | None = None) -> Iterator[Span]:
    """Phone numbers, international or national in `region` (ISO 3166), else in well-known ones."""
    if sum(char.isdigit() for char in text) < 7:
        return
    for name in _regions(region):
        for start, end, number in _phones_of(text, name):
            if _is_phone(text, start, end, sure=name == region):
                yield Span(start, end, Kind.PHONE, 0.9 if name == region else 0.78, number)


def _regions(region: str | None) -> Sequence[str]:
    return REGIONS if region is None else (region, *(each for each in REGIONS if each != region))


def _phones_of(text: str, region: str) -> Iterator[tuple[int, int, str]]:
    """Start, end, and the one international spelling (E.164) of each number."""
    import phonenumbers

    form = phonenumbers.PhoneNumberFormat.E164
    for match in phonenumbers.PhoneNumberMatcher(text, region, phonenumbers.Leniency.VALID):
        yield match.start, match.end, phonenumbers.format_number(match.number, form)


def _is_phone(text: str, start: int, end: int, *, sure: bool) -> bool:
    raw = text[start:end]
    if raw.startswith("+"):
        return True
    before = text[max(0, start - 2) : start]
    if DATE_LIKE.match(raw) or any(char in "€$£¥₩₹#" for char in before) or before.endswith("."):
        return False
    digits = sum(char.isdigit() for char in raw)
    if digits >= 8 and PHONE_CUE.search(text[max(0, start - 24) : start]):
        return True
    return sure or raw[0] in "0(（" or (digits >= 9 and len(re.findall(r"\d+", raw)) >= 3)
