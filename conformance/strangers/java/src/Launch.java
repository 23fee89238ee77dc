import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The five public fields of a launch request, and the rules for them. */
record Launch(String creator, String mint, String name, String symbol, String uri) {
    static final List<String> FIELDS = List.of("creator", "mint", "name", "symbol", "uri");

    static Launch from(Map<String, Object> fields) {
        return new Launch((String) fields.get("creator"), (String) fields.get("mint"), (String) fields.get("name"),
            (String) fields.get("symbol"), (String) fields.get("uri"));
    }

    void check(String sessionCreator, Facts facts, Variant variant) throws Refusal {
        boolean bound = variant.is("creator-binding-folded")
            ? creator.equalsIgnoreCase(sessionCreator) && Codec.publicKey(creator, variant) != null
            : creator.equals(sessionCreator);
        if (!bound) throw new Refusal(400, "CREATOR_BINDING_OR_FIELDS");

        String clash = variant.is("mint-clash-canonical") ? "CANONICAL_BUILD_REJECTED" : "INVALID_FIELDS";
        if (Codec.publicKey(mint, variant) == null) throw new Refusal(400, "INVALID_FIELDS");
        boolean sameAsCreator = variant.is("mint-creator-folded") ? mint.equalsIgnoreCase(creator) : mint.equals(creator);
        if (sameAsCreator || mint.equals(Facts.OPERATOR)) throw new Refusal(400, clash);

        if (!fits(name, 32, variant) || !fits(symbol, 10, variant)) throw new Refusal(400, "INVALID_FIELDS");
        if (!fits(uri, 200, Variant.RIGHT)) throw new Refusal(400, "METADATA_URL");
        checkUri(facts, variant);
    }

    private static boolean fits(String text, int limit, Variant variant) {
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (c >= 0xD800 && c <= 0xDFFF) return false; // no UTF-8 for half a pair
            int wide = variant.is("name-emoji-three-bytes") ? 3 : 4;
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : wide;
            i += Character.charCount(c);
        }
        return bytes >= 1 && bytes <= limit;
    }

    private void checkUri(Facts facts, Variant variant) throws Refusal {
        if (!uri.startsWith("https://")) throw new Refusal(400, "METADATA_URL");
        String rest = uri.substring("https://".length());
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        if (variant.is("uri-default-port") && authority.endsWith(":443")) {
            authority = authority.substring(0, authority.length() - ":443".length());
        }
        boolean extras = authority.contains("@") || authority.contains(":") || uri.contains("#");
        if (variant.is("uri-at-in-path")) extras |= uri.contains("@");
        if (extras) throw new Refusal(400, "METADATA_URL");
        if (slash < 0 || !facts.hosts.contains(authority)) throw new Refusal(400, "METADATA_HOST");
    }

    /** What is compared when an idempotency key comes again. */
    Object fingerprint(Variant variant) {
        if (variant.is("fingerprint-joined")) return creator + mint + name + symbol + uri;
        if (variant.is("fingerprint-hashcode")) return Objects.hash(creator, mint, name, symbol, uri);
        return this;
    }
}
