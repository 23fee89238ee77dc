"""A client of the offline launch-draft service (contract `partner-preview-1`), as a program.

It signs in as a creator, requests the draft of one launch, and checks it. It reads the launch as JSON from standard
input, and writes the result as one line of JSON. With `--resident` it keeps running, and performs launches from
JSON-RPC lines, several at a time.
"""

import base64
import hashlib
import http.client
import json
import re
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

CLIENT = {"name": "example-client-python", "version": "1.0.0", "language": "Python"}

MOST_TRIES = 4
"""Maximum number of attempts at one request."""
FIRST_WAIT_S = 0.25
"""Wait before the second attempt. Each later wait is twice as long as the previous one."""


# ---- 1. A LAUNCH

class GivenUp(Exception):
    """The launch ends because of a refusal, or because there is no response."""


class Distrusted(Exception):
    """A response contradicts the contract or the launch."""


class Memory:
    """State that launches share: bearers, and the number of used keys of each launch."""

    def __init__(self):
        self.lock = threading.Lock()
        self.bearers = {}
        self.used_keys = {}


def launch(task, memory):
    """Gets the unsigned draft of a launch. Returns a result of the client protocol."""
    try:
        return {"draft": Launch(task, memory).draft()}
    except GivenUp as error:
        return {"refused": error.args[0]}
    except Distrusted as error:
        return {"distrusted": str(error)}


