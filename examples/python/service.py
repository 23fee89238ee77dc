"""The service of contract partner-preview-1: its routes and the order of their checks.

Start with `Service.handle`. Names in quotation marks are sections of the contract; "our choice" marks
behavior that the contract leaves open.
"""

import hashlib
import hmac
import json
import re
import secrets
import threading
from collections.abc import Callable
from urllib.parse import unquote

from draft import build_draft
from fields import canonical, check_launch, parse_fields
from fixture import AUDIENCE, METADATA_HOSTS, OPERATOR_KEY, PROFILE, RESERVED_KEYS, TERMS_HASH
from keys import can_sign, decode_key, proves
from refusal import Refusal
from stores import ExpiringStore, FixedWindow

MAX_BODY_BYTES = 16 * 1024
CHALLENGE_SECONDS = 60
SESSION_SECONDS = 3600
DRAFT_SECONDS = 30
# Keys are stored for as long as a session can last after the build.
KEY_SECONDS = SESSION_SECONDS
BUILDS_PER_MINUTE = 5
CAPACITY = {"challenges": 512, "sessions": 96, "drafts": 400}

METHOD_OF = {
    "/v1/platform": "GET",
    "/v1/auth/challenge": "POST",
    "/v1/auth/verify": "POST",
    "/v1/launch/build": "POST",
}
# Our choice: the code for wrong fields is BINDING_FAULT on the routes that bind a creator (verify and build),
# otherwise FIELD_FAULT.
FIELD_FAULT = "INVALID_FIELDS"
BINDING_FAULT = "CREATOR_BINDING_OR_FIELDS"

_CHALLENGE_ID = re.compile(r"[a-f0-9]{48}")
_IDEMPOTENCY_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")


def _route(path: str) -> str:
    """Returns the path of a route. Our choice: query, case, escapes, and additional slashes do not matter."""
    return "/" + "/".join(filter(None, unquote(path.partition("?")[0]).lower().split("/")))


def _digest(bearer: str) -> bytes:
    """Returns the hash of a bearer. Our choice: the scheme of the header and outer white space are removed first."""
    bearer = bearer.removeprefix("Bearer ").strip()
    return hashlib.sha256(bearer.encode("utf-8", "surrogatepass")).digest()


