"""The contract's error codes ("Errors")."""

STATUS_OF = {
    "INVALID_DEMO_TERMS_OR_FIELDS": 400,
    "INVALID_CREATOR": 400,
    "INVALID_FIELDS": 400,
    "CREATOR_BINDING_OR_FIELDS": 400,
    "IDEMPOTENCY_REQUIRED": 400,
    "METADATA_HOST": 400,
    "METADATA_URL": 400,
    "CANONICAL_BUILD_REJECTED": 400,
    "INVALID_JSON_BODY": 400,
    "UNAUTHORIZED": 401,
    "EXPIRED_OR_USED_CHALLENGE": 401,
    "INVALID_PROOF": 401,
    "NO_EXECUTION_ENDPOINT": 404,
    "IDEMPOTENCY_CONFLICT": 409,
    "REBUILD_WITH_NEW_KEY": 409,
    "BODY_TOO_LARGE": 413,
    "OFFLINE_CAPACITY": 429,
    "OFFLINE_RATE_LIMIT": 429,
}


class Refusal(Exception):
    """A refusal. `code` is a key of `STATUS_OF`, which gives the status."""

    def __init__(self, code: str):
        super().__init__(code)
        self.code = code
        self.status = STATUS_OF[code]
