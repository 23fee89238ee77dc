"""A service to start with, and the adapter protocol around it: JSON-RPC messages, one on each line."""

import base64
import json
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

ABOUT = {
    "protocol": 1,
    # The name of this service in reports.
    "implementation": {"name": "my-service", "version": "0.0.0", "language": "Python"},
    "capabilities": {"clock": "virtual", "restart": True, "rawBody": True, "concurrency": True},
    # Values that tests cannot observe. Other facts: operatorKey, signedBytes, capacity, clockStepMs.
    "facts": {"metadataHosts": ["metadata-one.example", "metadata-two.example"]},
}


class Service:
    """A service with empty state. Requests may be in flight together, each in a thread."""

    def __init__(self, now_ms):
        """`now_ms()` returns the time in ms since the Unix epoch. Use no other clock: tests move this one."""
        self.now_ms = now_ms

    def handle(self, method, path, body, bearer, idempotency_key):
        """Returns the status and the body of the response. The body of the request is bytes, or None."""
        if (method, path) == ("GET", "/v1/platform"):
            return 200, {"mode": "OFFLINE_PROTOTYPE", "productionApproved": False}
        return 404, {"code": "NO_EXECUTION_ENDPOINT", "productionApproved": False}


# The adapter protocol. There is nothing to change below.

answers, sys.stdout = sys.stdout, sys.stderr  # Text that the service prints is a log.
lock = threading.Lock()
clock = service = None


class Clock:
    def __init__(self, ms):
        self.ms = ms


def perform(method, params):
    global clock, service
    if method == "initialize":
        return ABOUT
    if method == "start":
        own = clock = Clock(params["nowMs"])
        service = Service(lambda: own.ms)
        return {}
    if method == "advance":
        clock.ms += params["ms"]
        return {"nowMs": clock.ms}
    if method == "handle":
        body = params["body"].encode() if "body" in params else None
        if "bodyBase64" in params:  # A body that is not valid UTF-8.
            body = base64.b64decode(params["bodyBase64"])
        credentials = params.get("bearer"), params.get("idempotencyKey")
        status, response = service.handle(params["method"], params["path"], body, *credentials)
        return {"status": status, "body": response}
    if method == "shutdown":
        return {}
    raise ValueError(f"unknown method {method}")


def frames_of(error):
    """Returns the stack of an error, innermost frame first, without `answer` and `perform`."""
    frames = traceback.extract_tb(error.__traceback__)[2:]
    return [f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in reversed(frames)]


def answer(message):
    head = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        line = json.dumps({**head, "result": perform(message["method"], message.get("params", {}))})
    except Exception as error:  # Also a body that JSON cannot represent.
        data = {"frames": frames_of(error)}
        fault = {"code": -32603, "message": f"{type(error).__name__}: {error}", "data": data}
        line = json.dumps({**head, "error": fault})
    with lock:
        answers.write(line + "\n")
        answers.flush()


def answer_together(messages, pool):
    """Answers requests in a thread each. All of them start before any of them continues."""
    gate = threading.Event()
    for message in messages:
        pool.submit(lambda one=message: gate.wait() and answer(one))
    gate.set()


def run(pool):
    rest = b""
    # The kit sends concurrent requests at once, so they are usually in one chunk.
    while chunk := sys.stdin.buffer.read1(1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        messages = [json.loads(line) for line in lines]
        for are_requests, group in groupby(messages, lambda message: message["method"] == "handle"):
            if are_requests:
                answer_together(group, pool)
                continue
            for message in group:
                answer(message)
                if message["method"] == "shutdown":
                    return


with ThreadPoolExecutor(64) as pool:
    run(pool)
