"""Request bodies: from bytes to fields whose form is right ("Resources and their fields")."""

import json
from urllib.parse import urlsplit

from fixture import METADATA_HOSTS
from keys import decode_key
from refusal import Refusal

MAX_BODY_BYTES = 16 * 1024
# The field that has it, its most characters and UTF-8 bytes: characters never outnumber bytes, so bytes decide.
_TEXT_BYTES = {"name": 32, "symbol": 10, "uri": 200}


def _refuse_constant(name: str):
    raise ValueError(f"{name} is not JSON")  # Python's parser takes NaN and Infinity by default.


def _unique(pairs: list) -> dict:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key is repeated")  # Our choice: two readers of such a body could disagree.
    return fields


def parse_object(body: bytes, names: set[str]) -> dict:
    """The JSON object in `body`, which has exactly the keys `names`; refuses with a 413 or a 400 otherwise."""
    if len(body) > MAX_BODY_BYTES:
        raise Refusal("BODY_TOO_LARGE")
    try:
        # Decoded here, since json.loads(bytes) would accept UTF-16 and UTF-32 too. No field is a number: floats
        # spare us Python's limit on the digits of an int. RecursionError: nested too deep.
        value = json.loads(
            body.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_int=float
        )
    except (ValueError, RecursionError):
        raise Refusal("INVALID_JSON_BODY") from None
    if not isinstance(value, dict) or value.keys() != names:
        raise Refusal("INVALID_FIELDS")
    return value


def require_match(pattern, text) -> str:
    """`text` when it is a string that the whole pattern matches; refuses with a 400 otherwise."""
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise Refusal("INVALID_FIELDS")
    return text


def check_launch_form(launch: dict) -> None:
    """Types, base58 and lengths of a launch request; what the values mean is checked later."""
    if decode_key(launch["creator"]) is None or decode_key(launch["mint"]) is None:
        raise Refusal("INVALID_FIELDS")
    for field, most in _TEXT_BYTES.items():
        text = launch[field]
        if not isinstance(text, str):
            raise Refusal("INVALID_FIELDS")
        try:
            size = len(text.encode())
        except UnicodeEncodeError:  # An escaped lone surrogate has no UTF-8 form.
            raise Refusal("INVALID_FIELDS") from None
        if not 1 <= size <= most:
            raise Refusal("INVALID_FIELDS")


def check_uri(uri: str) -> None:
    """https, one of the two hosts, a slash; no credentials, port or fragment.

    Our choices, which the contract leaves open: scheme and host in any case, an empty fragment, a query string.
    """
    # urlsplit drops tabs and line ends, and browsers take a back slash for a slash: refuse them before it looks.
    if any(letter <= " " or letter in "\\\x7f" for letter in uri):
        raise Refusal("METADATA_URL")
    try:
        parts = urlsplit(uri)
    except ValueError:
        raise Refusal("METADATA_URL") from None
    if parts.scheme != "https" or parts.fragment:
        raise Refusal("METADATA_URL")
    # The whole authority is compared, so credentials, ports, even empty ones, and final dots cannot match. ASCII
    # first: lower() turns the Kelvin sign into a k.
    if not parts.netloc.isascii() or parts.netloc.lower() not in METADATA_HOSTS:
        raise Refusal("METADATA_HOST")
    if not parts.path.startswith("/"):
        raise Refusal("METADATA_URL")