class Service:
    """A service with empty state. `now_ms` returns ms since the Unix epoch, and never decreases.

    Timestamps are whole seconds since the epoch, rounded down. An entry is valid through the second in which
    it expires: at least as long as the contract says, and less than one second longer.
    """

    def __init__(self, now_ms: Callable[[], int]):
        self._now_ms = now_ms
        # Handles one request at a time, so that the state cannot change between a check and a write.
        self._turn = threading.Lock()
        self._id_secret = secrets.token_bytes(32)
        self._challenges = ExpiringStore(CAPACITY["challenges"], CHALLENGE_SECONDS)
        self._sessions = ExpiringStore(CAPACITY["sessions"], SESSION_SECONDS)
        self._drafts = ExpiringStore(CAPACITY["drafts"], KEY_SECONDS)
        self._builds = FixedWindow(BUILDS_PER_MINUTE, 60_000)

    def handle(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        bearer: str | None = None,
        idempotency_key: str | None = None,
    ) -> dict:
        """Returns the envelope `{status, body}` of one request. Never raises for bad input."""
        try:
            with self._turn:
                return {"status": 200, "body": self._answer(method, path, body, bearer, idempotency_key)}
        except Refusal as refusal:
            # Our choice: the status as an extra field.
            error = {"code": refusal.code, "status": refusal.status, "productionApproved": False}
            return {"status": refusal.status, "body": error}

    def _answer(self, method: str, path: str, body: bytes, bearer: str | None, key: str | None) -> dict:
        route = _route(path)
        if route not in METHOD_OF:
            raise Refusal("NO_EXECUTION_ENDPOINT")
        if len(body) > MAX_BODY_BYTES:  # Our choice: before all other checks, and also for GET.
            raise Refusal("BODY_TOO_LARGE")
        # Our choice: the contract has no code for a wrong method, or for a body of a GET request.
        if method.upper() != METHOD_OF[route] or (body and METHOD_OF[route] == "GET"):
            raise Refusal(FIELD_FAULT)
        now_ms = self._now_ms()
        second = now_ms // 1000
        for store in (self._challenges, self._sessions, self._drafts):
            store.drop_expired(second)
        self._builds.drop_expired(now_ms)
        if route == "/v1/platform":
            return PROFILE
        if route == "/v1/auth/challenge":
            return self._challenge(parse_fields(body, {"creator", "termsHash"}, FIELD_FAULT), second)
        if route == "/v1/auth/verify":
            return self._verify(parse_fields(body, {"id", "signatureBase64"}, BINDING_FAULT), second)
        launch = parse_fields(body, {"creator", "mint", "name", "symbol", "uri"}, BINDING_FAULT)
        return self._build(launch, now_ms, bearer, key)

    def _challenge(self, request: dict[str, str], second: int) -> dict:
        """POST /v1/auth/challenge."""
        creator = request["creator"]
        key = decode_key(creator)
        if key is None:
            raise Refusal(FIELD_FAULT)
        # Our choice: no challenge for a key that cannot sign, or that anyone can sign for.
        if not can_sign(key) or creator in RESERVED_KEYS:
            raise Refusal("INVALID_CREATOR")
        if request["termsHash"] != TERMS_HASH:
            raise Refusal("INVALID_DEMO_TERMS_OR_FIELDS")
        identifier = self._new_id()
        expires = second + CHALLENGE_SECONDS
        # The layout is our choice. The ID makes each message unique.
        message = json.dumps(
            {"audience": AUDIENCE, "challenge": identifier, "creator": creator, "expires": expires, "terms": TERMS_HASH}
        )
        self._challenges.add(identifier, (creator, key, message), second)
        return {
            "id": identifier,
            "message": message,
            "expiresAt": expires,
            "productionApproved": False,
            "audience": AUDIENCE,  # An extra field: our choice.
        }

    def _verify(self, request: dict[str, str], second: int) -> dict:
        """POST /v1/auth/verify."""
        identifier = request["id"]
        if not _CHALLENGE_ID.fullmatch(identifier):
            raise Refusal(BINDING_FAULT)
        challenge = self._challenges.get(identifier)
        if challenge is None:
            raise Refusal("EXPIRED_OR_USED_CHALLENGE" if self._is_own_id(identifier) else "INVALID_PROOF")
        creator, key, message = challenge
        # Our choice: text that is not a signature is an invalid proof.
        proven = proves(key, message, request["signatureBase64"])
        if proven:
            self._sessions.require_room()  # Our choice: a full store leaves the challenge unused.
        self._challenges.remove(identifier)  # Also after a bad proof ("Authentication", 6).
        if not proven:
            raise Refusal("INVALID_PROOF")
        bearer = secrets.token_hex(32)
        expires = self._sessions.add(_digest(bearer), creator, second)
        return {
            "bearer": bearer,
            "expiresAt": expires,
            "scope": "offline:launch-draft",
            "productionApproved": False,
            "creator": creator,  # An extra field: our choice.
        }

    def _build(self, launch: dict[str, str], now_ms: int, bearer: str | None, key: str | None) -> dict:
        """POST /v1/launch/build. Our choice of order: first the checks that need only the request."""
        second = now_ms // 1000
        check_launch(launch, BINDING_FAULT)
        if key is None:
            raise Refusal("IDEMPOTENCY_REQUIRED")
        if not _IDEMPOTENCY_KEY.fullmatch(key):
            raise Refusal(BINDING_FAULT)
        creator = None if bearer is None else self._sessions.get(_digest(bearer))
        if creator is None:
            raise Refusal("UNAUTHORIZED")
        if launch["creator"] != creator:  # Also refuses a malformed creator.
            raise Refusal("CREATOR_BINDING_OR_FIELDS")

        canonical_input = canonical(launch)
        known_input, draft = self._drafts.get((creator, key)) or (None, None)
        expired = draft is not None and second > draft["expiresAt"]
        if draft is None:
            self._drafts.require_room()
        elif known_input == canonical_input and not expired:
            return draft
        # Our choice: every build except a retry counts toward the limit of five, even a conflict.
        self._builds.take_turn(creator, now_ms)
        if draft is not None:
            # Our choice: an expired key gets REBUILD_WITH_NEW_KEY for any input.
            raise Refusal("REBUILD_WITH_NEW_KEY" if expired else "IDEMPOTENCY_CONFLICT")
        draft = build_draft(launch, second + DRAFT_SECONDS)
        self._drafts.add((creator, key), (canonical_input, draft), second)
        return draft

    def _new_id(self) -> str:
        """Returns 48 hex characters: a nonce, and a tag that shows that this service made the ID."""
        nonce = secrets.token_hex(12)
        return nonce + self._id_tag(nonce)

    def _is_own_id(self, identifier: str) -> bool:
        return hmac.compare_digest(identifier[24:], self._id_tag(identifier[:24]))

    def _id_tag(self, nonce: str) -> str:
        return hmac.digest(self._id_secret, nonce.encode(), "sha256").hex()[:24]


# Facts for the conformance kit, which cannot observe them.
FACTS = {
    "metadataHosts": list(METADATA_HOSTS),
    "operatorKey": OPERATOR_KEY,
    "signedBytes": "utf8",
    "capacity": CAPACITY,
}
