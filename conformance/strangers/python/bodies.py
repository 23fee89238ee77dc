"""Reading of request bodies, and the checks on single fields."""

import base64
import json
import re

import base58

MAX_BODY = 16 * 1024
HEX_48 = re.compile(r"[a-f0-9]{48}")
HEX_64 = re.compile(r"[a-f0-9]{64}")
KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
METADATA_HOSTS = ("pins.token-shelf.example", "media.orbit-cards.example")


class Refused(Exception):
    def __init__(self, status, code):
        super().__init__(code)
        self.status, self.code = status, code


class DuplicateName(Exception):
    pass


def _distinct(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise DuplicateName()
    return members


def _no_constant(name):
    raise ValueError(name)


def read_object(body, fields, field_code, variant=None):
    """The JSON object in `body` (str, bytes or None), which has exactly `fields`, all of them strings."""
    if body is None:
        body = b""
    raw = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    size = len(raw.decode("utf-8", "replace")) if variant == "size-in-characters" else len(raw)
    if size > MAX_BODY:
        raise Refused(413, "BODY_TOO_LARGE")
    try:
        value = _parse(raw, variant)
    except DuplicateName:
        raise Refused(400, field_code) from None
    except json.JSONDecodeError:
        raise Refused(400, "INVALID_JSON_BODY") from None
    except (ValueError, RecursionError):
        if variant == "big-number":
            raise
        raise Refused(400, "INVALID_JSON_BODY") from None
    if not isinstance(value, dict):
        raise Refused(400, "INVALID_JSON_BODY" if variant == "codes-fields" else field_code)
    if value.keys() != set(fields) or not all(isinstance(v, str) for v in value.values()):
        raise Refused(400, field_code)
    return value


def _parse(raw, variant):
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(400, "INVALID_JSON_BODY") from None
    # A number is never a valid field; as a float it may have any number of digits.
    options = {"parse_int": float, "parse_constant": _no_constant, "object_pairs_hook": _distinct}
    if variant in ("duplicates-last", "duplicates-split"):
        del options["object_pairs_hook"]
    if variant == "big-number":
        del options["parse_int"]
    if variant == "trailing-text":
        return json.JSONDecoder(**options).raw_decode(text.lstrip(" \t\r\n"))[0]
    return json.loads(text, **options)


def first_creator(body):
    """The first creator in the raw text (only the variant duplicates-split looks here)."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body or ""
    found = re.search(r'"creator"\s*:\s*"([^"\\]*)"', text)
    return found.group(1) if found else None


def utf8_length(text, variant=None):
    if variant == "emoji-six-bytes":
        units = text.encode("utf-16-be", "surrogatepass")
        return sum(
            1 if unit < 0x80 else 2 if unit < 0x800 else 3
            for unit in (int.from_bytes(units[i:i + 2], "big") for i in range(0, len(units), 2))
        )
    return len(text.encode("utf-8", "surrogatepass"))


def check_text(text, limit, variant=None):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair is no text
        raise Refused(400, "INVALID_FIELDS") from None
    if not text or utf8_length(text, variant) > limit:
        raise Refused(400, "INVALID_FIELDS")


def check_uri(uri, variant=None):
    check_text(uri, 200)
    if variant == "uri-tidied":
        uri = re.sub(r"[\t\r\n]", "", uri)
    if any(c <= " " or c == "\x7f" for c in uri):
        raise Refused(400, "METADATA_URL")
    if not uri.startswith("https://"):
        raise Refused(400, "METADATA_URL")
    authority = re.split(r"[/?#\\]", uri[8:], maxsplit=1)[0]
    if variant == "default-port":
        authority = authority.removesuffix(":443")
    if authority not in METADATA_HOSTS:
        url_fault = "@" in authority or ":" in authority
        raise Refused(400, "METADATA_URL" if url_fault and variant != "codes-uri" else "METADATA_HOST")
    if variant == "default-port":
        uri = uri.replace(":443/", "/", 1)
    if not uri.startswith(f"https://{authority}/") or "#" in uri:
        raise Refused(400, "METADATA_URL")


def check_key(key, variant=None):
    if key is None or key == "":
        raise Refused(400, "IDEMPOTENCY_REQUIRED")
    if variant == "key-newline":
        good = isinstance(key, str) and re.match(r"^[A-Za-z0-9_-]{8,64}$", key)
    else:
        good = isinstance(key, str) and KEY.fullmatch(key)
    if not good:
        raise Refused(400, "IDEMPOTENCY_REQUIRED")


def signature(text, variant=None):
    """The 64 bytes of a base64 signature, or None."""
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=variant != "base64-junk")
    except ValueError:
        return None
    if variant == "base64-exact" and base64.b64encode(raw).decode() != text:
        return None
    return raw if len(raw) == 64 else None


def key_of(text, code, variant=None):
    raw = base58.public_key(text, variant)
    if raw is None:
        raise Refused(400, code)
    return raw
