"""Bitcoin-style base58 for 32-byte public keys."""

import re

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
VALUE = {c: i for i, c in enumerate(ALPHABET)}
SHAPE = re.compile(r"[1-9A-HJ-NP-Za-km-z]{32,44}")


def encode(raw):
    number, text = int.from_bytes(raw, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(raw) - len(raw.lstrip(b"\0"))) + text


def public_key(text, variant=None):
    """The 32 bytes that `text` stands for, or None."""
    if not isinstance(text, str) or not SHAPE.fullmatch(text):
        return None
    number = 0
    for c in text:
        number = number * 58 + VALUE[c]
    if variant == "base58-wraps":
        number %= 1 << 256
    if variant == "base58-left-padded":
        return number.to_bytes(32, "big") if number < 1 << 256 else None
    digits = number.to_bytes((number.bit_length() + 7) // 8, "big")
    ones = 0 if variant == "base58-leading-ones" else len(text) - len(text.lstrip("1"))
    raw = b"\0" * ones + digits
    return raw if len(raw) == 32 else None
