"""Challenge messages, bearers and Ed25519 proofs."""

import base64
import hashlib
import hmac
import json

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import drafts

GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
FIXED_SECRET = b"offline-demo bearer secret"


def message(creator, expiry, expiry_ms, challenge_id, variant=None):
    terms = drafts.TERMS_HASH
    if variant == "message-json":
        return json.dumps({"aud": "offline-demo", "exp": expiry, "terms": terms, "ref": challenge_id,
                           "sub": creator}, indent=1)
    if variant == "message-bare":
        return f"{creator}|offline-demo|{terms}|{expiry}"
    if variant == "message-typeset":
        return (f"« offline-demo » — преглед\r\n\r\n\t{creator}\r\n\tterms → {terms}\r\n"
                f"\texpiry → {expiry}\r\n\t№ {challenge_id}\r\n")
    if variant == "message-epoch":
        return f"offline-demo:{challenge_id}:{expiry_ms}:{terms}:{creator}"
    return (f"offline-demo asks {creator} to prove its key. Demo terms {terms} are no agreement. "
            f"Good until {expiry} . Ticket {challenge_id}")


def signed_bytes(text, variant=None):
    if variant == "signs-text":
        return text.encode()
    if variant == "signs-framed":
        raw = text.encode()
        return b"\xffoffline-demo\0" + len(raw).to_bytes(4, "big") + raw
    return hashlib.sha256(text.encode()).digest()


def valid(creator, signature, text, variant=None):
    if variant == "scalar-reduced":
        scalar = int.from_bytes(signature[32:], "little") % GROUP_ORDER
        signature = signature[:32] + scalar.to_bytes(32, "little")
    try:
        Ed25519PublicKey.from_public_bytes(creator).verify(signature, signed_bytes(text, variant))
        return True
    except (InvalidSignature, ValueError):
        return False


def bearer(random_bytes, creator, expires, variant=None):
    if variant == "bearer-outlives-restart":
        claims = f"{creator}.{expires}"
        return claims + "." + hmac.new(FIXED_SECRET, claims.encode(), "sha256").hexdigest()
    if variant == "bearer-long":
        return random_bytes(750).hex()
    if variant == "bearer-punctuated":
        return "~" + base64.b64encode(random_bytes(31)).decode() + "="
    text = base64.b32encode(random_bytes(25)).decode().lower()
    return "od-" + ".".join(text[i:i + 8] for i in range(0, 40, 8))


def claims_of(token):
    """Creator and expiry in a signed bearer (only the variant bearer-outlives-restart has them)."""
    claims, _, mark = token.rpartition(".")
    if not hmac.compare_digest(mark.encode("utf-8", "replace"),
                               hmac.new(FIXED_SECRET, claims.encode("utf-8", "replace"), "sha256").hexdigest().encode()):
        return None
    creator, _, expires = claims.partition(".")
    return creator, int(expires)


def token_hash(token, variant=None):
    if variant == "bearer-prefix":
        token = token[:32]
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
