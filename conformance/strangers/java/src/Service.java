import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** The launch-draft service: one instance is one life, with all of its state in memory. */
final class Service {
    record Request(String method, String path, byte[] body, String bearer, String key) {}

    record Answer(int status, Map<String, Object> body) {}

    private record Challenge(String id, String creator, byte[] creatorKey, String message, long issued) {}

    private static final class Session {
        final String hash;
        final String creator;
        long expires;

        Session(String hash, String creator, long expires) {
            this.hash = hash;
            this.creator = creator;
            this.expires = expires;
        }
    }

    private record DraftKey(String owner, String key) {}

    private static final class Kept {
        Object fingerprint;
        final Map<String, Object> draft;
        long since;

        Kept(Object fingerprint, Map<String, Object> draft, long since) {
            this.fingerprint = fingerprint;
            this.draft = draft;
            this.since = since;
        }
    }

    private static final long CHALLENGE_LIFE = 60_000;
    private static final long SESSION_LIFE = 3_600_000;
    private static final long DRAFT_LIFE = 30_000;
    private static final int BODY_LIMIT = 16 * 1024;
    private static final Pattern CHALLENGE_ID = Pattern.compile("[a-f0-9]{48}");
    private static final Pattern TERMS_HASH = Pattern.compile("[a-f0-9]{64}");
    private static final Pattern IDEMPOTENCY_KEY = Pattern.compile("^[A-Za-z0-9_-]{8,64}$");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{86}==");
    private static final String BASE32 = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] PROCESS_SECRET = RANDOM.generateSeed(32);
    private static final Map<DraftKey, Kept> PROCESS_DRAFTS = new HashMap<>();

    private final Variant variant;
    private final Facts facts;
    private final LongSupplier clock;
    private final Limiter limiter;
    private final LinkedHashMap<String, Challenge> challenges = new LinkedHashMap<>();
    private final LinkedHashMap<String, Session> sessions = new LinkedHashMap<>();
    private final Map<DraftKey, Kept> drafts;
    private final Set<String> provenBefore = ConcurrentHashMap.newKeySet();
    private long draftsMade;

    Service(Variant variant, Facts facts, LongSupplier clock) {
        this.variant = variant;
        this.facts = facts;
        this.clock = clock;
        this.limiter = new Limiter(variant);
        this.drafts = variant.is("records-survive-restart") ? PROCESS_DRAFTS : new HashMap<>();
    }

    Answer handle(Request request) {
        try {
            String path = request.path();
            if (variant.is("route-prefix") && path.startsWith("/v1/launch/build")) path = "/v1/launch/build";
            return new Answer(200, switch (request.method() + " " + path) {
                case "GET /v1/platform" -> facts.profile();
                case "POST /v1/auth/challenge" -> challenge(request);
                case "POST /v1/auth/verify" -> verify(request);
                case "POST /v1/launch/build" -> build(request);
                default -> throw new Refusal(404, "NO_EXECUTION_ENDPOINT");
            });
        } catch (Refusal refusal) {
            Map<String, Object> body = Json.map("code", refusal.code, "productionApproved", false);
            if (variant.is("capacity-error-bare") && refusal.code.equals("OFFLINE_CAPACITY")) body.remove("productionApproved");
            return new Answer(refusal.status, body);
        }
    }

    // ---- reading a body

    private Json.Obj object(Request request) throws Refusal {
        try {
            if (request.body() == null) throw new Refusal(400, "INVALID_JSON_BODY");
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(request.body()));
            Object value = Json.read(text.toString(), variant);
            if (!(value instanceof Json.Obj object)) throw new Refusal(400, "INVALID_FIELDS");
            boolean lenient = variant.is("duplicates-last-wins") || variant.is("json-duplicate-split");
            if (object.repeated && !lenient) throw new Refusal(400, "INVALID_JSON_BODY");
            return object;
        } catch (CharacterCodingException | Json.Malformed e) {
            throw new Refusal(400, "INVALID_JSON_BODY");
        }
    }

    private void checkSize(Request request) throws Refusal {
        if (request.body() == null) return;
        int size = variant.is("size-counts-characters")
            ? new String(request.body(), StandardCharsets.UTF_8).length()
            : request.body().length;
        if (size > BODY_LIMIT) throw new Refusal(413, "BODY_TOO_LARGE");
    }

    private void checkStrings(Map<String, Object> members, List<String> names, String code) throws Refusal {
        if (variant.is("json-null-extra")) members.values().removeIf(value -> value == null);
        if (members.size() != names.size()) throw new Refusal(400, code);
        for (String name : names) {
            if (!(members.get(name) instanceof String)) throw new Refusal(400, code);
        }
    }

    // ---- POST /v1/auth/challenge

    private Map<String, Object> challenge(Request request) throws Refusal {
        boolean oneCode = variant.is("challenge-codes-one");
        checkSize(request);
        Json.Obj body = object(request);
        checkStrings(body.last, List.of("creator", "termsHash"), oneCode ? "INVALID_DEMO_TERMS_OR_FIELDS" : "INVALID_FIELDS");
        String creator = body.text("creator");
        byte[] creatorKey = Codec.publicKey(creator, variant);
        if (creatorKey == null) throw new Refusal(400, oneCode ? "INVALID_DEMO_TERMS_OR_FIELDS" : "INVALID_CREATOR");
        String terms = body.text("termsHash");
        if (!TERMS_HASH.matcher(terms).matches() || !terms.equals(Facts.TERMS_HASH)) {
            throw new Refusal(400, "INVALID_DEMO_TERMS_OR_FIELDS");
        }

        byte[] nonce = new byte[24];
        RANDOM.nextBytes(nonce);
        long now = clock.getAsLong();
        String id = variant.is("id-from-clock")
            ? Codec.hex(Codec.sha256(creatorKey, Codec.utf8("/" + now))).substring(0, 48)
            : Codec.hex(Codec.sha256(Codec.utf8("challenge id"), nonce)).substring(0, 48);
        String message = message(creator, Codec.hex(nonce), variant.is("message-issue-time") ? now : now + CHALLENGE_LIFE);

        synchronized (this) {
            if (variant.is("one-challenge-per-creator")) challenges.values().removeIf(old -> old.creator().equals(creator));
            if (atBound(challenges.size(), facts.challenges)) sweep(now);
            if (atBound(challenges.size(), facts.challenges)) throw new Refusal(429, "OFFLINE_CAPACITY");
            challenges.put(id, new Challenge(id, creator, creatorKey, message, now));
        }
        return Json.map("id", id, "message", message, "expiresAt", Times.wire(now + CHALLENGE_LIFE, variant),
            "productionApproved", false);
    }

    private String message(String creator, String nonce, long expires) {
        Object until = variant.is("message-other-time-form") ? expires / 1000 : Times.wire(expires, variant);
        if (variant.is("message-json")) {
            return Json.write(Json.map("aud", "offline-demo", "sub", creator, "terms", Facts.TERMS_HASH, "exp", until,
                "nonce", nonce));
        }
        String text = "Until " + until + " the holder of " + creator + "\n"
            + "may open a session at <offline-demo>\n"
            + "under demo terms " + Facts.TERMS_HASH + " (no agreement)";
        return variant.is("message-no-nonce") ? text : text + "\nOnce only: " + nonce;
    }

    // ---- POST /v1/auth/verify

    private Map<String, Object> verify(Request request) throws Refusal {
        checkSize(request);
        Json.Obj body = object(request);
        checkStrings(body.last, List.of("id", "signatureBase64"), "INVALID_FIELDS");
        String id = body.text("id");
        String signatureText = body.text("signatureBase64");
        if (!CHALLENGE_ID.matcher(id).matches() || !BASE64.matcher(signatureText).matches()) {
            throw new Refusal(400, "INVALID_FIELDS");
        }
        byte[] signature = Base64.getDecoder().decode(signatureText);

        long now = clock.getAsLong();
        Challenge challenge;
        synchronized (this) {
            challenge = variant.is("race-double-session") ? challenges.get(id) : challenges.remove(id);
        }
        if (challenge == null || now - challenge.issued() > CHALLENGE_LIFE) {
            throw new Refusal(401, "EXPIRED_OR_USED_CHALLENGE");
        }
        boolean proven = proven(challenge, signature, signatureText);
        if (variant.is("race-double-session")) {
            writeAuditLine();
            synchronized (this) {
                challenges.remove(id);
            }
        }
        if (!proven) throw new Refusal(401, "INVALID_PROOF");

        long issued = variant.is("session-from-challenge") ? challenge.issued() : now;
        long expires = issued + SESSION_LIFE;
        if (variant.is("expires-int32-seconds")) expires = (int) (expires / 1000) * 1000L + expires % 1000;
        String bearer = newBearer(challenge, expires);
        synchronized (this) {
            if (variant.is("one-session-per-creator")) {
                sessions.values().removeIf(old -> old.creator.equals(challenge.creator()));
            }
            if (atBound(sessions.size(), facts.sessions)) sweep(now);
            if (atBound(sessions.size(), facts.sessions)) {
                if (!variant.is("sessions-evicted")) throw new Refusal(429, "OFFLINE_CAPACITY");
                sessions.remove(sessions.keySet().iterator().next());
            }
            Session session = new Session(hash(bearer), challenge.creator(), expires);
            sessions.put(session.hash, session);
        }
        return Json.map("bearer", bearer, "expiresAt", Times.wire(expires, variant), "scope", "offline:launch-draft",
            "productionApproved", false);
    }

    /** Stands for a write to a slow log, made before the challenge is given up. */
    private static void writeAuditLine() { LockSupport.parkNanos(4_000_000); }

    private boolean proven(Challenge challenge, byte[] signature, String signatureText) {
        String proof = challenge.creator() + " " + signatureText;
        if (variant.is("proof-cache") && provenBefore.contains(proof)) return true;
        try {
            boolean proven = Codec.verify(challenge.creatorKey(), facts.bytesToSign(challenge.message()), signature);
            if (proven && variant.is("proof-cache")) provenBefore.add(proof);
            return proven;
        } catch (GeneralSecurityException e) {
            if (variant.is("exception-keeps-challenge")) {
                synchronized (this) {
                    challenges.put(challenge.id(), challenge);
                }
            }
            return false;
        }
    }

    private String newBearer(Challenge challenge, long expires) {
        if (variant.is("bearer-survives-restart")) {
            String claims = challenge.creator() + "." + expires;
            return claims + "." + Codec.hex(Codec.sha256(PROCESS_SECRET, Codec.utf8(claims), PROCESS_SECRET));
        }
        byte[] random = new byte[variant.is("bearer-three-parts") ? 96 : 40];
        RANDOM.nextBytes(random);
        if (variant.is("bearer-three-parts")) {
            Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
            String header = encoder.encodeToString(Codec.utf8("{\"typ\":\"opaque\",\"v\":3}"));
            String subject = encoder.encodeToString(Codec.utf8("{\"sub\":\"" + challenge.creator() + "\"}"));
            return header + "." + subject + "." + encoder.encodeToString(random);
        }
        StringBuilder text = new StringBuilder("ldp1");
        for (int i = 0; i < random.length; i++) {
            if (i % 10 == 0) text.append('~');
            text.append(BASE32.charAt(random[i] & 31));
        }
        return text.toString();
    }

    private static String hash(String bearer) { return Codec.hex(Codec.sha256(Codec.utf8(bearer))); }

    // ---- POST /v1/launch/build

    private Map<String, Object> build(Request request) throws Refusal {
        checkSize(request);
        if (variant.is("order-body-before-bearer")) object(request);
        Session session = session(request.bearer());
        checkKey(request.key());
        Json.Obj body = object(request);
        checkStrings(body.first, Launch.FIELDS, "CREATOR_BINDING_OR_FIELDS");
        checkStrings(body.last, Launch.FIELDS, "CREATOR_BINDING_OR_FIELDS");
        Launch launch = Launch.from(body.last);
        Launch checked = variant.is("json-duplicate-split") ? Launch.from(body.first) : launch;
        try {
            checked.check(session.creator, facts, variant);
        } catch (Refusal refusal) {
            boolean field = refusal.code.equals("INVALID_FIELDS");
            throw field && variant.is("build-codes-one") ? new Refusal(400, "CREATOR_BINDING_OR_FIELDS") : refusal;
        }
        if (Codec.publicKey(launch.creator(), variant) == null || Codec.publicKey(launch.mint(), variant) == null) {
            throw new Refusal(400, "CANONICAL_BUILD_REJECTED");
        }

        if (variant.is("race-limit")) return buildInSteps(session, request.key(), launch);
        synchronized (this) {
            Map<String, Object> again = replay(session, request.key(), launch);
            if (again != null) return again;
            checkLimits(session.creator);
            return store(session, request.key(), launch);
        }
    }

    /** The limit is read and written under the lock, but the draft is made between the two. */
    private Map<String, Object> buildInSteps(Session session, String key, Launch launch) throws Refusal {
        synchronized (this) {
            Map<String, Object> again = replay(session, key, launch);
            if (again != null) return again;
            checkLimits(session.creator);
        }
        Draft.make(launch, 0, variant);
        Thread.yield();
        synchronized (this) {
            Map<String, Object> again = replay(session, key, launch);
            return again != null ? again : store(session, key, launch);
        }
    }

    private Session session(String bearer) throws Refusal {
        long now = clock.getAsLong();
        Session session = bearer == null ? null : find(bearer);
        if (session == null || now >= session.expires) throw new Refusal(401, "UNAUTHORIZED");
        if (variant.is("session-slides")) session.expires = now + SESSION_LIFE;
        return session;
    }

    private synchronized Session find(String bearer) {
        if (variant.is("bearer-survives-restart")) {
            int dot = bearer.lastIndexOf('.');
            String claims = dot < 0 ? "" : bearer.substring(0, dot);
            String seal = Codec.hex(Codec.sha256(PROCESS_SECRET, Codec.utf8(claims), PROCESS_SECRET));
            if (!bearer.equals(claims + "." + seal)) return null;
            String[] parts = claims.split("\\.");
            return new Session(hash(bearer), parts[0], Long.parseLong(parts[1]));
        }
        return sessions.get(hash(bearer));
    }

    private void checkKey(String key) throws Refusal {
        if (key == null) throw new Refusal(400, "IDEMPOTENCY_REQUIRED");
        var matcher = IDEMPOTENCY_KEY.matcher(key);
        boolean wellFormed = variant.is("key-trailing-newline") ? matcher.find() : matcher.matches();
        if (!wellFormed) {
            throw new Refusal(400, variant.is("bad-key-invalid-fields") ? "INVALID_FIELDS" : "IDEMPOTENCY_REQUIRED");
        }
    }

    private DraftKey draftKey(Session session, String key) {
        return new DraftKey(variant.is("idempotency-per-session") ? session.hash : session.creator, key);
    }

    /** The draft kept for this creator and key, or null where there is none. */
    private Map<String, Object> replay(Session session, String key, Launch launch) throws Refusal {
        long now = clock.getAsLong();
        if (variant.is("replay-limited") && limiter.full(session.creator, now)) throw new Refusal(429, "OFFLINE_RATE_LIMIT");
        if (variant.is("replay-refused-when-full") && atBound(drafts.size(), facts.drafts)) {
            throw new Refusal(429, "OFFLINE_CAPACITY");
        }
        DraftKey draftKey = draftKey(session, key);
        Kept kept = drafts.get(draftKey);
        if (kept == null) return null;
        Object fingerprint = launch.fingerprint(variant);
        if (!kept.fingerprint.equals(fingerprint)) {
            if (variant.is("conflict-overwrites")) kept.fingerprint = fingerprint;
            throw new Refusal(409, "IDEMPOTENCY_CONFLICT");
        }
        if (now - kept.since > DRAFT_LIFE) {
            if (variant.is("rebuild-answered-once")) drafts.remove(draftKey);
            throw new Refusal(409, "REBUILD_WITH_NEW_KEY");
        }
        if (variant.is("replay-extends-window")) kept.since = now;
        return kept.draft;
    }

    private void checkLimits(String creator) throws Refusal {
        if (limiter.full(creator, clock.getAsLong())) throw new Refusal(429, "OFFLINE_RATE_LIMIT");
        if (atBound(drafts.size(), facts.drafts)) {
            sweep(clock.getAsLong());
            if (atBound(drafts.size(), facts.drafts)) throw new Refusal(429, "OFFLINE_CAPACITY");
        }
    }

    private Map<String, Object> store(Session session, String key, Launch launch) {
        long now = clock.getAsLong();
        draftsMade++;
        long expiresAt = switch (variant.name()) {
            case "draft-expiry-constant" -> 30;
            case "draft-expiry-counter" -> 30 * draftsMade;
            default -> Math.floorDiv(now + DRAFT_LIFE, 1000L);
        };
        Map<String, Object> draft = Draft.make(launch, expiresAt, variant);
        drafts.put(draftKey(session, key), new Kept(launch.fingerprint(variant), draft, now));
        limiter.count(session.creator, now);
        return draft;
    }

    // ---- bounds

    private boolean atBound(int held, int bound) {
        int entries = facts.shared ? challenges.size() + sessions.size() + drafts.size() : held;
        return entries >= bound;
    }

    /** Drops what has expired; kept drafts stay, so that an old key never builds twice. */
    private void sweep(long now) {
        challenges.values().removeIf(challenge -> now - challenge.issued() > CHALLENGE_LIFE);
        sessions.values().removeIf(session -> now >= session.expires);
    }
}
