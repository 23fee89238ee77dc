"""Starts each variant, and sees that it signs in and builds and that its change shows.

A probe makes requests and returns what it saw; it must see one thing in the right service and
another in the variant.
"""

import base64
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import yaml
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import base58
import proofs

HERE = Path(__file__).parent
START = 1_791_590_400_000  # 2026-10-10T00:00:00Z
LAUNCH = "/v1/launch/build"


class Key:
    def __init__(self, seed):
        self.private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(str(seed).encode()).digest())
        self.text = base58.encode(self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


A, B, MINT = Key("a"), Key("b"), Key("mint")


class Client:
    def __init__(self, variant=None):
        command = [sys.executable, str(HERE / "adapter.py")] + (["--variant", variant] if variant else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0
        self.facts = self.call("initialize", protocol=1, contract="partner-preview-1")["facts"]
        self.host = self.facts["metadataHosts"][0]
        self.start()

    def post(self, method, params):
        self.count += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        return self.count

    def read(self):
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def call(self, rpc, /, **params):
        self.post(rpc, params)
        return self.read()["result"]

    def together(self, *requests):
        ids = [self.post("handle", r) for r in requests]
        answers = {a["id"]: a["result"] for a in (self.read() for _ in ids)}
        return sorted(answers[i]["status"] for i in ids)

    def start(self, now=START):
        self.call("start", nowMs=now)

    def wait(self, ms):
        self.call("advance", ms=ms)

    def stop(self):
        self.call("shutdown")
        assert self.process.wait(10) == 0

    def handle(self, method, path, **rest):
        answer = self.call("handle", method=method, path=path, **rest)
        assert answer["status"] != 500 or "big" in self.process.args[-1], answer
        return answer

    def challenge(self, who=A, **more):
        terms = self.handle("GET", "/v1/platform")["body"]["termsHash"]
        body = json.dumps({"creator": getattr(who, "text", who), "termsHash": terms, **more})
        return self.handle("POST", "/v1/auth/challenge", body=body)

    def sign(self, challenge, who=A):
        text = challenge["message"]
        if self.facts["signedBytes"] == "sha256":
            raw = hashlib.sha256(text.encode()).digest()
        elif self.facts["signedBytes"] == "utf8":
            raw = text.encode()
        else:
            raw = base64.b64decode(self.call("bytesToSign", message=text)["base64"])
        return who.private.sign(raw)

    def proof(self, challenge, signature):
        if isinstance(signature, bytes):
            signature = base64.b64encode(signature).decode()
        return {"method": "POST", "path": "/v1/auth/verify",
                "body": json.dumps({"id": challenge["id"], "signatureBase64": signature})}

    def verify(self, challenge, signature):
        return self.handle(**self.proof(challenge, signature))

    def session(self, who=A):
        challenge = self.challenge(who)["body"]
        return self.verify(challenge, self.sign(challenge, who))["body"]

    def bearer(self, who=A):
        return self.session(who)["bearer"]

    def draft(self, bearer, key="key-0001", raw=None, who=A, **changed):
        fields = {"creator": who.text, "mint": MINT.text, "name": "Moon", "symbol": "MOON",
                  "uri": f"https://{self.host}/a", **changed}
        return {"method": "POST", "path": LAUNCH, "bearer": bearer, "idempotencyKey": key,
                "body": raw(fields) if raw else json.dumps(fields)}

    def build(self, bearer, key="key-0001", raw=None, who=A, **changed):
        return self.handle(**self.draft(bearer, key, raw, who, **changed))


def seen(answer):
    return answer["status"], answer["body"].get("code")


PROBES = {}


def probe(*names):
    def keep(function):
        for name in names:
            PROBES[name] = function
        return function
    return keep


@probe("id-unpadded")
def _(c):
    return {len(c.challenge()["body"]["id"]) == 48 for _ in range(150)}


@probe("nonce-from-clock")
def _(c):
    first = c.challenge()["body"]["id"]
    c.start()
    return c.challenge()["body"]["id"] == first


@probe("week-year")
def _(c):
    c.start(1_609_459_200_000)  # 2021-01-01
    return c.challenge()["body"]["expiresAt"][:4]


@probe("fraction-unpadded")
def _(c):
    c.start(START + 5)
    return ".005" in c.challenge()["body"]["expiresAt"]


@probe("midnight-hour")
def _(c):
    c.start(START - 1_800_000)
    return c.session()["expiresAt"]


@probe("time-week-date", "time-ordinal", "time-mail", "time-kathmandu", "time-decimal-text",
       "time-basic-comma", "time-nanoseconds", "time-two-formats")
def _(c):
    return c.challenge()["body"]["expiresAt"], c.session()["expiresAt"]


def many_drafts(c):
    bearer = c.bearer()
    for i in range(60):
        yield c.build(bearer, f"key-{i:05d}", mint=Key(i).text, name="N" * (1 + i % 30))["body"]
        if i % 5 == 4:
            c.wait(60_000)
            bearer = c.bearer()


@probe("hash-unpadded")
def _(c):
    return {len(d["messageHash"]) == 64 for d in many_drafts(c)}


@probe("signers-sorted")
def _(c):
    return {d["requiredSigners"][0] == A.text for d in many_drafts(c)}


@probe("cost-remembered")
def _(c):
    return {d["cost"]["recommendedLamports"] - d["cost"]["minimumLamports"] for d in many_drafts(c)}


@probe("base58-left-padded")
def _(c):
    return seen(c.challenge("2" * 40))


@probe("base58-wraps")
def _(c):
    return seen(c.challenge("z" * 44))


def other_case(text):
    for i, letter in enumerate(text):
        other = text[:i] + letter.swapcase() + text[i + 1:]
        if other != text and base58.public_key(other):
            return other


@probe("base58-leading-ones")
def _(c):
    return seen(c.build(c.bearer(), mint="1" * 32))


@probe("mint-folded")
def _(c):
    return seen(c.build(c.bearer(), mint=other_case(A.text)))


@probe("binding-folded")
def _(c):
    return seen(c.build(c.bearer(), creator=other_case(A.text)))


@probe("emoji-six-bytes")
def _(c):
    return seen(c.build(c.bearer(), name="🌙" * 8))


@probe("default-port", "codes-uri")
def _(c):
    return seen(c.build(c.bearer(), uri=f"https://{c.host}:443/a"))


@probe("uri-tidied")
def _(c):
    return seen(c.build(c.bearer(), uri=f"https://{c.host[:4]}\t{c.host[4:]}/a"))


@probe("trailing-text")
def _(c):
    return seen(c.build(c.bearer(), raw=lambda f: json.dumps(f) + " }"))


@probe("big-number")
def _(c):
    return seen(c.build(c.bearer(), raw=lambda f: "[" * 8000)), \
        seen(c.build(c.bearer(), raw=lambda f: '{"name": ' + "9" * 5000 + "}"))


@probe("duplicates-split", "duplicates-last")
def _(c):
    bearer = c.bearer()
    twice = [lambda f: json.dumps(f)[:-1] + f', "creator": "{B.text}"}}',
             lambda f: json.dumps(f)[:-1] + ', "name": "Other"}']
    return [seen(c.build(bearer, f"key-000{i}", raw)) for i, raw in enumerate(twice)]


@probe("size-in-characters")
def _(c):
    return seen(c.build(c.bearer(), name="é" * 10, raw=lambda f: json.dumps(f, ensure_ascii=False).ljust(16384)))


@probe("routes-by-prefix")
def _(c):
    return seen(c.handle(**{**c.draft(c.bearer()), "path": LAUNCH + "/send"}))


@probe("base64-junk")
def _(c):
    challenge = c.challenge()["body"]
    text = base64.b64encode(c.sign(challenge)).decode()
    return seen(c.verify(challenge, text[:20] + "*-" + text[20:]))


@probe("scalar-reduced")
def _(c):
    challenge = c.challenge()["body"]
    signature = c.sign(challenge)
    scalar = int.from_bytes(signature[32:], "little") + proofs.GROUP_ORDER
    return seen(c.verify(challenge, signature[:32] + scalar.to_bytes(32, "little")))


@probe("earlier-message-accepted")
def _(c):
    first = c.challenge()["body"]
    signature = c.sign(first)
    c.verify(first, signature)
    return seen(c.verify(c.challenge()["body"], signature))


@probe("spent-ids-forgotten")
def _(c):
    challenge = c.challenge()["body"]
    signature = c.sign(challenge)
    c.verify(challenge, signature)
    soon = seen(c.verify(challenge, signature))
    for _ in range(70):
        c.verify(c.challenge(B)["body"], bytes(64))
    return soon, seen(c.verify(challenge, signature))


@probe("verify-race")
def _(c):
    challenge = c.challenge()["body"]
    proof = c.proof(challenge, c.sign(challenge))
    return c.together(proof, proof), seen(c.handle(**proof))


@probe("verify-twice-in-a-moment")
def _(c):
    challenge = c.challenge()["body"]
    signature = c.sign(challenge)
    c.verify(challenge, signature)
    return seen(c.verify(challenge, signature))


@probe("one-challenge")
def _(c):
    challenge = c.challenge()["body"]
    c.challenge()
    return seen(c.verify(challenge, c.sign(challenge)))


@probe("one-session")
def _(c):
    bearer = c.bearer()
    c.bearer()
    return seen(c.build(bearer))


@probe("session-from-challenge")
def _(c):
    challenge = c.challenge()["body"]
    c.wait(50_000)
    bearer = c.verify(challenge, c.sign(challenge))["body"]["bearer"]
    c.wait(3_570_000)
    return seen(c.build(bearer))


@probe("session-in-minutes")
def _(c):
    c.start(START + 7_000)
    bearer = c.bearer()
    c.wait(3_640_000)
    return seen(c.build(bearer))


@probe("bearer-outlives-restart")
def _(c):
    bearer = c.bearer()
    c.start()
    return seen(c.build(bearer)), seen(c.build("x")), seen(c.build("é.1.\ud800"))


@probe("bearer-prefix")
def _(c):
    return seen(c.build(c.bearer() + "x"))


@probe("key-newline")
def _(c):
    return seen(c.build(c.bearer(), "key-0001\n"))


@probe("keys-folded")
def _(c):
    bearer = c.bearer()
    c.build(bearer, "key-aaaa")
    return seen(c.build(bearer, "key-AAAA", name="Sun"))


@probe("input-joined")
def _(c):
    bearer = c.bearer()
    c.build(bearer, name="a|b", symbol="c")
    return seen(c.build(bearer, name="a", symbol="b|c"))


@probe("input-cut")
def _(c):
    bearer = c.bearer()
    uri = f"https://{c.host}/".ljust(150, "a")
    c.build(bearer, uri=uri)
    return seen(c.build(bearer, uri=uri + "b"))


def spend(c, bearer, count=5, tag="spend", who=A):
    return [c.build(bearer, f"{tag}-{i:04d}", who=who)["status"] for i in range(count)]


@probe("refused-key-burned")
def _(c):
    bearer = c.bearer()
    return spend(c, bearer, 6), c.wait(60_000), seen(c.build(bearer, "spend-0005"))


@probe("records-swept")
def _(c):
    bearer = c.bearer()
    c.build(bearer)
    c.wait(601_000)
    return seen(c.build(bearer)), seen(c.build(bearer, name="Sun"))


@probe("keys-by-session")
def _(c):
    c.build(c.bearer())
    return seen(c.build(c.bearer(), name="Sun"))


@probe("keys-outlive-restart")
def _(c):
    c.build(c.bearer())
    c.start()
    return seen(c.build(c.bearer(), name="Sun"))


@probe("retry-renews")
def _(c):
    bearer = c.bearer()
    return [seen(c.build(bearer)) for _ in range(4) if c.wait(20_000) is None]


@probe("key-race")
def _(c):
    bearer = c.bearer()
    return c.together(c.draft(bearer), c.draft(bearer, name="Sun"))


@probe("later-minutes-six")
def _(c):
    bearer = c.bearer()
    return spend(c, bearer, 6), c.wait(60_001), spend(c, bearer, 7, "later")


@probe("quota-by-session")
def _(c):
    return spend(c, c.bearer()), spend(c, c.bearer(), 1, "again")


@probe("quota-forgotten-in-crowd")
def _(c):
    bearer = c.bearer()
    first = spend(c, bearer)
    for i in range(50):
        who = Key(("crowd", i))
        spend(c, c.bearer(who), 1, who=who)
    return first, spend(c, bearer, 1, "again")


@probe("refusals-prolong")
def _(c):
    bearer = c.bearer()
    first = spend(c, bearer)
    c.wait(40_000)
    refused = spend(c, bearer, 1, "more")
    c.wait(25_000)
    return first, refused, spend(c, bearer, 1, "again")


@probe("quota-before-retry")
def _(c):
    bearer = c.bearer()
    return spend(c, bearer), spend(c, bearer)


def fill(c, limit):
    return [c.challenge(Key(i))["body"].get("code") for i in range(limit + 2)]


@probe("capacity-evicts", "capacity-as-rate")
def _(c):
    return set(fill(c, c.facts["capacity"]["challenges"]))


@probe("capacity-before-retry")
def _(c):
    limit, kept, code = c.facts["capacity"]["drafts"], None, None
    for i in range(limit // 5 + 1):
        who = Key(("full", i))
        bearer = c.bearer(who)
        for j in range(5):
            answer = c.build(bearer, f"key-{j:05d}", who=who)
            if answer["status"] == 200:
                kept = (bearer, f"key-{j:05d}", None, who)
            code = answer["body"].get("code") or code
    return code, seen(c.build(*kept))


@probe("capacity-tiny", "capacity-huge", "capacity-one-pool", "capacity-unstated")
def _(c):
    codes = fill(c, 1600)
    return c.facts.get("capacity"), codes.count("OFFLINE_CAPACITY")


@probe("message-json", "message-bare", "message-typeset", "message-epoch")
def _(c):
    challenge = c.challenge()["body"]
    return challenge["message"].replace(challenge["id"], "ID")


@probe("signs-text", "signs-framed")
def _(c):
    return c.facts["signedBytes"]


@probe("bearer-long", "bearer-punctuated")
def _(c):
    bearer = c.bearer()
    return len(bearer), bearer[:1]


@probe("limit-sliding")
def _(c):
    bearer = c.bearer()
    first = spend(c, bearer, 1)
    c.wait(50_000)
    return first, spend(c, bearer, 4, "then"), c.wait(10_001), spend(c, bearer, 5, "last")


@probe("limit-calendar-minute")
def _(c):
    c.start(START + 50_000)
    bearer = c.bearer()
    return spend(c, bearer, 6), c.wait(10_000), spend(c, bearer, 6, "next")


@probe("codes-fields")
def _(c):
    return seen(c.build(c.bearer(), more="")), seen(c.build(c.bearer(), raw=lambda f: "[]")), \
        seen(c.challenge(more=""))


@probe("codes-mint")
def _(c):
    return seen(c.build(c.bearer(), mint="x")), seen(c.build(c.bearer(), mint=A.text)), \
        seen(c.build(c.bearer(), mint=c.facts["operatorKey"]))


@probe("codes-proof-length")
def _(c):
    challenge = c.challenge()["body"]
    return seen(c.verify(challenge, bytes(63))), seen(c.verify(challenge, c.sign(challenge)))


@probe("order-body-first", "order-key-last")
def _(c):
    return seen(c.build("x", name="")), seen(c.build(c.bearer(), None, name=""))


@probe("base64-exact")
def _(c):
    challenge = c.challenge()["body"]
    text = base64.b64encode(c.sign(challenge)).decode()
    stray = next_letter(text[85])
    return seen(c.verify(challenge, text[:85] + stray + "=="))


def next_letter(letter):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return letters[letters.index(letter) + 1]


@probe("edges-exclusive")
def _(c):
    bearer = c.bearer()
    c.build(bearer)
    challenge = c.challenge()["body"]
    c.wait(30_000)
    retry = seen(c.build(bearer))
    c.wait(30_000)
    proof = seen(c.verify(challenge, c.sign(challenge)))
    return retry, proof


@probe("profile-more")
def _(c):
    return sorted(c.handle("GET", "/v1/platform")["body"])


@probe("fee-swapped", "transaction-v0", "draft-expiry-epoch", "cost-other")
def _(c):
    return c.build(c.bearer())["body"]


def usual(c):
    """Signs in, builds, and gets its draft again."""
    bearer = c.bearer()
    first, again = c.build(bearer, "usual-01"), c.build(bearer, "usual-01")
    assert first["status"] == 200 and set(first["body"]["requiredSigners"]) == {A.text, MINT.text}, first
    assert again == first, again
    assert seen(c.handle("POST", "/v1/launch/send")) == (404, "NO_EXECUTION_ENDPOINT")
    c.start()


def observe(variant, function):
    c = Client(variant)
    try:
        usual(c)
        c.start()
        result = function(c)
        c.stop()
        return result
    finally:
        c.process.kill()


def main(names):
    variants = yaml.safe_load((HERE / "variants.yaml").read_text())["variants"]
    right, failed = {}, 0
    for variant in variants:
        name = variant["name"]
        if names and name not in names:
            continue
        function = PROBES[name]
        try:
            if function not in right:
                right[function] = observe(None, function)
            shown = observe(name, function)
            verdict = "shows" if shown != right[function] else "SAME"
        except Exception as problem:
            shown, verdict = repr(problem), "FAILED"
        failed += verdict != "shows"
        print(f"{verdict:7}{variant['kind']:7} {name}: {str(right.get(function))[:90]} -> {str(shown)[:90]}", flush=True)
    print(f"{failed} without a visible change")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
