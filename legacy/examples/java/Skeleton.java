// Skeleton of an adapter for the conformance kit: JSON-RPC 2.0, one message a line, Java 17 or later and nothing else.
// Java has no JSON of its own: part 4 reads what the kit sends, and your service writes its bodies as it always does.
// Fill in parts 1 and 2.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

// ---- 1. YOUR SERVICE: replace what stands here.

/** A service with empty state. It reads no other clock than the one it is given. */
final class Service {
    private final LongSupplier nowMs; // Milliseconds since the Unix epoch.
    private final ReentrantLock lock = new ReentrantLock(); // Hold it where requests share something: several are answered at once.

    Service(LongSupplier nowMs) {
        this.nowMs = nowMs;
    }

    /** Gives the status, and the text of the body, which is JSON. */
    Envelope handle(Request request) throws Exception {
        if (request.method().equals("GET") && request.path().equals("/v1/platform")) {
            return new Envelope(200, "{\"mode\": \"OFFLINE_PROTOTYPE\", \"productionApproved\": false}");
        }
        return new Envelope(404, "{\"code\": \"NO_EXECUTION_ENDPOINT\", \"productionApproved\": false}");
    }
}

// ---- 2. WHAT THE KIT CANNOT SEE: replace what is not so.
// "capabilities": what is left out by one, the kit accepts by name: --allow-untried capability:concurrency. "instances" is
// how many services may live side by side, which is how the kit hides the time that requests take.
// "facts": your two metadata hosts; "operatorKey", "signedBytes" and "capacity" may be added. Clients sign the message of a
// challenge as UTF-8 unless "signedBytes" says "hex", "base64", "sha256", or "adapter": then answer the method
// "bytesToSign", whose params are {"message"}, with {"base64"} of those bytes.

final class About {
    static final String TEXT = """
        {
            "protocol": 1,
            "implementation": {"name": "my-service", "version": "0.0.0", "language": "Java"},
            "capabilities": {"clock": "virtual", "restart": true, "rawBody": true, "concurrency": true, "instances": 16},
            "facts": {"metadataHosts": ["metadata-one.example", "metadata-two.example"]}
        }
        """;
}

// ---- 3. THE PROTOCOL: stays as it is.

/** What a client sent: the body as its exact bytes. What was not sent is null. */
record Request(String method, String path, byte[] body, String bearer, String idempotencyKey) {}

/** The answer: an HTTP status, and the JSON text of the body. */
record Envelope(int status, String body) {}

/** The program. */
public final class Skeleton {
    private static final int PARSE_ERROR = -32700;
    private static final int NO_METHOD = -32601;
    private static final int INVALID_PARAMS = -32602;
    private static final int INTERNAL_ERROR = -32603;

    private static final PrintStream OUT = System.out;
    private static final Map<String, Instance> INSTANCES = new HashMap<>(); // By the names that start gave.

    /** A message that is answered with an error. */
    private static final class RpcError extends RuntimeException {
        final int code;

