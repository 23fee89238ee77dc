"""JSON-RPC 2.0 over stdio, one message a line. `--variant NAME` chooses a variant."""

import argparse
import base64
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait

import bodies
import drafts
import proofs
import service


# The end of the year 9999 but for a day: what lives for an hour still ends at a moment that has a name.
LAST_MS = 253_402_214_400_000


class Adapter:
    def __init__(self, variant):
        self.variant = variant
        self.clock_ms = 0
        self.service = None
        self.workers = ThreadPoolExecutor(4)
        self.in_flight = set()
        self.out = threading.Lock()

    def send(self, request_id, **answer):
        line = json.dumps({"jsonrpc": "2.0", "id": request_id, **answer}, separators=(",", ":"))
        with self.out:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    def run(self):
        for line in sys.stdin.buffer:
            try:
                request = json.loads(line)
                request_id, method, params = request.get("id"), request["method"], request.get("params") or {}
            except (ValueError, KeyError, AttributeError):
                self.send(None, error={"code": -32700, "message": "no request"})
                continue
            if method == "handle" and self.service:
                job = self.workers.submit(self.handle, request_id, params)
                self.in_flight.add(job)
                job.add_done_callback(self.in_flight.discard)
                continue
            wait(list(self.in_flight))  # the clock stands still while a request is in flight
            self.control(request_id, method, params)
            if method == "shutdown":
                return

    def control(self, request_id, method, params):
        try:
            if method == "initialize":
                result = self.about()
            elif method == "start":
                self.clock_ms = params["nowMs"]
                self.service = service.Service(lambda: self.clock_ms, self.variant)
                result = {}
            elif method == "advance":
                if self.clock_ms + params["ms"] > LAST_MS:
                    raise ValueError("the clock ends with the year 9999")
                self.clock_ms += params["ms"]
                result = {"nowMs": self.clock_ms}
            elif method == "bytesToSign":
                result = {"base64": base64.b64encode(proofs.signed_bytes(params["message"], self.variant)).decode()}
            elif method == "shutdown":
                result = {}
            elif method == "handle":
                raise RuntimeError("not started")
            else:
                self.send(request_id, error={"code": -32601, "message": f"no method {method}"})
                return
        except Exception as problem:
            self.send(request_id, error={"code": -32000, "message": repr(problem)})
            return
        self.send(request_id, result=result)

    def about(self):
        facts = {
            "metadataHosts": list(bodies.METADATA_HOSTS),
            "operatorKey": drafts.OPERATOR,
            "signedBytes": {"signs-text": "utf8", "signs-framed": "adapter"}.get(self.variant, "sha256"),
        }
        capacity = service.capacity_facts(self.variant)
        if capacity:
            facts["capacity"] = capacity
        return {
            "protocol": 1,
            "implementation": {"name": "python-testbed", "version": "1.0.0", "language": "python"},
            "capabilities": {"clock": "virtual", "restart": True, "rawBody": True, "concurrency": True},
            "facts": facts,
        }

    def handle(self, request_id, params):
        body = params.get("body")
        if "bodyBase64" in params:
            body = base64.b64decode(params["bodyBase64"])
        try:
            status, answer = self.service.handle(params.get("method"), params.get("path"), body,
                                                 params.get("bearer"), params.get("idempotencyKey"))
        except Exception as problem:  # a fault of the service: what a server would answer
            print(repr(problem), file=sys.stderr, flush=True)
            status, answer = 500, {"code": "INTERNAL", "productionApproved": False}
        self.send(request_id, result={"status": status, "body": answer})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--variant")
    Adapter(parser.parse_args().variant).run()
