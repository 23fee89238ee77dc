"""Public keys in base58, and Ed25519 proofs made with them (RFC 8032)."""

import base64
import binascii
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_BASE58 = re.compile(r"[1-9A-HJ-NP-Za-km-z]{32,44}")
_DIGIT = {letter: value for value, letter in enumerate("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")}

_FIELD = 2**255 - 19
_D = -121665 * pow(121666, -1, _FIELD)
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER_Y = {0, 1, _FIELD - 1, _ORDER_8, _FIELD - _ORDER_8}


def decode_key(text) -> bytes | None:
    """Returns the 32 bytes of a base58 public key, or None."""
    if not isinstance(text, str) or not _BASE58.fullmatch(text):
        return None
    number = 0
    for letter in text:
        number = number * 58 + _DIGIT[letter]
    digits = number.to_bytes((number.bit_length() + 7) // 8, "big")
    zeros = len(text) - len(text.lstrip("1"))
    key = bytes(zeros) + digits
    return key if len(key) == 32 else None


def can_sign(key: bytes) -> bool:
    """Returns whether only the holder of a private key can sign for this key.

    The key must be the canonical form of a point of the curve (RFC 8032, 5.1.3), but not of a point of small
    order, for which anyone can forge a signature.
    """
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= _FIELD or y in _SMALL_ORDER_Y:
        return False
    x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, _FIELD)
    return pow(x_squared, (_FIELD - 1) // 2, _FIELD) == 1


def proves(key: bytes, message: str, signature_base64: str) -> bool:
    """Returns whether the text is base64 of a 64-byte Ed25519 signature of `message` in UTF-8.

    OpenSSL refuses a signature whose S is not below the group order (RFC 8032, 5.1.7).
    """
    try:
        signature = base64.b64decode(signature_base64, validate=True)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message.encode())
    except (binascii.Error, ValueError, InvalidSignature):
        return False
    return True
