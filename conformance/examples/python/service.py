"""The service of contract partner-preview-1: its routes and the order of their checks.

Start with `Service.handle`. Names in quotation marks are sections of the contract; "our choice" marks what the
contract leaves open.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable

from draft import build_draft
from fields import check_launch_form, check_uri, parse_object, require_match
from fixture import AUDIENCE, LAUNCH_PROGRAM, METADATA_HOSTS, OPERATOR_KEY, PROFILE, TERMS_HASH
from keys import decode_key, has_small_order, proves
from refusal import Refusal
from stores import ExpiringStore, FixedWindow

CHALLENGE_SECONDS = 60
SESSION_SECONDS = 3600
DRAFT_SECONDS = 30
# How long a key still answers REBUILD_WITH_NEW_KEY after its draft expired: our choice.
KEY_MEMORY_SECONDS = 60
BUILDS_PER_MINUTE = 5
CAPACITY = {"challenges": 512, "sessions": 96, "drafts": 200}

METHOD_OF = {
    "/v1/platform": "GET",
    "/v1/auth/challenge": "POST",
    "/v1/auth/verify": "POST",
    "/v1/launch/build": "POST",
}
_HASH = re.compile(r"[a-f0-9]{64}")
_CHALLENGE_ID = re.compile(r"[a-f0-9]{48}")
_IDEMPOTENCY_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")


def _digest(bearer: str) -> bytes:
    return hashlib.sha256(bearer.encode("utf-8", "surrogatepass")).digest()


class Service:
    """One service with empty state. `now_ms` gives milliseconds since the Unix epoch and never runs back.

    Timestamps are whole seconds since the epoch, rounded down. What is stored lives on in the second in which it
    expires: so never shorter than the contract says, and less than a second longer.
    """

    def __init__(self, now_ms: Callable[[], int]):
        self._now_ms = now_ms
        self._id_secret = secrets.token_bytes(32)
        self._challenges = ExpiringStore(CAPACITY["challenges"], CHALLENGE_SECONDS)
        self._sessions = ExpiringStore(CAPACITY["sessions"], SESSION_SECONDS)
        self._drafts = ExpiringStore(CAPACITY["drafts"], DRAFT_SECONDS + KEY_MEMORY_SECONDS)
        self._builds = FixedWindow(BUILDS_PER_MINUTE, 60_000)

    def handle(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        bearer: str | None = None,
        idempotency_key: str | None = None,
    ) -> dict:
        """Answers one request with the envelope `{status, body}`; never raises for bad input."""
        try:
            return {"status": 200, "body": self._answer(method, path, body, bearer, idempotency_key)}
        except Refusal as refusal:
            return {"status": refusal.status, "body": {"code": refusal.code, "productionApproved": False}}

    def _answer(self, method: str, path: str, body: bytes, bearer: str | None, key: str | None) -> dict:
        route = path.partition("?")[0]  # Our choice: query strings are ignored.
        if route not in METHOD_OF:
            raise Refusal("NO_EXECUTION_ENDPOINT")
        if method != METHOD_OF[route]:
            raise Refusal("INVALID_FIELDS")  # Our choice: the contract has no code for a wrong method.
        now_ms = self._now_ms()
        second = now_ms // 1000
        for store in (self._challenges, self._sessions, self._drafts):
            store.drop_expired(second)
        self._builds.drop_expired(now_ms)
        if route == "/v1/platform":
            return PROFILE
        if route == "/v1/auth/challenge":
            return self._challenge(parse_object(body, {"creator", "termsHash"}), second)
        if route == "/v1/auth/verify":
            return self._verify(parse_object(body, {"id", "signatureBase64"}), second)
        return self._build(parse_object(body, {"creator", "mint", "name", "symbol", "uri"}), now_ms, bearer, key)

    def _challenge(self, request: dict, second: int) -> dict:
        """POST /v1/auth/challenge."""
        creator = request["creator"]
        key = decode_key(creator)
        # Keys of small order are refused, since a proof would prove nothing: our choice.
        if key is None or has_small_order(key):
            raise Refusal("INVALID_FIELDS")
        if require_match(_HASH, request["termsHash"]) != TERMS_HASH:
            raise Refusal("INVALID_DEMO_TERMS_OR_FIELDS")
        identifier = self._new_id()
        expires = second + CHALLENGE_SECONDS
        # The layout is our choice. The identifier makes every message one of its kind.
        message = json.dumps(
            {"audience": AUDIENCE, "challenge": identifier, "creator": creator, "expires": expires, "terms": TERMS_HASH}
        )
        self._challenges.add(identifier, (creator, key, message), second)
        return {"id": identifier, "message": message, "expiresAt": expires, "productionApproved": False}

    def _verify(self, request: dict, second: int) -> dict:
        """POST /v1/auth/verify."""
        identifier = require_match(_CHALLENGE_ID, request["id"])
        signature = request["signatureBase64"]
        if not isinstance(signature, str):
            raise Refusal("INVALID_FIELDS")
        # Taken out before it is judged: a bad proof uses the challenge up too ("Authentication", 6). Our choice:
        # a text that is no signature at all counts as a bad proof.
        challenge = self._challenges.take(identifier)
        if challenge is None:
            raise Refusal("EXPIRED_OR_USED_CHALLENGE" if self._is_own_id(identifier) else "INVALID_PROOF")
        creator, key, message = challenge
        if not proves(key, message, signature):
            raise Refusal("INVALID_PROOF")
        bearer = secrets.token_hex(32)
        expires = self._sessions.add(_digest(bearer), creator, second)
        return {
            "bearer": bearer,
            "expiresAt": expires,
            "scope": "offline:launch-draft",
            "productionApproved": False,
            "creator": creator,
        }

    def _build(self, launch: dict, now_ms: int, bearer: str | None, key: str | None) -> dict:
        """POST /v1/launch/build."""
        second = now_ms // 1000
        creator = None if bearer is None else self._sessions.get(_digest(bearer))
        if creator is None:
            raise Refusal("UNAUTHORIZED")
        check_launch_form(launch)
        if launch["creator"] != creator:
            raise Refusal("CREATOR_BINDING_OR_FIELDS")
        if key is None:
            raise Refusal("IDEMPOTENCY_REQUIRED")
        require_match(_IDEMPOTENCY_KEY, key)

        known = self._drafts.get((creator, key))
        if known is not None:
            known_launch, draft = known
            if launch != known_launch:
                raise Refusal("IDEMPOTENCY_CONFLICT")
            if second > draft["expiresAt"]:
                raise Refusal("REBUILD_WITH_NEW_KEY")
            return draft

        # Our choice: from here on an attempt counts among the five, even one that is refused below.
        self._drafts.require_room()
        self._builds.take_turn(creator, now_ms)
        # The program stands in every transaction, which must not list one account twice.
        if launch["mint"] in (creator, OPERATOR_KEY, LAUNCH_PROGRAM):
            raise Refusal("CANONICAL_BUILD_REJECTED")
        check_uri(launch["uri"])
        draft = build_draft(launch, second + DRAFT_SECONDS)
        self._drafts.add((creator, key), (launch, draft), second)
        return draft

    def _new_id(self) -> str:
        """48 hex characters: a random nonce and a tag, so that spent identifiers are known without keeping them."""
        nonce = secrets.token_hex(12)
        return nonce + self._id_tag(nonce)

    def _is_own_id(self, identifier: str) -> bool:
        return hmac.compare_digest(identifier[24:], self._id_tag(identifier[:24]))

    def _id_tag(self, nonce: str) -> str:
        return hmac.digest(self._id_secret, nonce.encode(), "sha256").hex()[:24]


# What the conformance kit cannot see from outside.
FACTS = {
    "metadataHosts": list(METADATA_HOSTS),
    "operatorKey": OPERATOR_KEY,
    "signedBytes": "utf8",
    "capacity": CAPACITY,
}
