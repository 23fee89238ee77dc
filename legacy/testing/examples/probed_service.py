"""A service that answers what is asked of it to see whether an adapter's statements hold (see PROBES)."""

import base64
import threading


class Service:
    def __init__(self, now_ms):
        self._now_ms = now_ms
        self._calls = 0
        self._both = threading.Barrier(2)

    def handle(self, method, path, body, bearer, idempotency_key):
        return {"status": 200, "body": getattr(self, "_" + path[1:])(body)}

    def _together(self, body):
        self._both.wait(timeout=10)
        return {}

    def _body(self, body):
        try:
            return {"text": body.decode()}
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(body).decode()}

    def _clock(self, body):
        return {"nowMs": self._now_ms()}

    def _count(self, body):
        self._calls += 1
        return {"count": self._calls}
