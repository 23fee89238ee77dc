"""Request bodies: from bytes to fields whose form is right ("Resources and their fields")."""

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
    raise ValueError(f"{name} is not JSON")  # Python's parser takes NaN and Infinity by default.


def _unique(pairs: list) -> dict:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key is repeated")  # Our choice: two readers of such a body could disagree.
    return fields


def parse_fields(body: bytes, names: set[str], fault: str) -> dict[str, str]:
    """The object in `body`: exactly the keys `names`, each with a string. Refuses other JSON with the code `fault`."""
    try:
        # Our choices: no body is an object without fields, and a byte order mark is skipped. Decoded here,
        # since json.loads(bytes) would accept UTF-16 and UTF-32 too. No field is a number: floats spare us Python's
        # limit on the digits of an int. RecursionError: nested too deep.
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
    """Checks what does not depend on the session. `fault` is the code for a bad mint, name, or symbol.

    The order of the checks is our choice, and so is what we refuse beyond the contract: a mint that could never sign
    or is a fixed key of the platform, and names and symbols that cannot be seen. Python counts no control, format or
    lone surrogate as printable, and hence no emoji that is joined from several.
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
    """https, one of the two hosts, a slash; no credentials, port or fragment.

    Which code fits which fault is our choice: METADATA_HOST where no plain host can be read, METADATA_URL where the
    address is none of ours. So is the last check: plain segments only, so that an address has one spelling and names
    a file. It leaves out queries, escapes, dot segments, empty ones, the sign of an empty fragment, and what careless
    readers take for credentials or a port.
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

    Our choice: how a name or symbol looks, so neither its Unicode normal form nor white space around it.
    """
    visible = {field: unicodedata.normalize("NFC", launch[field]).strip() for field in ("name", "symbol")}
    return launch | visible