class Launch:
    def __init__(self, task, memory):
        self.task = task
        self.memory = memory
        self.creator = task["creator"]["address"]
        self.account = (task["baseUrl"], self.creator)
        fields = {name: task["token"][name] for name in ("mint", "name", "symbol", "uri")}
        self.request = {"creator": self.creator, **fields}
        self.launch_id = json.dumps([task["baseUrl"], task["id"], self.request])
        self.ends_at = time.monotonic() + task["deadlineMs"] / 1000

    def draft(self):
        profile = self.ask(lambda: ("GET", "/v1/platform", None, {}), {})
        if any(profile.get(name) is not False for name in ("productionApproved", "publicServer")):
            raise Distrusted("the service does not say that it is neither public nor approved")
        bearer = None
        renewals = [True]

        def build():
            nonlocal bearer
            bearer = self.bearer(profile)
            headers = {"Authorization": f"Bearer {bearer}", "Idempotency-Key": self.key()}
            return "POST", "/v1/launch/build", self.request, headers

        def renew_session():
            with self.memory.lock:
                if self.memory.bearers.get(self.account) == bearer:
                    del self.memory.bearers[self.account]
            return bool(renewals) and renewals.pop()

        draft = self.ask(build, {401: renew_session, 409: self.take_new_key})
        check_draft(draft, self.request, profile)
        return draft

    def bearer(self, profile):
        """Returns the bearer of this creator."""
        with self.memory.lock:
            known = self.memory.bearers.get(self.account)
        if known is not None:
            return known
        bearer = self.sign_in(profile)
        with self.memory.lock:
            self.memory.bearers[self.account] = bearer
        return bearer

    def sign_in(self, profile):
        """Signs in. Sends each proof only once: after a failure, it requests and signs a new challenge."""
        seed = base64.b64decode(self.task["creator"]["secretKeyBase64"])[:32]
        key = Ed25519PrivateKey.from_private_bytes(seed)
        renewals = [True]

        def verify():
            asked = {"creator": self.creator, "termsHash": text(profile, "termsHash")}
            challenge = self.ask(lambda: ("POST", "/v1/auth/challenge", asked, {}), {})
            check_challenge(challenge, asked)
            signature = key.sign(text(challenge, "message").encode())
            proof = {"id": text(challenge, "id"), "signatureBase64": base64.b64encode(signature).decode()}
            return "POST", "/v1/auth/verify", proof, {}

        session = self.ask(verify, {401: lambda: bool(renewals) and renewals.pop()})
        if session.get("scope") != "offline:launch-draft":
            raise Distrusted("the session has another scope")
        check_expiry(session)
        return text(session, "bearer")

    def key(self):
        """Returns the idempotency key of this launch. Another process derives the same key."""
        with self.memory.lock:
            used = self.memory.used_keys.get(self.launch_id, 0)
        return hashlib.sha256(f"{self.launch_id} {used}".encode()).hexdigest()

    def take_new_key(self):
        """Changes the idempotency key, because its draft has expired or it was used for different input."""
        with self.memory.lock:
            self.memory.used_keys[self.launch_id] = self.memory.used_keys.get(self.launch_id, 0) + 1
        return True

    def ask(self, request_of, remedies):
        """Returns the body of the first response with status 200.

        After a lost response, 5xx, or 429, waits and repeats the request. Any other status ends the launch,
        unless `remedies` has a function for the status, and the function returns True.
        """
        tries = 0
        while True:
            tries += 1
            method, path, body, headers = request_of()
            status, answer = self.send(method, path, body, headers)
            code = answer.get("code")
            refusal = {"reason": f"{method} {path}" if status else f"no answer to {method} {path}"}
            if status:
                refusal |= {"status": status} | ({"code": code} if isinstance(code, str) else {})
            if any(answer.get(name, False) is not False for name in ("productionApproved", "publicServer")):
                raise Distrusted(f"{path}: the service says that it is public, or approved for production")
            if status == 200:
                return answer
            if tries == MOST_TRIES:
                raise GivenUp(refusal)
            if status is None or status == 429 or status >= 500:
                self.pause(tries, refusal)
            elif not remedies.get(status, lambda: False)():
                raise GivenUp(refusal)

    def pause(self, tries, refusal):
        wait = FIRST_WAIT_S * 2 ** (tries - 1) * self.task.get("retryAfterScale", 1)
        if time.monotonic() + wait >= self.ends_at:
            raise GivenUp(refusal)
        time.sleep(wait)

    def send(self, method, path, body, headers):
        """Returns status and JSON object of the response, or `(None, {})` if it is lost."""
        base = urlsplit(self.task["baseUrl"])
        kind = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
        remaining = max(0.001, self.ends_at - time.monotonic())
        connection = kind(base.netloc, timeout=remaining)
        # The timeout of a socket starts again with each byte, so a timer ends the connection.
        timer = None
        try:
            connection.connect()
            timer = threading.Timer(remaining, connection.sock.shutdown, [socket.SHUT_RDWR])
            timer.start()
            if body is not None:
                headers = {**headers, "Content-Type": "application/json"}
                body = json.dumps(body).encode()
            connection.request(method, base.path + path, body, headers)
            response = connection.getresponse()
            status, content = response.status, response.read()
        except (OSError, http.client.HTTPException):
            return None, {}
        finally:
            if timer is not None:
                timer.cancel()
            connection.close()
        try:
            answer = json.loads(content)
        except ValueError:
            return status, {}
        return status, answer if isinstance(answer, dict) else {}


def text(body, name):
    """Returns a member that must be a string."""
    value = body.get(name)
    if not isinstance(value, str):
        raise Distrusted(f"the service gave no {name}")
    return value


# ---- 2. CHECKS: a client that signs a wrong draft may lose what its keys control.

CLAIMS = {
    "mode": "OFFLINE_PROTOTYPE",
    "fixtureOnly": True,
    "productionApproved": False,
    "sendable": False,
    "placeholderBlockhash": True,
    "metadataPublicationVerified": False,
    "currentBalanceVerified": False,
}
"""Constant members of every draft (contract, "Unsigned draft")."""
SIGNATURE_BYTES = 64
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def check_expiry(answer):
    """Raises `Distrusted` if an answer has no expiry, or does not say that it is not approved."""
    if answer.get("expiresAt") is None or answer.get("productionApproved") is not False:
        raise Distrusted("the service gave no expiry, or does not say that it is not approved")


