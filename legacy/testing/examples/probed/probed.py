class Service:
    """Answers what is asked of it to see whether the adapter's statements hold (see PROBES)."""

    def __init__(self, now_ms):
        self.now_ms = now_ms
        self.lock = threading.Lock()
        self.both = threading.Barrier(2)
        self.count = 0

    def handle(self, method, path, body, bearer, idempotency_key):
        return {"status": 200, "body": self.answer(path, body, bearer, idempotency_key)}

    def answer(self, path, body, bearer, idempotency_key):
        if path == "/v1/platform":
            return json.loads('''PROFILE''')
        if path == "/together":
            self.both.wait()
            return {}
        if path == "/body":
            try:
                return {"text": body.decode()}
            except UnicodeDecodeError:
                return {"base64": base64.b64encode(body).decode()}
        if path == "/sent":
            return {"body": body is not None, "bearer": bearer, "idempotencyKey": idempotency_key}
        if path == "/clock":
            return {"nowMs": self.now_ms()}
        if path == "/count":
            with self.lock:
                self.count += 1
                return {"count": self.count}
        print("a stray line")
        raise RuntimeError('the probe "fails"\n')


