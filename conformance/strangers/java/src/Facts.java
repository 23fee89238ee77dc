import java.util.List;
import java.util.Map;

/** The fixed configuration of the service, and what the adapter tells about it. */
final class Facts {
    static final String PLATFORM = key("platform");
    static final String FEE_WALLET = key("fee wallet");
    static final String WITHDRAW_AUTHORITY = key("withdraw authority");
    static final String OPERATOR = key("operator");
    static final String TERMS_HASH = Codec.hex(Codec.sha256(Codec.utf8("demo terms, not a launch agreement")));

    final List<String> hosts;
    final int challenges;
    final int sessions;
    final int drafts;
    final boolean shared;
    private final boolean declared;
    private final Variant variant;

    Facts(Variant variant) {
        this.variant = variant;
        hosts = variant.is("hosts-one-inside-other")
            ? List.of("meta.example", "cdn.meta.example")
            : List.of("token-metadata.offline.example", "mirror-2.gateway.example");
        int[] bounds = switch (variant.name()) {
            case "capacity-tiny" -> new int[] {3, 2, 7};
            case "capacity-undeclared" -> new int[] {45, 30, 60};
            case "capacity-shared" -> new int[] {96, 96, 96};
            case "capacity-error-bare" -> new int[] {25, 1200, 2500};
            case "sessions-evicted" -> new int[] {1500, 17, 2500};
            case "replay-refused-when-full" -> new int[] {1500, 1200, 33};
            default -> new int[] {1500, 1200, 2500};
        };
        challenges = bounds[0];
        sessions = bounds[1];
        drafts = bounds[2];
        shared = variant.is("capacity-shared");
        declared = !shared && !variant.is("capacity-undeclared");
    }

    private static String key(String label) {
        return Codec.base58(Codec.sha256(Codec.utf8("offline fixture key: " + label)));
    }

    private String signedBytes() {
        if (variant.is("signed-utf8")) return "utf8";
        return variant.is("signed-adapter") ? "adapter" : "sha256";
    }

    byte[] bytesToSign(String message) {
        byte[] text = Codec.utf8(message);
        return switch (signedBytes()) {
            case "utf8" -> text;
            case "adapter" -> Codec.utf8("\u0019offline-demo proof, " + text.length + " bytes:\n" + message);
            default -> Codec.sha256(text);
        };
    }

    Map<String, Object> told() {
        Map<String, Object> facts = Json.map("metadataHosts", hosts, "operatorKey", OPERATOR, "signedBytes", signedBytes());
        if (declared) facts.put("capacity", Json.map("challenges", challenges, "sessions", sessions, "drafts", drafts));
        return facts;
    }

    Map<String, Object> profile() {
        Map<String, Object> profile = Json.map(
            "mode", "OFFLINE_PROTOTYPE",
            "platform", PLATFORM,
            "feeWallet", FEE_WALLET,
            "withdrawAuthority", WITHDRAW_AUTHORITY,
            "termsStatus", "DEMO_NOT_A_LAUNCH_AGREEMENT",
            "creatorBpsImplemented", 5000,
            "productionApproved", false,
            "publicServer", false,
            "termsHash", TERMS_HASH,
            "proofOfControl", "Ed25519 over the SHA-256 of the challenge message, made by the client");
        if (variant.is("profile-extended")) {
            profile.put("proofOfControl", Json.map(
                "algorithm", "Ed25519", "where", "client", "steps", List.of("challenge", "sign", "verify")));
            profile.put("contractVersion", "partner-preview-1");
            profile.put("limits", Json.map("newBuildsPerMinute", 5, "bodyBytes", 16384));
        }
        return profile;
    }
}
