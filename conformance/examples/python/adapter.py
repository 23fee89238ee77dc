"""Drives the service for the conformance kit: JSON-RPC 2.0 over stdio, one message a line.

Requests to the service are in flight together and answered as they are done; every other message waits for them.
Standard error is the log.
"""

import base64
import json
import sys
import threading
import traceback
from concurrent.futures import Future, ThreadPoolExecutor, wait

from service import FACTS, Service

PROTOCOL = 1
CONTRACT = "partner-preview-1"
ABOUT = {
    "protocol": PROTOCOL,
    "implementation": {"name": "python-example", "version": "1.0.0", "language": "Python"},
    "capabilities": {"clock": "virtual", "restart": True, "rawBody": True, "concurrency": True},
    "facts": FACTS,
}

# Where clocks end: an hour later is still a moment that has a name.
LAST_MS = 253_402_214_400_000

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603


class RpcError(Exception):
    """A request that the protocol cannot serve: an error answer of JSON-RPC, never one of the service."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code


def _param(params: dict, name: str, kind: type, optional: bool = False):
    value = params.get(name)
    if type(value) is kind or (optional and value is None):
        return value
    raise RpcError(INVALID_PARAMS, f"{name} must be of type {kind.__name__}")


class Adapter:
    """The five messages; holds the service under test and its virtual clock."""

    def __init__(self):
        self._now_ms = 0
        self._service = None

    def call(self, method: str, params: dict) -> dict:
        """Gives the result of one message; raises RpcError where the message is wrong."""
        if method not in ("initialize", "start", "handle", "advance", "shutdown"):
            raise RpcError(NO_METHOD, "unknown method")
        return getattr(self, "_" + method)(params)

    def _initialize(self, params: dict) -> dict:
        if params.get("protocol") != PROTOCOL or params.get("contract") != CONTRACT:
            raise RpcError(INVALID_PARAMS, f"this adapter speaks protocol {PROTOCOL} for contract {CONTRACT}")
        return ABOUT

    def _start(self, params: dict) -> dict:
        self._now_ms = _moment(_param(params, "nowMs", int), "nowMs", LAST_MS)
        self._service = Service(lambda: self._now_ms)
        return {}

    def _handle(self, params: dict) -> dict:
        if self._service is None:
            raise RpcError(INVALID_REQUEST, "start comes first")
        return self._service.handle(
            _param(params, "method", str),
            _param(params, "path", str),
            _body(params),
            _param(params, "bearer", str, optional=True),
            _param(params, "idempotencyKey", str, optional=True),
        )

    def _advance(self, params: dict) -> dict:
        ms = _param(params, "ms", int)
        self._now_ms += _moment(ms, "ms", LAST_MS - self._now_ms)
        return {"nowMs": self._now_ms}

    def _shutdown(self, params: dict) -> dict:
        return {}


def _moment(ms: int, name: str, most: int) -> int:
    if 0 <= ms <= most:
        return ms
    raise RpcError(INVALID_PARAMS, f"{name} must not be negative, nor lead beyond the year 9999")


def _body(params: dict) -> bytes:
    """The exact bytes of the request body; none and an empty one are the same to this service."""
    text = _param(params, "body", str, optional=True)
    encoded = _param(params, "bodyBase64", str, optional=True)
    if encoded is not None:
        try:
            return base64.b64decode(encoded, validate=True)
        except ValueError:
            raise RpcError(INVALID_PARAMS, "bodyBase64 must be base64") from None
    # A lone surrogate becomes bytes that are not UTF-8, for the service to refuse.
    return (text or "").encode("utf-8", "surrogatepass")


def answer_line(adapter: Adapter, line: bytes) -> tuple[dict, bool]:
    """Gives the answer to one line, and whether it was the last."""
    identifier = None
    try:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            raise RpcError(PARSE_ERROR, "the line is not JSON") from None
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            raise RpcError(INVALID_REQUEST, "a request is an object with a method")
        identifier = request.get("id")
        params = request.get("params", {})
        if not isinstance(params, dict):
            raise RpcError(INVALID_PARAMS, "params must be an object")
        result = adapter.call(request["method"], params)
        return {"jsonrpc": "2.0", "id": identifier, "result": result}, request["method"] == "shutdown"
    except RpcError as error:
        code, reason = error.code, str(error)
    except Exception:  # A fault of the service: logged here, and an error of the adapter to the runner.
        traceback.print_exc()
        code, reason = INTERNAL_ERROR, "the service failed; see the log"
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": reason}}, False


def _is_handle(line: bytes) -> bool:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(request, dict) and request.get("method") == "handle"


def main() -> None:
    """Answers until `shutdown` or the end of standard input."""
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # A stray print belongs in the log, not among the answers.
    adapter = Adapter()
    writing = threading.Lock()

    def answer(line: bytes) -> bool:
        answered, last = answer_line(adapter, line)
        with writing:
            out.write(json.dumps(answered).encode() + b"\n")
            out.flush()
        return last

    under_way: list[Future] = []
    with ThreadPoolExecutor() as pool:
        for line in sys.stdin.buffer:
            if _is_handle(line):
                under_way = [earlier for earlier in under_way if not earlier.done()]
                under_way.append(pool.submit(answer, line))
                continue
            wait(under_way)
            if answer(line):
                return


if __name__ == "__main__":
    main()
