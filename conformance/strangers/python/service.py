"""The service. `Service(now, variant).handle(...)` gives `(status, body)`.

Without a variant it keeps the contract. Each variant changes one place, where its name stands.
"""

import hashlib
import json
import random
import re
import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass

import base58
import bodies
import drafts
import proofs
import timestamps
from bodies import Refused

CHALLENGE_MS = 60_000
SESSION_MS = 3_600_000
RETRY_MS = 30_000
MINUTE_MS = 60_000
BUILDS_PER_MINUTE = 5
LAUNCH_FIELDS = ("creator", "mint", "name", "symbol", "uri")

CAPACITY = {"challenges": 1500, "sessions": 2500, "drafts": 6000}
CAPACITIES = {
    "capacity-tiny": {"challenges": 7, "sessions": 5, "drafts": 11},
    "capacity-huge": {"challenges": 300_000, "sessions": 300_000, "drafts": 1_000_000},
    "capacity-evicts": {"challenges": 90, "sessions": 70, "drafts": 120},
    "capacity-before-retry": {"challenges": 90, "sessions": 70, "drafts": 40},
    "capacity-as-rate": {"challenges": 90, "sessions": 70, "drafts": 120},
}
POOL = 4000  # all kinds together, in the variant capacity-one-pool

OUTLIVING_KEYS = {}  # shared by every service of a process, in the variant keys-outlive-restart


def capacity_facts(variant):
    if variant in ("capacity-one-pool", "capacity-unstated"):
        return None
    return CAPACITIES.get(variant, CAPACITY)


@dataclass
class Challenge:
    creator: str
    key: bytes
    message: str
    issued: int


@dataclass
class Session:
    creator: str
    key: bytes
    expires: int


@dataclass
class Record:
    input_hash: bytes
    made: int
    draft: dict


