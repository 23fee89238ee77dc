"""Adapter between the conformance kit and the service: JSON-RPC 2.0 over stdio, one message per line.

Several services can run at the same time. The requests to one service run concurrently. Any other message to
a service waits until the requests to that service are done. Standard error is the log.
"""

import base64
import io
import json
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import groupby

from service import FACTS, Service

PROTOCOL = 1
CONTRACT = "partner-preview-1"
ABOUT = {
    "protocol": PROTOCOL,
    "implementation": {"name": "python-example", "version": "1.0.0", "language": "Python"},
    "capabilities": {"clock": "virtual", "restart": True, "rawBody": True, "concurrency": True, "instances": 16},
    "facts": FACTS,
}

# Latest time of a clock, in ms. Sessions that start at this time still expire in the year 9999.
LAST_MS = 253_402_214_400_000

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603


class RpcError(Exception):
    """A message that the adapter cannot serve. Becomes a JSON-RPC error, not a response of the service."""

    def __init__(self, code: int, message: str, data: dict | None = None):
        super().__init__(message)
        self.code = code
        self.data = data


def _param(params: dict, name: str, kind: type, optional: bool = False):
    value = params.get(name)
    if type(value) is kind or (optional and value is None):
        return value
    raise RpcError(INVALID_PARAMS, f"{name} must be of type {kind.__name__}")


class Instance:
    """A service under test, with its own virtual clock."""

    def __init__(self, now_ms: int):
        self.now_ms = now_ms
        self.service = Service(lambda: self.now_ms)


class Adapter:
    """Handles the five kinds of messages. Stores the services by name."""

    def __init__(self):
        self._instances: dict[str, Instance] = {}
        self._started = 0

    def call(self, method: str, params: dict) -> dict:
        """Returns the result of one message. Raises RpcError if the message is wrong."""
        if method not in ("initialize", "start", "handle", "advance", "shutdown"):
            raise RpcError(NO_METHOD, "unknown method")
        return getattr(self, "_" + method)(params)

    def _instance(self, params: dict) -> Instance:
        """Returns the service that a message names."""
        found = self._instances.get(_param(params, "service", str))
        if found is None:
            raise RpcError(INVALID_PARAMS, "no such service: start gives the name of one")
        return found

    def _initialize(self, params: dict) -> dict:
        if params.get("protocol") != PROTOCOL or params.get("contract") != CONTRACT:
            raise RpcError(INVALID_PARAMS, f"this adapter speaks protocol {PROTOCOL} for contract {CONTRACT}")
        return ABOUT

    def _start(self, params: dict) -> dict:
        now_ms = _moment(_param(params, "nowMs", int), "nowMs", LAST_MS)
        name = _param(params, "service", str, optional=True)
        if name is None:
            self._started += 1
            name = f"service-{self._started}"
        else:
            self._instance(params)
        self._instances[name] = Instance(now_ms)
        return {"service": name}

    def _handle(self, params: dict) -> dict:
        return self._instance(params).service.handle(
            _param(params, "method", str),
            _param(params, "path", str),
            _body(params),
            _param(params, "bearer", str, optional=True),
            _param(params, "idempotencyKey", str, optional=True),
        )

    def _advance(self, params: dict) -> dict:
        instance = self._instance(params)
        instance.now_ms += _moment(_param(params, "ms", int), "ms", LAST_MS - instance.now_ms)
        return {"nowMs": instance.now_ms}

    def _shutdown(self, params: dict) -> dict:
        return {}


def _moment(ms: int, name: str, most: int) -> int:
    if 0 <= ms <= most:
        return ms
    raise RpcError(INVALID_PARAMS, f"{name} must not be negative, nor lead beyond the year 9999")


def _body(params: dict) -> bytes:
    """Returns the bytes of the body. This service treats a missing body as an empty body."""
    text = _param(params, "body", str, optional=True)
    encoded = _param(params, "bodyBase64", str, optional=True)
    if encoded is not None:
        try:
            return base64.b64decode(encoded, validate=True)
        except ValueError:
            raise RpcError(INVALID_PARAMS, "bodyBase64 must be base64") from None
    # A lone surrogate becomes bytes that are not UTF-8, which the service refuses.
    return (text or "").encode("utf-8", "surrogatepass")


def read_line(line: bytes) -> dict:
    """Parses one line as a request with parameters. Raises RpcError if the line is not a request."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "the line is not JSON") from None
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        raise RpcError(INVALID_REQUEST, "a request is an object with a method")
    return {"params": {}, **request}


def answer_request(adapter: Adapter, request: dict) -> dict:
    """Returns the answer to one request."""
    identifier = request.get("id")
    try:
        if not isinstance(request["params"], dict):
            raise RpcError(INVALID_PARAMS, "params must be an object")
        return {"jsonrpc": "2.0", "id": identifier, "result": adapter.call(request["method"], request["params"])}
    except RpcError as error:
        return error_answer(identifier, error)
    except Exception as error:  # A fault of the service. The kit shows its stack, innermost frame first.
        frames = reversed(traceback.extract_tb(error.__traceback__))
        data = {"frames": [f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in frames]}
        return error_answer(identifier, RpcError(INTERNAL_ERROR, f"{type(error).__name__}: {error}", data))


def error_answer(identifier: object, error: RpcError) -> dict:
    data = {} if error.data is None else {"data": error.data}
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": error.code, "message": str(error), **data}}


def service_name(request: dict) -> str:
    params = request["params"]
    return str(params.get("service")) if isinstance(params, dict) else ""


def chunks(source: io.BufferedIOBase) -> Iterator[list[bytes]]:
    """Yields the lines that arrive together. The kit sends concurrent requests at once."""
    rest = b""
    while chunk := source.read1(1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        yield lines
    if rest:
        yield [rest]


def main() -> None:
    """Answers messages until `shutdown` or the end of standard input."""
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # Output of print goes to the log, not among the answers.
    adapter = Adapter()
    writing = threading.Lock()
    under_way: dict[str, list[Future]] = {}  # Requests by the name of their service.

    def write(answered: dict) -> None:
        text = json.dumps(answered).encode() + b"\n"
        with writing:
            out.write(text)
            out.flush()

    def read(line: bytes) -> dict | None:
        """Parses one line. If the line is not a request, writes the error, and returns None."""
        try:
            return read_line(line)
        except RpcError as error:
            write(error_answer(None, error))
            return None

    def start(requests: Iterable[dict], pool: ThreadPoolExecutor) -> None:
        """Answers requests in a thread each. All of them start before any of them continues."""
        gate = threading.Event()
        for request in requests:
            answering = pool.submit(lambda asked=request: gate.wait() and write(answer_request(adapter, asked)))
            name = service_name(request)
            under_way[name] = [*(one for one in under_way.get(name, []) if not one.done()), answering]
        gate.set()

    with ThreadPoolExecutor(64) as pool:
        for lines in chunks(sys.stdin.buffer):
            requests = filter(None, map(read, lines))
            for are_concurrent, group in groupby(requests, lambda request: request["method"] == "handle"):
                if are_concurrent:
                    start(group, pool)
                    continue
                for request in group:
                    wait(under_way.pop(service_name(request), []))
                    write(answer_request(adapter, request))
                    if request["method"] == "shutdown":
                        return


if __name__ == "__main__":
    main()
