"""Tests of the example service, driven directly: /usr/bin/python3 -m unittest discover legacy/examples/python"""

import base64
import hashlib
import json
import unittest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from adapter import Adapter, RpcError, answer_request, error_answer, read_line
from fixture import FEE_WALLET, LAUNCH_PROGRAM, METADATA_HOSTS, OPERATOR_KEY, TERMS_HASH
from keys import decode_key
from service import CAPACITY, Service

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
START_MS = 1_800_000_000_000
HOST_A, HOST_B = METADATA_HOSTS


def base58(data: bytes) -> str:
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


class Actor:
    """A creator with a key pair of its own, the same for the same label."""

    def __init__(self, label: str):
        self._private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(label.encode()).digest())
        self.key = base58(self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def sign(self, message: str) -> bytes:
        return self._private.sign(message.encode())


class ServiceTest(unittest.TestCase):
    def setUp(self):
        self.now_ms = START_MS
        self.service = Service(lambda: self.now_ms)
        self.alice = Actor("alice")
        self.mint = Actor("mint").key

    def post(self, path: str, body, **headers) -> tuple[int, dict]:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        envelope = self.service.handle("POST", path, raw, **headers)
        self.assertIs(envelope["body"]["productionApproved"], False)
        return envelope["status"], envelope["body"]

    def challenge(self, creator: str) -> dict:
        status, body = self.post("/v1/auth/challenge", {"creator": creator, "termsHash": TERMS_HASH})
        self.assertEqual(status, 200, body)
        return body

    def verify(self, challenge: dict, signature: bytes | str) -> tuple[int, dict]:
        text = signature if isinstance(signature, str) else base64.b64encode(signature).decode()
        return self.post("/v1/auth/verify", {"id": challenge["id"], "signatureBase64": text})

    def session(self, actor: Actor) -> dict:
        challenge = self.challenge(actor.key)
        status, body = self.verify(challenge, actor.sign(challenge["message"]))
        self.assertEqual(status, 200, body)
        return body

    def launch(self, **changes) -> dict:
        uri = f"https://{HOST_A}/m.json"
        return {"creator": self.alice.key, "mint": self.mint, "name": "A", "symbol": "B", "uri": uri} | changes

    def build(self, bearer, key, **changes) -> tuple[int, dict]:
        return self.post("/v1/launch/build", self.launch(**changes), bearer=bearer, idempotency_key=key)

    def assert_refused(self, answer: tuple[int, dict], status: int, code: str):
        self.assertEqual((answer[0], answer[1].get("code")), (status, code))


class Proofs(ServiceTest):
    def test_message_carries_what_the_contract_asks_for(self):
        challenge = self.challenge(self.alice.key)
        for part in (self.alice.key, "offline-demo", TERMS_HASH, str(challenge["expiresAt"])):
            self.assertIn(part, challenge["message"])
        self.assertRegex(challenge["id"], "^[a-f0-9]{48}$")

    def test_challenge_lifetime_from_any_part_of_a_second(self):
        for offset in (0, 1, 500, 999):
            for wait, status in ((59_999, 200), (60_000, 200), (61_000, 401)):
                with self.subTest(offset=offset, wait=wait):
                    self.now_ms = START_MS + offset
                    self.service = Service(lambda: self.now_ms)
                    challenge = self.challenge(self.alice.key)
                    self.now_ms += wait
                    answer = self.verify(challenge, self.alice.sign(challenge["message"]))
                    self.assertEqual(answer[0], status)
                    if status == 401:
                        self.assert_refused(answer, 401, "EXPIRED_OR_USED_CHALLENGE")

    def test_bad_proof_uses_the_challenge_up(self):
        for bad in (Actor("mallory").sign("x"), bytes(63), bytes(65), "", "no base64!", "é"):
            with self.subTest(bad=bad):
                challenge = self.challenge(self.alice.key)
                self.assert_refused(self.verify(challenge, bad), 401, "INVALID_PROOF")
                again = self.verify(challenge, self.alice.sign(challenge["message"]))
                self.assert_refused(again, 401, "EXPIRED_OR_USED_CHALLENGE")

    def test_scalar_above_the_group_order_is_refused(self):
        challenge = self.challenge(self.alice.key)
        good = self.alice.sign(challenge["message"])
        scalar = int.from_bytes(good[32:], "little") + GROUP_ORDER
        forged = self.verify(challenge, good[:32] + scalar.to_bytes(32, "little"))
        self.assert_refused(forged, 401, "INVALID_PROOF")

    def test_challenge_is_remembered_as_used_and_as_expired_for_long(self):
        used, left = self.challenge(self.alice.key), self.challenge(self.alice.key)
        proof = self.alice.sign(used["message"])
        self.assertEqual(self.verify(used, proof)[0], 200)
        self.now_ms += 86_400_000
        for challenge in (used, left):
            self.assert_refused(self.verify(challenge, proof), 401, "EXPIRED_OR_USED_CHALLENGE")
        self.assert_refused(self.verify({"id": "0" * 48}, proof), 401, "INVALID_PROOF")

    def test_creators_that_are_refused(self):
        small_order = base58(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"))
        off_curve, not_reduced = base58(b"\2" + bytes(31)), base58((2**255 - 16).to_bytes(32, "little"))
        malformed = (None, 5, "", "0" * 44, base58(b"\1" * 31), self.alice.key + "\n")
        nobodys = ("1" * 32, small_order, off_curve, not_reduced, FEE_WALLET, OPERATOR_KEY)
        for creator in malformed + nobodys:
            with self.subTest(creator=creator):
                answer = self.post("/v1/auth/challenge", {"creator": creator, "termsHash": TERMS_HASH})
                self.assert_refused(answer, 400, "INVALID_CREATOR" if creator in nobodys else "INVALID_FIELDS")
        answer = self.post("/v1/auth/challenge", {"creator": self.alice.key, "termsHash": "0" * 64})
        self.assert_refused(answer, 400, "INVALID_DEMO_TERMS_OR_FIELDS")


class Builds(ServiceTest):
    def setUp(self):
        super().setUp()
        self.bearer = self.session(self.alice)["bearer"]

    def test_draft(self):
        status, draft = self.build(self.bearer, "key-0001", uri=f"https://{HOST_B}/" + "x" * 100)
        self.assertEqual(status, 200)
        wire = base64.b64decode(draft["unsignedTransactionBase64"], validate=True)
        self.assertEqual(draft["messageHash"], hashlib.sha256(wire).hexdigest())
        self.assertEqual(draft["requiredSigners"], [self.alice.key, self.mint])
        keys = b"".join(decode_key(key) for key in (self.alice.key, self.mint, LAUNCH_PROGRAM))
        self.assertEqual(wire[:133], b"\2" + bytes(128) + b"\2\0\1\3")
        self.assertEqual(wire[133:266], keys + b"PLACEHOLDER-NOT-A-REAL-BLOCKHASH" + b"\1\2\2\0\1")
        self.assertGreater(wire[266], 0x7F)
        self.assertEqual(wire[266] & 0x7F | wire[267] << 7, len(wire[268:]))
        cost = draft["cost"]
        self.assertEqual(cost["recommendedLamports"], cost["minimumLamports"] + 1_000_000)
        self.assertEqual({entry["kind"] for entry in cost["accounts"]}, {"pool", "mint", "baseVault", "quoteVault"})

    def test_session_lives_one_hour(self):
        self.now_ms += 3_599_999
        self.assertEqual(self.build(self.bearer, "key-0001")[0], 200)
        self.now_ms += 1_001
        self.assert_refused(self.build(self.bearer, "key-0002"), 401, "UNAUTHORIZED")
        for bearer in (None, "", "\ud800", "0" * 64):
            self.assert_refused(self.build(bearer, "key-0002"), 401, "UNAUTHORIZED")

    def test_replay_conflict_rebuild_and_forgetting(self):
        first = self.build(self.bearer, "key-0001")
        self.now_ms += 29_999
        self.assertEqual(self.build(self.bearer, "key-0001"), first)
        self.assert_refused(self.build(self.bearer, "key-0001", name="C"), 409, "IDEMPOTENCY_CONFLICT")
        self.now_ms += 1_001
        self.assert_refused(self.build(self.bearer, "key-0001"), 409, "REBUILD_WITH_NEW_KEY")
        self.assert_refused(self.build(self.bearer, "key-0001", name="C"), 409, "REBUILD_WITH_NEW_KEY")
        self.assertEqual(self.build(self.bearer, "key-0002")[0], 200)
        self.now_ms += 60_000
        self.assertEqual(self.build(self.bearer, "key-0001")[0], 200)

    def test_canonical_input_is_the_values_not_the_text(self):
        launch = self.launch(name="é")
        send = {"bearer": self.bearer, "idempotency_key": "key-0001"}
        first = self.post("/v1/launch/build", launch, **send)
        other = json.dumps(dict(reversed(launch.items())), ensure_ascii=False, indent=3).encode()
        self.assertEqual(self.post("/v1/launch/build", other, **send), first)
        self.assertEqual(self.post("/v1/launch/build", self.launch(name=" e\u0301 "), **send), first)
        self.assertEqual(first[1]["launch"], launch)

    def test_five_new_builds_a_minute(self):
        drafts = [self.build(self.bearer, f"key-000{n}") for n in range(5)]
        self.assertEqual([status for status, _ in drafts], [200] * 5)
        self.assert_refused(self.build(self.bearer, "key-0005"), 429, "OFFLINE_RATE_LIMIT")
        self.assertEqual(self.build(self.bearer, "key-0000"), drafts[0])
        second = self.session(self.alice)["bearer"]
        self.assert_refused(self.build(second, "key-0005"), 429, "OFFLINE_RATE_LIMIT")
        bob = Actor("bob")
        self.assertEqual(self.build(self.session(bob)["bearer"], "key-0000", creator=bob.key)[0], 200)
        self.now_ms += 60_000
        self.assert_refused(self.build(self.bearer, "key-0005"), 429, "OFFLINE_RATE_LIMIT")
        self.now_ms += 1
        self.assertEqual([self.build(self.bearer, f"key-001{n}")[0] for n in range(5)], [200] * 5)

    def test_conflicts_take_turns_and_invalid_input_takes_none(self):
        first = self.build(self.bearer, "key-0001")
        for _ in range(4):
            self.assertEqual(self.build(self.bearer, "key-0002", name="")[0], 400)
            self.assert_refused(self.build(self.bearer, "key-0001", name="C"), 409, "IDEMPOTENCY_CONFLICT")
        self.assert_refused(self.build(self.bearer, "key-0001", name="C"), 429, "OFFLINE_RATE_LIMIT")
        self.assertEqual(self.build(self.bearer, "key-0001"), first)

    def test_order_of_checks(self):
        other = self.session(Actor("bob"))["bearer"]
        fields, bad = "CREATOR_BINDING_OR_FIELDS", {"uri": "http://x/", "mint": self.alice.key, "name": ""}
        for bearer, key, changes, status, code in (
            (None, None, bad, 400, "METADATA_HOST"),
            (None, None, bad | {"uri": self.launch()["uri"]}, 400, fields),
            (None, None, {"name": "\t"}, 400, "CANONICAL_BUILD_REJECTED"),
            (None, None, {}, 400, "IDEMPOTENCY_REQUIRED"),
            (None, "short", {}, 400, fields),
            (None, "key-0001", {}, 401, "UNAUTHORIZED"),
            (other, "key-0001", {}, 400, fields),
            (f" {self.bearer} ", "key-0001", {}, 200, None),
            (f"Bearer {self.bearer}", "key-0002", {}, 200, None),
        ):
            with self.subTest(bearer=bearer, key=key, changes=changes):
                answer = self.build(bearer, key, **changes)
                self.assertEqual((answer[0], answer[1].get("code")), (status, code))

    def test_bounds_of_fields(self):
        form, canonical, uri = "CREATOR_BINDING_OR_FIELDS", "CANONICAL_BUILD_REJECTED", "METADATA_URL"
        for field, value, code in (
            ("name", "x" * 32, None),
            ("name", "é" * 16, None),
            ("name", "x" * 33, form),
            ("name", "é" * 17, form),
            ("name", "\ud800", canonical),
            ("name", " ", canonical),
            ("name", "a\u202eb", canonical),
            ("name", "Coin 😀", None),
            ("symbol", "x" * 10, None),
            ("symbol", "x" * 11, form),
            ("symbol", "", form),
            ("symbol", ["x"], form),
            ("uri", f"https://{HOST_A}/".ljust(200, "x"), None),
            ("uri", f"https://{HOST_A}/".ljust(201, "x"), uri),
            ("uri", f"https://{HOST_A}/".ljust(150, "é"), uri),
            ("uri", "", uri),
            ("uri", "\ud800", "METADATA_HOST"),
            ("uri", f"https://{HOST_A}/\ud800", canonical),
            ("mint", self.alice.key, form),
            ("mint", OPERATOR_KEY, form),
            ("mint", base58(b"\2" + bytes(31)), form),
            ("mint", self.mint[:31], form),
            ("creator", self.mint, form),
            ("creator", "\ud800", form),
            ("creator", 7, form),
        ):
            with self.subTest(field=field, value=value):
                self.setUp()
                answer = self.build(self.bearer, "key-0001", **{field: value})
                self.assertEqual((answer[0], answer[1].get("code")), (400, code) if code else (200, None))

    def test_idempotency_key(self):
        self.assert_refused(self.build(self.bearer, None), 400, "IDEMPOTENCY_REQUIRED")
        for key in ("", "x" * 7, "x" * 65, "key 0001", "key-0001\n", "kéy-0001"):
            self.assert_refused(self.build(self.bearer, key), 400, "CREATOR_BINDING_OR_FIELDS")

    def test_uris(self):
        for rest in ("/m.json", "/a/b/", "/.a/..b/...", "/~a_b-c", "/a;b=1,2&c=(3)!*+$'"):
            for host in METADATA_HOSTS:
                with self.subTest(host=host, rest=rest):
                    self.setUp()
                    self.assertEqual(self.build(self.bearer, "key-0001", uri=f"https://{host}{rest}")[0], 200)
        dotted, marked = ("/..", "/./b", "/a/../b"), ("/m#", "/m?x", "/a@b", "/a:b", "/%2e")
        for rest in ("/", "//m", "/m//", *dotted, *marked, "/é", "/m ", "/m\n"):
            with self.subTest(rest=rest):
                answer = self.build(self.bearer, "key-0001", uri=f"https://{HOST_A}{rest}")
                self.assert_refused(answer, 400, "CANONICAL_BUILD_REJECTED")
        for uri in (
            f"https://user@{HOST_A}/",
            f"https://user:pass@{HOST_A}/",
            f"https://@{HOST_A}/",
            f"https://:@{HOST_A}/",
            f"https://{HOST_A}:443/",
            f"https://{HOST_A}:/",
            f"https://{HOST_A}:8080/",
            f"https://{HOST_A}/m.json#part",
            f"https://{HOST_A}?/",
            f"https://{HOST_A}#/",
            "https://elsewhere.example/",
            f"https://{HOST_A}.evil.example/",
            f"https://evil-{HOST_A}/",
            f"https://x.{HOST_A}/",
            f"https://{HOST_A}./",
            f"https://{HOST_A}\\/",
            f"https://{HOST_A}\\@evil.example/",
            f"https://evil.example\\@{HOST_A}/",
            f"https:\\\\{HOST_A}/",
            f"htt\tps://{HOST_A}/",
            f"https://{HOST_A[:4]}\n{HOST_A[4:]}/",
            f"https://{HOST_A}\r/",
            f"https://{HOST_A.replace('-', '%2d')}/",
            f"https://{HOST_A.replace('e', 'е')}/",
            f"https://{HOST_A.replace('m', 'ｍ')}/",
            f"https://{HOST_A.replace('.', '。')}/",
            f"https://{HOST_A}",
            f"http://{HOST_A}/",
            f"{HOST_A}/",
            f"//{HOST_A}/",
            f"https:/{HOST_A}/",
            f"https:{HOST_A}/",
            f"https:///{HOST_A}/",
            f"ipfs://{HOST_A}/",
            f"javascript://{HOST_A}/",
            f" https://{HOST_A}/",
            f"\u00a0https://{HOST_A}/",
            f"\ufeffhttps://{HOST_A}/",
            f"https://{HOST_A.upper()}/m.json",
            f"HTTPS://{HOST_A}/m.json",
            "https://[::1/",
            "https://",
            "x",
        ):
            with self.subTest(uri=uri):
                self.setUp()
                status, body = self.build(self.bearer, "key-0001", uri=uri)
                self.assertIn((status, body.get("code")), {(400, "METADATA_URL"), (400, "METADATA_HOST")})


class Bodies(ServiceTest):
    def test_size(self):
        body = json.dumps({"creator": self.alice.key, "termsHash": TERMS_HASH}).encode()
        self.assertEqual(self.post("/v1/auth/challenge", body.ljust(16_384))[0], 200)
        self.assert_refused(self.post("/v1/auth/challenge", body.ljust(16_385)), 413, "BODY_TOO_LARGE")

    def test_no_json(self):
        good = json.dumps({"creator": self.alice.key, "termsHash": TERMS_HASH}).encode()
        nested = (b"[" * 8000 + b"]" * 8000, b'{"creator":' * 1400, b"[" * 16_000)
        others = (b" ", b"{", b"{'a':1}", b"NaN", b'{"creator": NaN}', b'{"creator": -Infinity}', b"\xff{}")
        utf16 = good.decode().encode("utf-16")
        for body in (*nested, *others, good[:-1] + b",}", good + good, good + b"//", utf16, b'{"creator":"\xff"}'):
            with self.subTest(body=body[:40]):
                self.assert_refused(self.post("/v1/auth/challenge", body), 400, "INVALID_JSON_BODY")
        repeated = good[:-1] + b',"creator":"x"}'
        self.assert_refused(self.post("/v1/auth/challenge", repeated), 400, "INVALID_JSON_BODY")
        self.assertEqual(self.post("/v1/auth/challenge", b"\xef\xbb\xbf" + good)[0], 200)

    def test_json_of_another_shape(self):
        good = {"creator": self.alice.key, "termsHash": TERMS_HASH}
        huge = b'{"creator":' + b"9" * 6000 + b',"termsHash":1e999}'
        shapes = (b"", b"null", b"[]", b'"x"', b"5", b"true", b"{}", huge)
        extras = [{**good, name: 1} for name in ("__proto__", "constructor", "\ud800")]
        for body in (*shapes, *extras):
            with self.subTest(body=str(body)[:40]):
                self.assert_refused(self.post("/v1/auth/challenge", body), 400, "INVALID_FIELDS")


class Capacity(ServiceTest):
    def test_challenges(self):
        first = self.challenge(self.alice.key)
        for _ in range(CAPACITY["challenges"] - 1):
            self.challenge(self.alice.key)
        request = {"creator": self.alice.key, "termsHash": TERMS_HASH}
        self.assert_refused(self.post("/v1/auth/challenge", request), 429, "OFFLINE_CAPACITY")
        self.assertEqual(self.verify(first, self.alice.sign(first["message"]))[0], 200)
        self.now_ms += 61_000
        self.challenge(self.alice.key)

    def test_sessions_and_drafts(self):
        sessions = [self.session(self.alice)]
        bearers = {}
        for n in range(CAPACITY["sessions"] - 1):
            actor = Actor(f"actor {n}")
            bearers[actor.key] = self.session(actor)["bearer"]
        challenge = self.challenge(self.alice.key)
        answer = self.verify(challenge, self.alice.sign(challenge["message"]))
        self.assert_refused(answer, 429, "OFFLINE_CAPACITY")
        self.assertEqual(self.verify(challenge, self.alice.sign(challenge["message"])), answer)
        self.assert_refused(self.verify(self.challenge(self.alice.key), ""), 401, "INVALID_PROOF")
        builds = [(key, bearer, n) for key, bearer in bearers.items() for n in range(5)]
        answers = [self.build(bearer, f"key-000{n}", creator=key) for key, bearer, n in builds]
        most = CAPACITY["drafts"]
        self.assertEqual({status for status, _ in answers[:most]}, {200})
        self.assertEqual({body.get("code") for _, body in answers[most:]}, {"OFFLINE_CAPACITY"})
        key, bearer, n = builds[0]
        self.assertEqual(self.build(bearer, f"key-000{n}", creator=key), answers[0])
        self.now_ms += 91_000
        self.assertEqual(self.build(sessions[0]["bearer"], "key-0001")[0], 200)


class Routes(ServiceTest):
    def test_no_execution_route(self):
        for path in ("/v1/sign", "/v1/launch/send", "/v1/buy", "/v1/fees/claim", "/v1/payouts", "/", "", "/v1/sign?x"):
            for method in ("GET", "POST", "PUT", "DELETE"):
                envelope = self.service.handle(method, path)
                self.assertEqual((envelope["status"], envelope["body"]["code"]), (404, "NO_EXECUTION_ENDPOINT"))

    def test_profile(self):
        envelope = self.service.handle("GET", "/v1/platform")
        self.assertEqual((envelope["status"], envelope["body"]["termsHash"]), (200, TERMS_HASH))
        self.assertEqual(self.service.handle("PUT", "/v1/platform")["status"], 400)
        self.assertEqual(self.service.handle("get", "/v1/platform", b"{}")["status"], 400)
        self.assertEqual(self.service.handle("GET", "/v1/platform", bytes(16_385))["status"], 413)

    def test_paths_are_read_leniently(self):
        for path in ("/v1/platform/", "//v1//platform", "/V1/Platform", "/v1/%70latform", "/v1/platform?x=/y"):
            self.assertEqual(self.service.handle("get", path)["status"], 200)
        for path in ("/platform", "/v1/platform/x", "/v1/platform%3Fx", "/v1/x/../platform"):
            self.assertEqual(self.service.handle("GET", path)["status"], 404)
        self.assertEqual(self.service.handle("POST", "/v1/launch/sign", bytes(16_385))["status"], 404)


class Protocol(unittest.TestCase):
    def test_lines_that_are_no_request(self):
        adapter = Adapter()
        lines = (
            (b"no json\n", -32700),
            (b"[" * 100_000, -32700),
            (b"\xff\n", -32700),
            (b"[]", -32600),
            (b'{"id":1,"method":"handle","params":{"method":"GET","path":"/"}}', -32602),
            (b'{"id":1,"method":"handle","params":{"service":"x","method":"GET","path":"/"}}', -32602),
            (b'{"id":1,"method":"start","params":{"nowMs":0,"service":"x"}}', -32602),
            (b'{"id":1,"method":"start","params":[0]}', -32602),
            (b'{"id":1,"method":"__class__"}', -32601),
            (b'{"id":1,"method":"start","params":{"nowMs":"x"}}', -32602),
            (b'{"id":1,"method":"advance","params":{"ms":-1}}', -32602),
            (b'{"id":1,"method":"advance","params":{"ms":9007199254740991}}', -32602),
            (b'{"id":1,"method":"advance","params":{"ms":9007199254740991}}', -32602),
            (b'{"id":1,"method":"start","params":{"nowMs":9007199254740991}}', -32602),
            (b'{"id":1,"method":"initialize","params":{"protocol":2}}', -32602),
        )
        for line, code in lines:
            with self.subTest(line=line[:60]):
                try:
                    answer = answer_request(adapter, read_line(line))
                except RpcError as error:
                    answer = error_answer(None, error)
                self.assertEqual(answer["error"]["code"], code)

    def test_start_is_a_restart_and_bytes_arrive_as_they_are(self):
        adapter = Adapter()
        named = adapter.call("start", {"nowMs": START_MS})
        other = adapter.call("start", {"nowMs": START_MS})
        self.assertNotEqual(named, other)
        self.assertEqual(adapter.call("advance", {**named, "ms": 1}), {"nowMs": START_MS + 1})
        self.assertEqual(adapter.call("advance", {**other, "ms": 0}), {"nowMs": START_MS})
        for body in ({"bodyBase64": "/w=="}, {"body": '"\ud800"'}):
            answer = adapter.call("handle", {**named, "method": "POST", "path": "/v1/auth/verify", **body})
            self.assertEqual(answer["body"]["code"], "INVALID_JSON_BODY")
        answer = adapter.call("handle", {**named, "method": "POST", "path": "/v1/auth/verify"})
        self.assertEqual(answer["body"]["code"], "CREATOR_BINDING_OR_FIELDS")
        self.assertEqual(adapter.call("start", {"nowMs": 0, **named}), named)
        self.assertEqual(adapter.call("advance", {**named, "ms": 0}), {"nowMs": 0})
        self.assertEqual(adapter.call("advance", {**other, "ms": 0}), {"nowMs": START_MS})


if __name__ == "__main__":
    unittest.main()
