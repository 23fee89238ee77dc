import java.util.Set;

/** The name given by --variant; the right service has the name "right". */
record Variant(String name) {
    static final Variant RIGHT = new Variant("right");

    private static final Set<String> KNOWN = Set.of(
        "right",
        // broken
        "session-from-challenge", "session-slides", "bearer-survives-restart", "expires-week-year",
        "expires-millis-unpadded", "expires-int32-seconds", "message-issue-time", "id-from-clock",
        "one-challenge-per-creator", "one-session-per-creator", "exception-keeps-challenge", "proof-cache",
        "race-double-session", "race-limit", "json-signed-hex", "json-null-extra", "json-duplicate-split",
        "name-emoji-three-bytes", "uri-default-port", "uri-at-in-path", "creator-binding-folded",
        "mint-creator-folded", "base58-padded", "base58-leading-one-lost", "key-trailing-newline",
        "fingerprint-joined", "fingerprint-hashcode", "conflict-overwrites", "rebuild-answered-once",
        "replay-extends-window", "idempotency-per-session", "records-survive-restart", "replay-limited",
        "limit-buckets", "sessions-evicted", "replay-refused-when-full", "size-counts-characters",
        "route-prefix", "capacity-error-bare", "signers-sorted",
        // legal
        "expires-epoch-seconds", "expires-epoch-millis-text", "expires-http-date", "expires-kolkata-offset",
        "expires-basic-iso", "expires-ordinal-date", "expires-microseconds", "draft-expiry-constant",
        "draft-expiry-counter", "message-json", "message-no-nonce", "message-other-time-form", "signed-utf8",
        "signed-adapter", "bearer-three-parts", "limit-clock-minute", "limit-first-build-window",
        "build-codes-one", "challenge-codes-one", "mint-clash-canonical", "bad-key-invalid-fields",
        "order-body-before-bearer", "duplicates-last-wins", "capacity-tiny", "capacity-undeclared",
        "capacity-shared", "profile-extended", "hosts-one-inside-other", "draft-random-nonce",
        "no-concurrency");

    static boolean known(String name) { return KNOWN.contains(name); }

    boolean is(String other) { return name.equals(other); }
}