def check_challenge(challenge, asked):
    """Raises `Distrusted` if a message does not name what the client asked for."""
    check_expiry(challenge)
    message = text(challenge, "message")
    if any(part not in message for part in (asked["creator"], "offline-demo", asked["termsHash"])):
        raise Distrusted("the message to sign does not name the creator, the audience, and the terms")


def check_draft(draft, request, profile):
    """Raises `Distrusted` if a draft contradicts the contract or the launch."""
    for name, claim in CLAIMS.items():
        if draft.get(name) != claim or type(draft[name]) is not type(claim):
            raise Distrusted(f"the draft does not say that {name} is {claim}")
    for name in ("platform", "feeWallet", "withdrawAuthority"):
        if text(draft, name) != profile.get(name):
            raise Distrusted(f"the draft and the profile have different values of {name}")
    signers = [request["creator"], request["mint"]]
    if draft.get("requiredSigners") != signers:
        raise Distrusted("the signers of the draft are not the creator and the mint")
    check_expiry(draft)
    text(draft, "nextGate")
    try:
        is_cost = adds_up(draft["cost"])
    except (TypeError, KeyError):
        is_cost = False
    if not is_cost:
        raise Distrusted("the cost does not add up")
    if not re.fullmatch("[0-9a-f]{64}", text(draft, "messageHash")):
        raise Distrusted("the draft has no hash of its message")
    try:
        transaction = base64.b64decode(text(draft, "unsignedTransactionBase64"), validate=True)
    except ValueError:
        raise Distrusted("the transaction is not base64") from None
    # A Solana transaction starts with the number of signatures, followed by the signatures.
    end = 1 + len(signers) * SIGNATURE_BYTES
    if len(transaction) <= end or transaction[0] != len(signers):
        raise Distrusted("the transaction does not have two signatures")
    if any(transaction[1:end]):
        raise Distrusted("the transaction is signed already")
    if not all(decode_base58(signer) in transaction[end:] for signer in signers):
        raise Distrusted("the transaction does not name both the creator and the mint")


def adds_up(cost):
    """Returns whether a cost has all its parts and the right sum. Raises an error if a part is missing."""
    accounts = cost["accounts"]
    amounts = [cost[name] for name in ("networkFeeLamports", "minimumLamports", "recommendedLamports")]
    amounts += [account[name] for account in accounts for name in ("bytes", "historicalRentLamports")]
    return (
        cost["basis"] == "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE"
        and {"pool", "mint", "baseVault", "quoteVault"} <= {account["kind"] for account in accounts}
        and all(type(amount) is int for amount in amounts)
        and cost["reserveLamports"] == 1_000_000
        and cost["recommendedLamports"] == cost["minimumLamports"] + 1_000_000
    )


def decode_base58(address):
    """Returns the 32 bytes of an address."""
    value = 0
    for letter in address:
        value = value * 58 + BASE58.index(letter)
    return value.to_bytes(32, "big")


# ---- 3. THE PROGRAM

def serve_lines():
    """Answers JSON-RPC lines until `shutdown`."""
    memory = Memory()
    writing = threading.Lock()

    def answer(message):
        method = message["method"]
        if method == "launch":
            return launch(message["params"], memory)
        return {"protocol": 1, "client": CLIENT} if method == "initialize" else {}

    def serve(message):
        try:
            outcome = {"result": answer(message)}
        except Exception as error:  # Every line gets a response, even after an error.
            outcome = {"error": {"code": -32000, "message": repr(error)}}
        with writing:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}), flush=True)

    with ThreadPoolExecutor(max_workers=16) as workers:
        for line in sys.stdin:
            message = json.loads(line)
            workers.submit(serve, message)
            if message["method"] == "shutdown":
                break


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    if "--resident" in sys.argv[1:]:
        serve_lines()
    else:
        print(json.dumps(launch(json.load(sys.stdin), Memory())))