        RpcError(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    /** A service on a clock of its own. */
    private static final class Instance {
        final AtomicLong clockMs;
        final Service service;
        final List<Future<?>> underWay = new ArrayList<>(); // Requests that are not answered yet.

        Instance(long startMs) {
            clockMs = new AtomicLong(startMs);
            service = new Service(clockMs::get);
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.setOut(System.err); // A stray println belongs in the log, not among the answers.
        ExecutorService pool = Executors.newCachedThreadPool();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        // BufferedReader ends lines at CR, too, which JSON text has only between its values, and the kit nowhere.
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Map<?, ?> message;
            Map<?, ?> params;
            String method;
            try {
                message = (Map<?, ?>) Json.read(line);
                method = (String) message.get("method");
                if (method == null) throw new IllegalArgumentException("method");
                params = message.get("params") == null ? Map.of() : (Map<?, ?>) message.get("params");
            } catch (RuntimeException error) {
                write(null, errorMember(PARSE_ERROR, "the line is no request in JSON"));
                continue;
            }
            Object id = message.get("id");
            Instance instance = INSTANCES.get(params.get("service"));
            if (method.equals("handle") && instance != null) { // Requests are answered as they are done.
                instance.underWay.removeIf(Future::isDone);
                instance.underWay.add(pool.submit(() -> reply(id, method, params)));
                continue;
            }
            if (instance != null) { // Every other message to a service waits for them.
                for (Future<?> earlier : instance.underWay) earlier.get();
            }
            reply(id, method, params);
            if (method.equals("shutdown")) break;
        }
        System.exit(0);
    }

    private static void reply(Object id, String method, Map<?, ?> params) {
        String outcome;
        try {
            outcome = "\"result\":" + answer(method, params);
        } catch (RpcError error) {
            outcome = errorMember(error.code, error.getMessage());
        } catch (Throwable error) {
            error.printStackTrace();
            outcome = errorMember(INTERNAL_ERROR, "the service failed: " + error);
        }
        write(id, outcome);
    }

    private static String answer(String method, Map<?, ?> params) throws Exception {
        switch (method) {
            case "initialize":
                return About.TEXT;
            case "start": { // A new service, or one in the place of the one that is named.
                if (params.get("service") != null) instanceOf(params);
                Object given = params.get("service");
                String name = given == null ? "service-" + (INSTANCES.size() + 1) : (String) given;
                INSTANCES.put(name, new Instance(moment(0, params.get("nowMs"))));
                return "{\"service\":" + Json.quoted(name) + "}";
            }
            case "handle": {
                Envelope envelope = instanceOf(params).service.handle(requestOf(params));
                return "{\"status\":" + envelope.status() + ",\"body\":" + envelope.body() + "}";
            }
            case "advance": {
                Instance instance = instanceOf(params);
                instance.clockMs.set(moment(instance.clockMs.get(), params.get("ms")));
                return "{\"nowMs\":" + instance.clockMs.get() + "}";
            }
            case "shutdown":
                return "{}";
            default:
                throw new RpcError(NO_METHOD, "no method \"" + method + "\"");
        }
    }

    private static Request requestOf(Map<?, ?> params) {
        String text = (String) params.get("body");
        String encoded = (String) params.get("bodyBase64");
        byte[] body = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        if (encoded != null) body = Base64.getDecoder().decode(encoded);
        return new Request(
            (String) params.get("method"),
            (String) params.get("path"),
            body,
            (String) params.get("bearer"),
            (String) params.get("idempotencyKey"));
    }

    private static Instance instanceOf(Map<?, ?> params) {
        Instance found = INSTANCES.get(params.get("service"));
        if (found != null) return found;
        throw new RpcError(INVALID_PARAMS, "no service \"" + params.get("service") + "\": start gives the name of one");
    }

    private static long moment(long from, Object ms) {
        long last = 253_402_214_400_000L;
        if (ms instanceof Long more && more >= 0 && more <= last - from) return from + more;
        throw new RpcError(INVALID_PARAMS, "times are in milliseconds, and end with the year 9999");
    }

    private static String errorMember(int code, String message) {
        return "\"error\":{\"code\":" + code + ",\"message\":" + Json.quoted(message) + "}";
    }

    private static void write(Object id, String outcome) {
        String shownId = id instanceof String text ? Json.quoted(text) : String.valueOf(id);
        String message = "{\"jsonrpc\":\"2.0\",\"id\":" + shownId + "," + outcome + "}";
        // JSON has line breaks between values only, where a space does as well.
        byte[] line = (message.replace('\n', ' ').replace('\r', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (OUT) {
            OUT.write(line, 0, line.length);
            OUT.flush();
        }
    }
}

// ---- 4. JSON: stays as it is, or gives way to the library that you have.

/** Reads JSON: objects are maps, arrays lists, numbers without a fraction Long and others Double. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Throws IllegalArgumentException or IndexOutOfBoundsException where the text is no JSON. */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at < text.length()) throw json.unexpected();
        return value;
    }

    /** A text as JSON writes it. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    private Object value() {
        space();
        switch (text.charAt(at)) {
            case '{': {
                Map<String, Object> object = new HashMap<>();
                for (at++, space(); !took('}'); space()) {
                    if (!object.isEmpty()) take(',');
                    space();
                    String name = string();
                    space();
                    take(':');
                    object.put(name, value());
                }
                return object;
            }
            case '[': {
                List<Object> array = new ArrayList<>();
                for (at++, space(); !took(']'); space()) {
                    if (!array.isEmpty()) take(',');
                    array.add(value());
                }
                return array;
            }
            case '"':
                return string();
            default:
                return word();
        }
    }

    private Object word() {
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(from, at);
        switch (word) {
            case "null":
                return null;
            case "true":
            case "false":
                return Boolean.valueOf(word);
            default:
                return word.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        }
    }

    private String string() {
        take('"');
        StringBuilder out = new StringBuilder();
        while (!took('"')) {
            char c = text.charAt(at++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = text.charAt(at++);
            switch (escaped) {
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case 'u' -> {
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> out.append(escaped);
            }
        }
        return out.toString();
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean took(char wanted) {
        if (text.charAt(at) != wanted) return false;
        at++;
        return true;
    }

    private void take(char wanted) {
        if (!took(wanted)) throw unexpected();
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("unexpected character " + at + " of JSON");
    }
}
