"""Skeleton of an adapter for the conformance kit: JSON-RPC 2.0, one message a line, Python alone. Fill in parts 1 and 2."""

import base64
import json
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor, wait

# ---- 1. YOUR SERVICE: replace what stands here.


class Service:
    """A service with empty state. It reads no other clock than the one it is given."""

    def __init__(self, now_ms):
        self.now_ms = now_ms  # A function: milliseconds since the Unix epoch.
        self.lock = threading.Lock()  # Hold it where requests share something: several are answered at once.

    def handle(self, method, path, body, bearer, idempotency_key):
        """`body` is the exact bytes sent; what was not sent is None. Gives the status, and the JSON value of the body."""
        if (method, path) == ("GET", "/v1/platform"):
            return {"status": 200, "body": {"mode": "OFFLINE_PROTOTYPE", "productionApproved": False}}
        return {"status": 404, "body": {"code": "NO_EXECUTION_ENDPOINT", "productionApproved": False}}


# ---- 2. WHAT THE KIT CANNOT SEE: replace what is not so.
# "capabilities": what is left out by one, the kit accepts by name: --allow-untried capability:concurrency. "instances" is
# how many services may live side by side, which is how the kit hides the time that requests take.
# "facts": your two metadata hosts; "operatorKey", "signedBytes" and "capacity" may be added. Clients sign the message of a
# challenge as UTF-8 unless "signedBytes" says "hex", "base64", "sha256", or "adapter": then answer the method
# "bytesToSign", whose params are {"message"}, with {"base64"} of those bytes.

ABOUT = {
    "protocol": 1,
    "implementation": {"name": "my-service", "version": "0.0.0", "language": "Python"},
    "capabilities": {"clock": "virtual", "restart": True, "rawBody": True, "concurrency": True, "instances": 16},
    "facts": {"metadataHosts": ["metadata-one.example", "metadata-two.example"]},
}

# ---- 3. THE PROTOCOL: stays as it is.

PARSE_ERROR, NO_METHOD, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32601, -32602, -32603


class RpcError(Exception):
    """A message that is answered with an error: its code and its text."""


class Instance:
    """A service on a clock of its own."""

    def __init__(self, clock_ms):
        self.clock_ms = clock_ms
        self.service = Service(lambda: self.clock_ms)
        self.under_way = []  # Requests that are not answered yet.


instances = {}  # By the names that `start` gave.


def instance_of(params):
    if params.get("service") not in instances:
        raise RpcError(INVALID_PARAMS, f"no service {params.get('service')!r}: start gives the name of one")
    return instances[params["service"]]


def moment(ms):
    if not isinstance(ms, int) or not 0 <= ms <= 253_402_214_400_000:
        raise RpcError(INVALID_PARAMS, f"{ms!r} is no time before the end of the year 9999, in milliseconds")
    return ms


def body_of(params):
    if params.get("bodyBase64") is not None:
        return base64.b64decode(params["bodyBase64"])
    return params["body"].encode() if params.get("body") is not None else None


def handle(instance, params):
    request = (params["method"], params["path"], body_of(params))
    return instance.service.handle(*request, params.get("bearer"), params.get("idempotencyKey"))


def answer(method, params):
    if method == "initialize":
        return ABOUT
    if method == "start":  # A new service, or one in the place of the one that is named.
        if params.get("service") is not None:
            instance_of(params)
        name = params.get("service") or f"service-{len(instances) + 1}"
        instances[name] = Instance(moment(params.get("nowMs")))
        return {"service": name}
    if method == "advance":
        instance = instance_of(params)
        instance.clock_ms = moment(instance.clock_ms + moment(params.get("ms")))
        return {"nowMs": instance.clock_ms}
    if method == "shutdown":
        return {}
    if method == "handle":  # Of a service that there is, it is answered beside this.
        return instance_of(params)
    raise RpcError(NO_METHOD, f"no method {method!r}")


out, sys.stdout = sys.stdout.buffer, sys.stderr  # A stray print belongs in the log, not among the answers.
writing = threading.Lock()


def write(identifier, outcome):
    line = json.dumps({"jsonrpc": "2.0", "id": identifier, **outcome}).encode() + b"\n"
    with writing:
        out.write(line)
        out.flush()


def reply(identifier, work, *arguments):
    try:
        outcome = {"result": work(*arguments)}
        json.dumps(outcome)
    except RpcError as error:
        code, message = error.args
        outcome = {"error": {"code": code, "message": message}}
    except Exception as error:
        traceback.print_exc()
        outcome = {"error": {"code": INTERNAL_ERROR, "message": f"the service failed: {error!r}"}}
    write(identifier, outcome)


with ThreadPoolExecutor(32) as pool:
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
            identifier, method, params = message.get("id"), message["method"], message.get("params", {})
            instance = instances.get(params.get("service"))
            if not isinstance(method, str):
                raise TypeError("method")
        except Exception:
            write(None, {"error": {"code": PARSE_ERROR, "message": "the line is no request in JSON"}})
            continue
        if method == "handle" and instance is not None:  # Requests are answered as they are done.
            instance.under_way = [one for one in instance.under_way if not one.done()]
            instance.under_way.append(pool.submit(reply, identifier, handle, instance, params))
            continue
        if instance is not None:  # Every other message to a service waits for them.
            wait(instance.under_way)
        reply(identifier, answer, method, params)
        if method == "shutdown":
            break
