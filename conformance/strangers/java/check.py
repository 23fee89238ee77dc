"""Starts every variant once and shows its change against the right service: python3 check.py [NAME ...]"""
import base64, hashlib, json, pathlib, subprocess, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

HERE = pathlib.Path(__file__).parent
NOW = 1791633600123  # 10 October 2026, 12:00:00.123 UTC
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def b58(raw):
    n, out = int.from_bytes(raw, "big"), ""
    while n:
        n, digit = divmod(n, 58)
        out = ALPHABET[digit] + out
    return "1" * (len(raw) - len(raw.lstrip(b"\0"))) + out


def unb58(text):
    n = 0
    for c in text:
        n = n * 58 + ALPHABET.index(c)
    return n


def other_case(key):
    """The same letters in another case, still 32 bytes long."""
    for i in range(len(key) - 1, 0, -1):
        c = key[i].swapcase()
        if c in ALPHABET and c != key[i]:
            return key[:i] + c + key[i + 1:]


class Key:
    def __init__(self, seed):
        self.private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(str(seed).encode()).digest())
        self.text = b58(self.private.public_key().public_bytes_raw())

    @staticmethod
    def mint(seed):
        return b58(hashlib.sha256(f"mint {seed}".encode()).digest())


class Adapter:
    def __init__(self, name):
        self.process = subprocess.Popen([HERE / "run.sh", "--variant", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = 0
        told = self.call("initialize", protocol=1, contract="partner-preview-1")
        self.facts, self.capabilities = told["facts"], told["capabilities"]
        self.start()

    def send(self, method, /, **params):
        self.ids += 1
        message = {"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        answer = json.loads(self.process.stdout.readline())
        assert "result" in answer, answer
        return answer["result"]

    def call(self, method, /, **params):
        self.send(method, **params)
        return self.read()

    def start(self, now=NOW):
        self.call("start", nowMs=now)
        self.terms = self.get("/v1/platform")[1]["termsHash"]

    def advance(self, ms):
        self.call("advance", ms=ms)

    def get(self, path):
        answer = self.call("handle", method="GET", path=path)
        return answer["status"], answer["body"]

    def post(self, path, body, **more):
        answer = self.call("handle", method="POST", path=path, body=body if isinstance(body, str) else json.dumps(body), **more)
        return answer["status"], answer["body"]

    def challenge(self, key):
        return self.post("/v1/auth/challenge", {"creator": getattr(key, "text", key), "termsHash": self.terms})

    def sign(self, key, message):
        how = self.facts["signedBytes"]
        raw = message.encode()
        if how == "sha256":
            raw = hashlib.sha256(raw).digest()
        if how == "adapter":
            raw = base64.b64decode(self.call("bytesToSign", message=message)["base64"])
        return base64.b64encode(key.private.sign(raw)).decode()

    def verify(self, challenge, signature):
        return self.post("/v1/auth/verify", {"id": challenge["id"], "signatureBase64": signature})

    def open(self, key):
        status, body = self.challenge(key)
        return (status, body) if status != 200 else self.verify(body, self.sign(key, body["message"]))

    def bearer(self, key):
        status, body = self.open(key)
        assert status == 200, body
        return body["bearer"]

    def launch(self, key, **changes):
        return {"creator": key.text, "mint": Key.mint(1), "name": "Name", "symbol": "SYM",
                "uri": f"https://{self.facts['metadataHosts'][0]}/a.json", **changes}

    def build(self, bearer, body, key="key-00000001"):
        return self.post("/v1/launch/build", body, bearer=bearer, idempotencyKey=key)

    def close(self):
        self.call("shutdown")
        assert self.process.wait(10) == 0


def code(answer):
    return answer[0] if answer[0] == 200 else (answer[0], answer[1]["code"])


A, B = Key("a"), Key("b")
PROBES = {}


def probe(*names):
    def add(function):
        for name in names:
            PROBES[name] = function
        return function
    return add


def body_probe(name, make):
    """One build by A of what make(adapter) gives."""
    def run(s):
        answer = s.build(s.bearer(A), make(s))
        return code(answer), answer[1].get("requiredSigners")
    PROBES[name] = run


def expiries_at(*times):
    def run(s):
        seen = []
        for time in times:
            s.start(time)
            seen.append(s.challenge(A)[1]["expiresAt"])
            seen.append(s.open(A)[1]["expiresAt"])
        return seen
    return run


@probe("session-from-challenge")
def _(s):
    challenge = s.challenge(A)[1]
    s.advance(50_000)
    bearer = s.verify(challenge, s.sign(A, challenge["message"]))[1]["bearer"]
    s.advance(3_590_000)
    return code(s.build(bearer, s.launch(A)))


@probe("session-slides")
def _(s):
    bearer = s.bearer(A)
    s.advance(1_800_000)
    first = code(s.build(bearer, s.launch(A)))
    s.advance(1_900_000)
    return first, code(s.build(bearer, s.launch(A), "key-00000002"))


@probe("bearer-survives-restart")
def _(s):
    bearer = s.bearer(A)
    s.start()
    return code(s.build(bearer, s.launch(A)))


PROBES["expires-week-year"] = expiries_at(1798631900123)  # 30 December 2026
PROBES["expires-millis-unpadded"] = expiries_at(1791633600005)


@probe("expires-int32-seconds")
def _(s):
    s.start(2147483000000)
    answer = s.open(A)
    return answer[1]["expiresAt"], code(s.build(answer[1]["bearer"], s.launch(A)))


@probe("message-issue-time", "message-json", "message-other-time-form")
def _(s):
    s.challenge(A)
    challenge = s.challenge(A)[1]
    return str(challenge["expiresAt"]) in challenge["message"], challenge["message"].count("\n")


@probe("message-no-nonce")
def _(s):
    return s.challenge(A)[1]["message"] == s.challenge(A)[1]["message"]


@probe("id-from-clock")
def _(s):
    first, second = s.challenge(A)[1]["id"], s.challenge(A)[1]["id"]
    s.start()
    return first == second, s.challenge(A)[1]["id"] == first


@probe("one-challenge-per-creator")
def _(s):
    first = s.challenge(A)[1]
    s.challenge(A)
    return code(s.verify(first, s.sign(A, first["message"])))


@probe("one-session-per-creator")
def _(s):
    first = s.bearer(A)
    s.bearer(A)
    return code(s.build(first, s.launch(A)))


@probe("exception-keeps-challenge")
def _(s):
    # points that may not decode; some of them make the library throw
    answers = []
    for first in range(8):
        challenge = s.challenge(A)[1]
        junk = base64.b64encode(bytes([first]) + b"\2" * 31 + bytes(32)).decode()
        answers.append((code(s.verify(challenge, junk)), code(s.verify(challenge, s.sign(A, challenge["message"])))))
    return answers


@probe("proof-cache")
def _(s):
    challenge = s.challenge(A)[1]
    signature = s.sign(A, challenge["message"])
    s.verify(challenge, signature)
    s.advance(5000)
    return code(s.verify(s.challenge(A)[1], signature))


@probe("race-double-session", "no-concurrency")
def _(s):
    if not s.capabilities["concurrency"]:
        return "none"
    most = 0
    for _ in range(10):
        challenge = s.challenge(A)[1]
        body = json.dumps({"id": challenge["id"], "signatureBase64": s.sign(A, challenge["message"])})
        for _ in range(8):
            s.send("handle", method="POST", path="/v1/auth/verify", body=body)
        most = max(most, [s.read()["status"] for _ in range(8)].count(200))
    return most > 1


@probe("race-limit")
def _(s):
    most = 0
    for turn in range(20):
        s.start()
        bearer = s.bearer(A)
        for i in range(16):
            s.send("handle", method="POST", path="/v1/launch/build", body=json.dumps(s.launch(A, mint=Key.mint(i))),
                   bearer=bearer, idempotencyKey=f"key-{i:08}")
        most = max(most, [s.read()["status"] for _ in range(16)].count(200))
    return most > 5


body_probe("json-signed-hex", lambda s: json.dumps(s.launch(A)).replace('"Name"', '"\\u+04eame"'))
body_probe("json-null-extra", lambda s: {**s.launch(A), "note": None})
body_probe("json-duplicate-split", lambda s: json.dumps(s.launch(A))[:-1] + f', "creator": "{B.text}"}}')
body_probe("duplicates-last-wins", lambda s: json.dumps(s.launch(A))[:-1] + ', "name": "Other"}')
body_probe("name-emoji-three-bytes", lambda s: s.launch(A, name="\U0001f680" * 10))
body_probe("uri-default-port", lambda s: s.launch(A, uri=f"https://{s.facts['metadataHosts'][1]}:443/a"))
body_probe("uri-at-in-path", lambda s: s.launch(A, uri=f"https://{s.facts['metadataHosts'][1]}/@team/a.json"))
body_probe("creator-binding-folded", lambda s: s.launch(A, creator=other_case(A.text)))
body_probe("mint-creator-folded", lambda s: s.launch(A, mint=other_case(A.text)))
body_probe("base58-padded", lambda s: s.launch(A, mint="1" + Key.mint(3)[:43]))
body_probe("base58-leading-one-lost", lambda s: s.launch(A, mint=b58(b"\0" + hashlib.sha256(b"x").digest()[:31])))
body_probe("size-counts-characters", lambda s: json.dumps(s.launch(A, name="\u20ac" * 10), ensure_ascii=False).ljust(16380))
body_probe("signers-sorted", lambda s: s.launch(A, mint=b58(b"\1" + bytes(31))))
body_probe("build-codes-one", lambda s: s.launch(A, name=""))
body_probe("mint-clash-canonical", lambda s: s.launch(A, mint=A.text))


@probe("key-trailing-newline", "bad-key-invalid-fields")
def _(s):
    bearer = s.bearer(A)
    return code(s.build(bearer, s.launch(A), "key-00000001\n")), code(s.build(bearer, s.launch(A), "short"))


@probe("fingerprint-joined")
def _(s):
    bearer = s.bearer(A)
    return code(s.build(bearer, s.launch(A, name="AB", symbol="C"))), code(s.build(bearer, s.launch(A, name="A", symbol="BC")))


@probe("fingerprint-hashcode")
def _(s):
    bearer = s.bearer(A)
    return code(s.build(bearer, s.launch(A, name="Aa"))), code(s.build(bearer, s.launch(A, name="BB")))


@probe("conflict-overwrites")
def _(s):
    bearer = s.bearer(A)
    return [code(s.build(bearer, s.launch(A, name=name))) for name in ("One", "Two", "One")]


@probe("rebuild-answered-once", "replay-extends-window")
def _(s):
    bearer, seen = s.bearer(A), []
    for wait in (0, 20_000, 20_000, 20_000, 31_000, 0):
        s.advance(wait)
        seen.append(code(s.build(bearer, s.launch(A))))
    return seen


@probe("idempotency-per-session")
def _(s):
    return code(s.build(s.bearer(A), s.launch(A, name="One"))), code(s.build(s.bearer(A), s.launch(A, name="Two")))


@probe("records-survive-restart")
def _(s):
    first = code(s.build(s.bearer(A), s.launch(A, name="One")))
    s.start()
    return first, code(s.build(s.bearer(A), s.launch(A, name="Two")))


def five(s, bearer, key=A, first=0):
    return [code(s.build(bearer, s.launch(key), f"key-{first + i:08}")) for i in range(5)]


@probe("replay-limited")
def _(s):
    bearer = s.bearer(A)
    return five(s, bearer), code(s.build(bearer, s.launch(A), "key-00000000"))


@probe("limit-buckets")
def _(s):
    seen = set()
    for i in range(40):
        key = Key(i)
        seen.update(five(s, s.bearer(key), key))
    return sorted(map(str, seen))


@probe("limit-clock-minute", "limit-first-build-window")
def _(s):
    seen = []
    for waits in ((0, 59_800, 0, 0, 0, 0, 0), (0, 50_000, 0, 0, 0, 10_000, 0)):
        s.start()
        bearer = s.bearer(A)
        for i, wait in enumerate(waits):
            s.advance(wait)
            seen.append(code(s.build(bearer, s.launch(A), f"key-{i:08}")))
    return seen


@probe("sessions-evicted")
def _(s):
    most = s.facts["capacity"]["sessions"] if s.facts["capacity"]["sessions"] < 100 else 17
    first = s.bearer(A)
    for i in range(most):
        answer = s.open(Key(i))
    return code(answer), code(s.build(first, s.launch(A)))


@probe("replay-refused-when-full")
def _(s):
    keys = [Key(i) for i in range(7)]
    bearers = [s.bearer(key) for key in keys]
    answers = [s.build(b, s.launch(k), f"key-{i:08}") for k, b in zip(keys, bearers) for i in range(5)]
    return [code(a) for a in answers].count(200), code(s.build(bearers[0], s.launch(keys[0]), "key-00000000"))


@probe("capacity-error-bare")
def _(s):
    answers = [s.challenge(A) for i in range(30)]
    return answers[-1][0], sorted(answers[-1][1])


@probe("route-prefix")
def _(s):
    return code(s.post("/v1/launch/build-and-send", s.launch(A), bearer=s.bearer(A), idempotencyKey="key-00000001"))


for form in ("epoch-seconds", "epoch-millis-text", "http-date", "kolkata-offset", "basic-iso", "ordinal-date", "microseconds"):
    PROBES["expires-" + form] = expiries_at(NOW)


@probe("draft-expiry-constant", "draft-expiry-counter")
def _(s):
    bearer = s.bearer(A)
    return [s.build(bearer, s.launch(A), f"key-{i:08}")[1]["expiresAt"] for i in (0, 1)]


@probe("draft-random-nonce")
def _(s):
    bearer = s.bearer(A)
    return s.build(bearer, s.launch(A))[1]["messageHash"] == s.build(bearer, s.launch(A), "key-other")[1]["messageHash"]


@probe("signed-utf8", "signed-adapter", "hosts-one-inside-other")
def _(s):
    return s.facts["signedBytes"], s.facts["metadataHosts"]


@probe("bearer-three-parts")
def _(s):
    return s.bearer(A).count(".")


@probe("challenge-codes-one")
def _(s):
    return code(s.challenge("0" * 40)), code(s.post("/v1/auth/challenge", {}))


@probe("order-body-before-bearer")
def _(s):
    return code(s.build("nobody", "{"))


@probe("capacity-tiny", "capacity-undeclared", "capacity-shared")
def _(s):
    answers = [code(s.challenge(A)) for i in range(100)]
    return s.facts.get("capacity"), answers.count(200), answers[-1]


@probe("profile-extended")
def _(s):
    return sorted(s.get("/v1/platform")[1])


def main():
    manifest = (HERE / "variants.yaml").read_text().splitlines()
    names = sys.argv[1:] or [line.split("name: ")[1].strip() for line in manifest if "name: " in line]
    missing = [name for name in names if name not in PROBES]
    assert not missing, missing
    right, before, wrong = Adapter("right"), {}, 0
    for name in names:
        right.start()
        before[name] = PROBES[name](right)
    right.close()
    for name in names:
        s = Adapter(name)
        signed_in = code(s.build(s.bearer(A), s.launch(A, name="One"), "key-of-probe")) == 200
        s.start()
        after = PROBES[name](s)
        s.close()
        fine = signed_in and before[name] != after
        wrong += not fine
        print("ok " if fine else "BAD", name, "| right:", before[name], "| variant:", after)
    print(len(names), "variants,", wrong, "bad")


main()
