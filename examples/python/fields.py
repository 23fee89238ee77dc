"""Reads request bodies and checks their fields ("Resources and their fields")."""

import json
import re
import unicodedata

from fixture import METADATA_HOSTS, RESERVED_KEYS
from keys import can_sign, decode_key
from refusal import Refusal

_URI = re.compile(r"https://([A-Za-z0-9.-]+)(/.*)", re.DOTALL)
_SEGMENT = r"(?!\.\.?(?:/|\Z))[A-Za-z0-9._~!$&'()*+,;=-]+"
_PATH = re.compile(f"(/{_SEGMENT})+/?")


def _refuse_constant(name: str):
    raise ValueError(f"{name} is not JSON")  # Python's parser accepts NaN and Infinity by default.


def _unique(pairs: list) -> dict:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key is repeated")  # Our choice: parsers disagree on which value counts.
    return fields


def parse_fields(body: bytes, names: set[str], fault: str) -> dict[str, str]:
    """Returns the fields `names` in `body`. Refuses other fields and non-string values with `fault`."""
    try:
        # Our choices: an empty body is an object without fields, and a byte order mark is skipped. Decodes
        # the bytes, because json.loads(bytes) also accepts UTF-16 and UTF-32. Parses integers as floats,
        # because Python limits the digits of an int. A RecursionError means that the nesting is too deep.
        text = (body or b"{}").decode("utf-8-sig")
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_int=float)
    except (ValueError, RecursionError):
        raise Refusal("INVALID_JSON_BODY") from None
    if not isinstance(value, dict) or value.keys() != names or not all(isinstance(v, str) for v in value.values()):
        raise Refusal(fault)
    return value


def _fits(text: str, most: int) -> bool:
    """Returns whether `text` has 1 to `most` bytes in UTF-8. It then has at most as many characters."""
    return 1 <= len(text.encode("utf-8", "surrogatepass")) <= most


def check_launch(launch: dict[str, str], fault: str) -> None:
    """Makes the checks that need no session. `fault` is the code for a bad mint or a wrong length.

    Our choices: the order of the checks, and the refusals beyond the contract. These are a mint that cannot sign
    or is a fixed key of the platform, and a name or symbol that is white space or not printable. To Python,
    control and format characters (which join some emoji) and lone surrogates are not printable.
    """
    check_uri(launch["uri"])
    mint = decode_key(launch["mint"])
    if mint is None or not can_sign(mint) or launch["mint"] in RESERVED_KEYS | {launch["creator"]}:
        raise Refusal(fault)
    for field, most in (("name", 32), ("symbol", 10)):
        if not _fits(launch[field], most):
            raise Refusal(fault)
        if not launch[field].isprintable() or launch[field].isspace():
            raise Refusal("CANONICAL_BUILD_REJECTED")


def check_uri(uri: str) -> None:
    """Checks that a URI is https, one of the two hosts, and a path, without credentials, port, or fragment.

    The codes are our choice: METADATA_HOST if no plain host can be read, METADATA_URL for a wrong length, a
    wrong host, or a fragment. The last check is also our choice: it accepts only plain path segments, so that a
    URI has one spelling and names a file. It refuses queries, escapes, dot segments, empty segments, empty
    fragments, and characters that careless parsers take for credentials or a port.
    """
    if not _fits(uri, 200):
        raise Refusal("METADATA_URL")
    parts = _URI.fullmatch(uri)
    if parts is None:
        raise Refusal("METADATA_HOST")
    host, rest = parts.groups()
    if host not in METADATA_HOSTS or rest.partition("#")[2]:
        raise Refusal("METADATA_URL")
    if not _PATH.fullmatch(rest):
        raise Refusal("CANONICAL_BUILD_REJECTED")


def canonical(launch: dict[str, str]) -> dict[str, str]:
    """Returns a value that is equal for two requests with the same input ("Endpoints", build rule 2).

    Our choice: the Unicode normal form of a name or symbol and white space around it make no difference.
    """
    visible = {field: unicodedata.normalize("NFC", launch[field]).strip() for field in ("name", "symbol")}
    return launch | visible
