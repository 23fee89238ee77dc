"""Skeleton of a stdio adapter for the conformance kit: copy it and fill in what is marked REPLACE."""

import base64
import json
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor, wait


class Service:
    """REPLACE: your service. Build it around the clock it is given; a new object has empty state.

    It is called from several threads at once, as behind a web server; guard with a lock what they share.
    """

    def __init__(self, now_ms):
        self.now_ms = now_ms  # A function: milliseconds since the Unix epoch.

    def handle(self, method, path, body, bearer, idempotency_key):
        """`body` is the exact bytes sent, or None. Gives the envelope {status, body}."""
        return {"status": 404, "body": {"code": "NO_EXECUTION_ENDPOINT", "productionApproved": False}}


ABOUT = {
    "protocol": 1,
    "implementation": {"name": "my-service", "version": "0.0.0", "language": "Python"},
    # REPLACE what is not so; what is left out by it, the kit accepts by name: --allow-untried capability:concurrency.
    # "instances" is how many services may live side by side, which is how the kit hides the time that requests take.
    "capabilities": {"clock": "virtual", "restart": True, "rawBody": True, "concurrency": True, "instances": 16},
    # REPLACE: your two metadata hosts; "operatorKey", "signedBytes" and "capacity" may be added. Clients sign the message
    # of a challenge as UTF-8 unless "signedBytes" says "hex", "base64", "sha256", or "adapter": then answer the method
    # "bytesToSign", whose params are {"message"}, with {"base64"} of those bytes.
    "facts": {"metadataHosts": ["metadata-one.example", "metadata-two.example"]},
}
services = {}  # By name: each has a clock and state of its own.


class Instance:
    def __init__(self, clock_ms):
        self.clock_ms = clock_ms
        self.service = Service(lambda: self.clock_ms)


def body_of(params):
    if "bodyBase64" in params:
        return base64.b64decode(params["bodyBase64"])
    return params["body"].encode("utf-8", "surrogatepass") if "body" in params else None


def moment(ms):
    if ms > 253_402_214_400_000:
        raise ValueError("the clock ends with the year 9999")
    return ms


def answer(method, params):
    if method == "initialize":
        return ABOUT
    if method == "start":  # A new service, or one in the place of another that is named.
        name = params.get("service") or f"service-{len(services) + 1}"
        services[name] = Instance(moment(params["nowMs"]))
        return {"service": name}
    if method == "advance":
        instance = services[params["service"]]
        instance.clock_ms = moment(instance.clock_ms + params["ms"])
        return {"nowMs": instance.clock_ms}
    if method == "handle":
        request = (params["method"], params["path"], body_of(params))
        service = services[params["service"]].service
        return service.handle(*request, params.get("bearer"), params.get("idempotencyKey"))
    if method == "shutdown":
        return {}
    raise ValueError(f"no method {method}")


out, sys.stdout = sys.stdout.buffer, sys.stderr  # A stray print belongs in the log, not among the answers.
writing = threading.Lock()


def reply(message):
    try:
        result = {"result": answer(message["method"], message.get("params", {}))}
    except Exception as error:
        traceback.print_exc()
        result = {"error": {"code": -32603, "message": repr(error)}}
    with writing:
        out.write(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), **result}).encode() + b"\n")
        out.flush()


under_way = {}  # By the name of the service.
with ThreadPoolExecutor(32) as pool:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        name = message.get("params", {}).get("service")
        earlier = [one for one in under_way.get(name, []) if not one.done()]
        if message["method"] == "handle":  # Requests are in flight together, and answered as they are done.
            under_way[name] = [*earlier, pool.submit(reply, message)]
            continue
        wait(earlier)  # Every other message to a service waits for them.
        reply(message)
        if message["method"] == "shutdown":
            break
