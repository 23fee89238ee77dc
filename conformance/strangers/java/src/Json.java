import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A strict RFC 8259 reader and a compact writer. */
final class Json {
    static final int MAX_DEPTH = 100;

    static final class Malformed extends Exception {
        Malformed(String message) { super(message, null, false, false); }
    }

    /** A number as it was written; the service has no use for its value. */
    record Num(String raw) {
        long toLong() { return new java.math.BigDecimal(raw).longValueExact(); }
    }

    /** An object that remembers the first and the last value of a repeated name. */
    static final class Obj {
        final Map<String, Object> first = new LinkedHashMap<>();
        final Map<String, Object> last = new LinkedHashMap<>();
        boolean repeated;

        Object get(String name) { return last.get(name); }

        String text(String name) { return last.get(name) instanceof String s ? s : null; }
    }

    private final String text;
    private final Variant variant;
    private int at;

    private Json(String text, Variant variant) {
        this.text = text;
        this.variant = variant;
    }

    static Object read(String text, Variant variant) throws Malformed {
        Json reader = new Json(text, variant);
        Object value = reader.value(0);
        reader.space();
        if (reader.at != text.length()) throw new Malformed("text after the value");
        return value;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private char next() throws Malformed {
        if (at >= text.length()) throw new Malformed("unexpected end");
        return text.charAt(at++);
    }

    private Object value(int depth) throws Malformed {
        if (depth > MAX_DEPTH) throw new Malformed("nested too deeply");
        space();
        char c = next();
        switch (c) {
            case '{': return object(depth);
            case '[': return array(depth);
            case '"': return string();
            case 't': return word("true", Boolean.TRUE);
            case 'f': return word("false", Boolean.FALSE);
            case 'n': return word("null", null);
            default:
                at--;
                return number();
        }
    }

    private Object word(String word, Object value) throws Malformed {
        if (!text.startsWith(word, at - 1)) throw new Malformed("unknown word");
        at += word.length() - 1;
        return value;
    }

    private Obj object(int depth) throws Malformed {
        Obj object = new Obj();
        space();
        if (at < text.length() && text.charAt(at) == '}') {
            at++;
            return object;
        }
        while (true) {
            space();
            if (next() != '"') throw new Malformed("a name was expected");
            String name = string();
            space();
            if (next() != ':') throw new Malformed("a colon was expected");
            Object value = value(depth + 1);
            if (object.first.containsKey(name)) object.repeated = true;
            else object.first.put(name, value);
            object.last.put(name, value);
            space();
            char c = next();
            if (c == '}') return object;
            if (c != ',') throw new Malformed("a comma was expected");
        }
    }

    private List<Object> array(int depth) throws Malformed {
        List<Object> list = new ArrayList<>();
        space();
        if (at < text.length() && text.charAt(at) == ']') {
            at++;
            return list;
        }
        while (true) {
            list.add(value(depth + 1));
            space();
            char c = next();
            if (c == ']') return list;
            if (c != ',') throw new Malformed("a comma was expected");
        }
    }

    private String string() throws Malformed {
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') return out.toString();
            if (c < 0x20) throw new Malformed("control character in a string");
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = next();
            int plain = "\"\\/bfnrt".indexOf(c);
            if (plain >= 0) out.append("\"\\/\b\f\n\r\t".charAt(plain));
            else if (c == 'u') out.append(unicodeEscape());
            else throw new Malformed("unknown escape");
        }
    }

    private char unicodeEscape() throws Malformed {
        if (at + 4 > text.length()) throw new Malformed("short escape");
        String digits = text.substring(at, at + 4);
        at += 4;
        if (!variant.is("json-signed-hex")) {
            for (char d : digits.toCharArray()) {
                if (d > 0x7f || Character.digit(d, 16) < 0) throw new Malformed("bad escape");
            }
        }
        try {
            return (char) Integer.parseInt(digits, 16);
        } catch (NumberFormatException e) {
            throw new Malformed("bad escape");
        }
    }

    private Num number() throws Malformed {
        int start = at;
        if (peek('-')) at++;
        if (peek('0')) at++;
        else digits();
        if (peek('.')) {
            at++;
            digits();
        }
        if (peek('e') || peek('E')) {
            at++;
            if (peek('+') || peek('-')) at++;
            digits();
        }
        return new Num(text.substring(start, at));
    }

    private boolean peek(char c) { return at < text.length() && text.charAt(at) == c; }

    private void digits() throws Malformed {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
        if (at == start) throw new Malformed("a digit was expected");
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value) {
        if (value instanceof String s) {
            quote(out, s);
        } else if (value instanceof Map<?, ?> map) {
            String comma = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(comma);
                quote(out, (String) entry.getKey());
                out.append(':');
                write(out, entry.getValue());
                comma = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            out.append('[');
            String comma = "";
            for (Object item : list) {
                out.append(comma);
                write(out, item);
                comma = ",";
            }
            out.append(']');
        } else if (value instanceof Num n) {
            out.append(n.raw());
        } else {
            out.append(value);
        }
    }

    private static void quote(StringBuilder out, String s) {
        out.append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < 0x20 || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        out.append('"');
    }

    /** An ordered map from alternating names and values. */
    static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) map.put((String) pairs[i], pairs[i + 1]);
        return map;
    }
}