class Service:
    def __init__(self, now, variant=None):
        self.now, self.variant = now, variant
        self.started = now()
        self.lock = threading.RLock()
        self.challenges, self.sessions = OrderedDict(), OrderedDict()
        self.records = OUTLIVING_KEYS if variant == "keys-outlive-restart" else OrderedDict()
        self.windows = OrderedDict()  # creator -> (start of its minute, builds in it)
        self.builder = drafts.Builder(variant)
        self.spent = OrderedDict()
        self.proved, self.last_message, self.session_of = {}, {}, {}
        self.random_bytes = secrets.token_bytes
        if variant == "nonce-from-clock":
            self.random_bytes = random.Random(self.started).randbytes

    # -- routing

    def handle(self, method, path, body=None, bearer=None, idempotency_key=None):
        try:
            return 200, self._route(method, path, body, bearer, idempotency_key)
        except Refused as refused:
            return refused.status, {"code": refused.code, "productionApproved": False}

    def _route(self, method, path, body, bearer, key):
        if self.variant == "routes-by-prefix" and str(path).startswith("/v1/launch/build/"):
            path = "/v1/launch/build"
        route = (method, path)
        if route == ("GET", "/v1/platform"):
            return drafts.profile(self.variant)
        if route == ("POST", "/v1/auth/challenge"):
            return self._challenge(body)
        if route == ("POST", "/v1/auth/verify"):
            return self._verify(body)
        if route == ("POST", "/v1/launch/build"):
            return self._build(body, bearer, key)
        raise Refused(404, "NO_EXECUTION_ENDPOINT")

    # -- challenges

    def _challenge(self, body):
        field_code = "INVALID_FIELDS" if self.variant == "codes-fields" else "INVALID_DEMO_TERMS_OR_FIELDS"
        request = bodies.read_object(body, ("creator", "termsHash"), field_code, self.variant)
        key = bodies.key_of(request["creator"], "INVALID_CREATOR", self.variant)
        if request["termsHash"] != drafts.TERMS_HASH:
            raise Refused(400, "INVALID_DEMO_TERMS_OR_FIELDS")
        with self.lock:
            now = self.now()
            self._make_room("challenges", now)
            nonce = hashlib.sha256(self.random_bytes(32)).digest()[:24]
            challenge_id = format(int.from_bytes(nonce, "big"), "x") if self.variant == "id-unpadded" else nonce.hex()
            expiry = timestamps.challenge_expiry(now + CHALLENGE_MS, self.variant)
            message = proofs.message(request["creator"], expiry, now + CHALLENGE_MS, challenge_id, self.variant)
            if self.variant == "one-challenge":
                for other in [i for i, c in self.challenges.items() if c.creator == request["creator"]]:
                    del self.challenges[other]
            self.challenges[challenge_id] = Challenge(request["creator"], key, message, now)
        return {"id": challenge_id, "message": message, "expiresAt": expiry, "productionApproved": False}

    def _challenge_alive(self, challenge, now):
        age = now - challenge.issued
        return age < CHALLENGE_MS if self.variant == "edges-exclusive" else age <= CHALLENGE_MS

    def _take(self, challenge_id):
        with self.lock:
            if self.variant == "spent-ids-forgotten":
                if challenge_id in self.spent:
                    return None
                self.spent[challenge_id] = True
                if len(self.spent) > 64:
                    self.spent.popitem(last=False)
                return self.challenges.get(challenge_id)
            if self.variant == "verify-race":
                return self.challenges.get(challenge_id)
            return self.challenges.pop(challenge_id, None)

    def _verify(self, body):
        request = bodies.read_object(body, ("id", "signatureBase64"), "INVALID_FIELDS", self.variant)
        challenge_id = request["id"]
        shape = re.compile("[a-f0-9]{1,48}") if self.variant == "id-unpadded" else bodies.HEX_48
        if not shape.fullmatch(challenge_id):
            raise Refused(400, "INVALID_FIELDS")
        signature = bodies.signature(request["signatureBase64"], self.variant)
        if signature is None and self.variant != "codes-proof-length":
            raise Refused(400, "INVALID_FIELDS")
        if self.variant == "verify-twice-in-a-moment":
            earlier = self.proved.get((challenge_id, signature))
            if earlier and self.now() - earlier[0] < 2_000:
                return earlier[1]
        challenge = self._take(challenge_id)
        if challenge is None or not self._challenge_alive(challenge, self.now()):
            raise Refused(401, "EXPIRED_OR_USED_CHALLENGE")
        good = signature is not None and proofs.valid(challenge.key, signature, challenge.message, self.variant)
        if self.variant == "earlier-message-accepted":
            earlier = self.last_message.get(challenge.creator)
            self.last_message[challenge.creator] = challenge.message
            good = good or earlier is not None and proofs.valid(challenge.key, signature, earlier)
        if self.variant == "verify-race":
            time.sleep(0.002)  # hands over, as a verifier in another thread does
            with self.lock:
                self.challenges.pop(challenge_id, None)
        if not good:
            raise Refused(401, "INVALID_PROOF")
        session = self._open_session(challenge)
        if self.variant == "verify-twice-in-a-moment":
            self.proved[challenge_id, signature] = (self.now(), session)
        return session

    # -- sessions

    def _open_session(self, challenge):
        with self.lock:
            now = self.now()
            self._make_room("sessions", now)
            expires = now + SESSION_MS
            if self.variant == "session-from-challenge":
                expires = challenge.issued + SESSION_MS
            if self.variant == "session-in-minutes":
                expires = -(-expires // MINUTE_MS) * MINUTE_MS
            token = proofs.bearer(self.random_bytes, challenge.creator, expires, self.variant)
            token_hash = proofs.token_hash(token, self.variant)
            self.sessions[token_hash] = Session(challenge.creator, challenge.key, expires)
            if self.variant == "one-session":
                self.sessions.pop(self.session_of.get(challenge.creator), None)
                self.session_of[challenge.creator] = token_hash
        return {
            "bearer": token,
            "expiresAt": timestamps.session_expiry(now, SESSION_MS, self.variant),
            "scope": "offline:launch-draft",
            "productionApproved": False,
        }

    def _session(self, bearer):
        if not isinstance(bearer, str):
            raise Refused(401, "UNAUTHORIZED")
        now = self.now()
        token_hash = proofs.token_hash(bearer, self.variant)
        with self.lock:
            session = self.sessions.get(token_hash)
            if session is None and self.variant == "bearer-outlives-restart":
                claims = proofs.claims_of(bearer)
                if claims:
                    session = Session(claims[0], base58.public_key(claims[0]), claims[1])
            if session is None or now >= session.expires:
                raise Refused(401, "UNAUTHORIZED")
        return session, token_hash

    # -- room

    def _make_room(self, kind, now):
        """Room for one more entry of `kind`, or 429. Entries stand in the order of their end."""
        while self.challenges and not self._challenge_alive(next(iter(self.challenges.values())), now):
            self.challenges.popitem(last=False)
        while self.sessions and now >= next(iter(self.sessions.values())).expires:
            self.sessions.popitem(last=False)
        stores = {"challenges": self.challenges, "sessions": self.sessions, "drafts": self.records}
        if self.variant == "capacity-one-pool":
            full = sum(map(len, stores.values())) >= POOL
        else:
            full = len(stores[kind]) >= CAPACITIES.get(self.variant, CAPACITY)[kind]
        if full and self.variant == "capacity-evicts":
            stores[kind].popitem(last=False)
        elif full:
            raise Refused(429, "OFFLINE_RATE_LIMIT" if self.variant == "capacity-as-rate" else "OFFLINE_CAPACITY")

    # -- builds

    def _build(self, body, bearer, key):
        variant = self.variant
        if variant == "order-body-first":
            request, mint = self._launch_request(body)
            bodies.check_key(key, variant)
            session, token_hash = self._session(bearer)
        elif variant == "order-key-last":
            session, token_hash = self._session(bearer)
            request, mint = self._launch_request(body)
            bodies.check_key(key, variant)
        else:
            session, token_hash = self._session(bearer)
            bodies.check_key(key, variant)
            request, mint = self._launch_request(body)
        creator = request["creator"]
        if variant == "duplicates-split":
            creator = bodies.first_creator(body)
        if variant == "binding-folded":
            bound = creator.lower() == session.creator.lower()
        else:
            bound = creator == session.creator
        if not bound:
            raise Refused(400, "CREATOR_BINDING_OR_FIELDS")
        return self._idempotent(session, token_hash, key, request, mint)

    def _launch_request(self, body):
        variant = self.variant
        code = "INVALID_FIELDS" if variant == "codes-fields" else "CREATOR_BINDING_OR_FIELDS"
        request = bodies.read_object(body, LAUNCH_FIELDS, code, variant)
        bodies.key_of(request["creator"], "INVALID_CREATOR", variant)
        mint = bodies.key_of(request["mint"], "CANONICAL_BUILD_REJECTED" if variant == "codes-mint" else "INVALID_FIELDS",
                             variant)
        same = request["mint"] in (request["creator"], drafts.OPERATOR)
        if variant == "mint-folded":
            same = request["mint"].lower() in (request["creator"].lower(), drafts.OPERATOR.lower())
        if same:
            raise Refused(400, "INVALID_FIELDS" if variant == "codes-mint" else "CANONICAL_BUILD_REJECTED")
        bodies.check_text(request["name"], 32, variant)
        bodies.check_text(request["symbol"], 10, variant)
        bodies.check_uri(request["uri"], variant)
        return request, mint

    def _input_hash(self, request):
        fields = [request[f] for f in LAUNCH_FIELDS]
        if self.variant == "input-joined":
            canonical = "|".join(fields)
        elif self.variant == "input-cut":
            canonical = json.dumps([*fields[:4], fields[4][:128]])
        else:
            canonical = json.dumps(fields)
        return hashlib.sha256(canonical.encode()).digest()

    def _idempotent(self, session, token_hash, key, request, mint):
        variant = self.variant
        scope = token_hash if variant == "keys-by-session" else session.creator
        record_id = (scope, key.lower() if variant == "keys-folded" else key)
        input_hash = self._input_hash(request)
        if variant == "key-race":
            with self.lock:
                record = self.records.get(record_id)
            if record is None:
                time.sleep(0.002)  # hands over, as a builder in another thread does
            with self.lock:
                return self._replay(record, input_hash) if record else \
                    self._new_draft(session, token_hash, record_id, input_hash, request, mint)
        with self.lock:
            if variant == "quota-before-retry":
                self._check_quota(session, token_hash)
            if variant == "capacity-before-retry":
                self._make_room("drafts", self.now())
            if variant == "records-swept":
                self._sweep_records()
            record = self.records.get(record_id)
            if record:
                return self._replay(record, input_hash)
            return self._new_draft(session, token_hash, record_id, input_hash, request, mint)

    def _sweep_records(self):
        now = self.now()
        while self.records and now - next(iter(self.records.values())).made > 600_000:
            self.records.popitem(last=False)

    def _replay(self, record, input_hash):
        now = self.now()
        if record.input_hash != input_hash:
            raise Refused(409, "IDEMPOTENCY_CONFLICT")
        age = now - record.made
        if record.draft is None or age > RETRY_MS or (age == RETRY_MS and self.variant == "edges-exclusive"):
            record.draft = None  # the mark of the used key stays until restart
            raise Refused(409, "REBUILD_WITH_NEW_KEY")
        if self.variant == "retry-renews":
            record.made = now
        return dict(record.draft)

    def _new_draft(self, session, token_hash, record_id, input_hash, request, mint):
        now = self.now()
        try:
            if self.variant != "quota-before-retry":
                self._check_quota(session, token_hash)
        except Refused:
            if self.variant == "refused-key-burned":
                self.records[record_id] = Record(input_hash, now, None)
            raise
        if self.variant != "capacity-before-retry":
            self._make_room("drafts", now)
        creator_key = bodies.key_of(request["creator"], "INVALID_CREATOR", self.variant)
        draft = self.builder.build(request, creator_key, mint, now - self.started, now)
        self._count_build(session, token_hash)
        self.records[record_id] = Record(input_hash, now, draft)
        return dict(draft)

    # -- five new builds per creator and minute; a minute begins with its first build

    def _limited(self, session, token_hash):
        if self.variant == "quota-by-session":
            return token_hash
        return session.creator

    def _check_quota(self, session, token_hash):
        now, who = self.now(), self._limited(session, token_hash)
        if self.variant == "limit-sliding":
            recent = [t for t in self.windows.get(who, ()) if now - t < MINUTE_MS]
            refused = len(recent) >= BUILDS_PER_MINUTE
        elif self.variant == "limit-calendar-minute":
            minute, count = self.windows.get(who, (None, 0))
            refused = minute == now // MINUTE_MS and count >= BUILDS_PER_MINUTE
        else:
            start, count = self.windows.get(who, (None, 0))
            refused = start is not None and now - start < MINUTE_MS and count >= BUILDS_PER_MINUTE
            if refused and self.variant == "refusals-prolong":
                self.windows[who] = (now, count)
        if refused:
            raise Refused(429, "OFFLINE_RATE_LIMIT")

    def _count_build(self, session, token_hash):
        now, who = self.now(), self._limited(session, token_hash)
        if self.variant == "limit-sliding":
            self.windows[who] = [t for t in self.windows.get(who, ()) if now - t < MINUTE_MS] + [now]
            return
        if self.variant == "limit-calendar-minute":
            minute, count = self.windows.get(who, (None, 0))
            self.windows[who] = (now // MINUTE_MS, count + 1 if minute == now // MINUTE_MS else 1)
            return
        start, count = self.windows.get(who, (None, 0))
        if start is None:
            self.windows[who] = (now, 1)
        elif now - start >= MINUTE_MS:
            self.windows[who] = (now, 0 if self.variant == "later-minutes-six" else 1)
            self.windows.move_to_end(who)
        else:
            self.windows[who] = (start, count + 1)
        while now - next(iter(self.windows.values()))[0] >= MINUTE_MS and self.variant != "later-minutes-six":
            self.windows.popitem(last=False)
        if self.variant == "quota-forgotten-in-crowd" and len(self.windows) > 48:
            self.windows.popitem(last=False)
