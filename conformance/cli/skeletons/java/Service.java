import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A service to start with. Requests may be in flight together, each in a thread. */
public class Service {
    static final String ABOUT = """
        {"protocol": 1,
         "implementation": {"name": "my-service", "version": "0.0.0", "language": "Java"},
         "capabilities": {"clock": "virtual", "restart": true, "rawBody": true, "concurrency": true},
         "facts": {"metadataHosts": ["metadata-one.example", "metadata-two.example"]}}""";

    /** Returns the time in ms since the Unix epoch. Use no other clock: tests move this one. */
    private final LongSupplier nowMs;

    /** Creates a service with empty state. */
    Service(LongSupplier nowMs) {
        this.nowMs = nowMs;
    }

    /** A request. The body and the credentials are null if they are absent. */
    record Call(String method, String path, byte[] body, String bearer, String idempotencyKey) {}

    /** A response. The body is a JSON text: use the JSON library of your choice. */
    record Response(int status, String body) {}

    Response handle(Call call) {
        if (call.method().equals("GET") && call.path().equals("/v1/platform"))
            return new Response(200, "{\"mode\": \"OFFLINE_PROTOTYPE\", \"productionApproved\": false}");
        return new Response(404, "{\"code\": \"NO_EXECUTION_ENDPOINT\", \"productionApproved\": false}");
    }

    public static void main(String[] args) throws Exception {
        new Adapter().run();
    }
}

/** The adapter protocol: JSON-RPC messages, one on each line. There is nothing to change below. */
class Adapter {
    private final PrintStream answers = System.out;
    private AtomicLong clock = new AtomicLong();
    private volatile Service service;

    void run() throws Exception {
        System.setOut(System.err); // Text that the service prints is a log.
        ExecutorService pool = Executors.newCachedThreadPool();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        // Holds back the requests of a chunk until all of them have a thread. The kit sends concurrent requests
        // at once, so they are usually in one chunk.
        CountDownLatch gate = new CountDownLatch(1);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Map<?, ?> message = (Map<?, ?>) new Json(line).read();
            if (message.get("method").equals("handle")) {
                CountDownLatch own = gate;
                pool.submit(() -> {
                    own.await();
                    answer(message);
                    return null;
                });
            } else answer(message);
            if (message.get("method").equals("shutdown")) break;
            if (!lines.ready()) {
                gate.countDown();
                gate = new CountDownLatch(1);
            }
        }
        System.exit(0);
    }

    private void answer(Map<?, ?> message) {
        String outcome;
        try {
            Map<?, ?> params = (Map<?, ?>) message.get("params");
            outcome = "\"result\": " + perform((String) message.get("method"), params).replaceAll("\\R *", "");
        } catch (Throwable error) {
            // The stack up to this class, innermost frame first.
            String frames = Stream.of(error.getStackTrace())
                .takeWhile(frame -> !frame.getClassName().equals("Adapter"))
                .map(frame -> Json.quote(frame.toString()))
                .collect(Collectors.joining(", "));
            outcome = "\"error\": {\"code\": -32603, \"message\": " + Json.quote(error.toString())
                + ", \"data\": {\"frames\": [" + frames + "]}}";
        }
        byte[] line = ("{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id") + ", " + outcome + "}\n").getBytes(UTF_8);
        synchronized (answers) {
            answers.write(line, 0, line.length);
            answers.flush();
        }
    }

    private String perform(String method, Map<?, ?> params) {
        switch (method) {
            case "initialize":
                return Service.ABOUT;
            case "start":
                AtomicLong own = new AtomicLong((Long) params.get("nowMs"));
                clock = own;
                service = new Service(own::get);
                return "{}";
            case "advance":
                return "{\"nowMs\": " + clock.addAndGet((Long) params.get("ms")) + "}";
            case "handle":
                String text = (String) params.get("body");
                String base64 = (String) params.get("bodyBase64");
                byte[] body = base64 != null ? Base64.getDecoder().decode(base64) : text == null ? null : text.getBytes(UTF_8);
                Service.Response response = service.handle(new Service.Call(
                    (String) params.get("method"), (String) params.get("path"), body,
                    (String) params.get("bearer"), (String) params.get("idempotencyKey")));
                return "{\"status\": " + response.status() + ", \"body\": " + response.body() + "}";
            case "shutdown":
                return "{}";
            default:
                throw new IllegalArgumentException("unknown method " + method);
        }
    }
}

/** Reads the JSON of the kit: integers only. Java has no JSON in its standard library. */
class Json {
    private final String text;
    private int at = 0;

    Json(String text) {
        this.text = text;
    }

    Object read() {
        char first = next();
        if (first == '{') {
            Map<String, Object> object = new LinkedHashMap<>();
            for (char end = peek() == '}' ? next() : ','; end != '}'; end = next()) {
                next();
                String name = string();
                next();
                object.put(name, read());
            }
            return object;
        }
        if (first == '[') {
            List<Object> list = new ArrayList<>();
            for (char end = peek() == ']' ? next() : ','; end != ']'; end = next()) list.add(read());
            return list;
        }
        if (first == '"') return string();
        int start = at - 1;
        while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(start, at);
        return word.equals("null") ? null : word.matches("true|false") ? (Object) word.equals("true") : Long.valueOf(word);
    }

    private char peek() {
        while (text.charAt(at) == ' ') at++;
        return text.charAt(at);
    }

    private char next() {
        char found = peek();
        at++;
        return found;
    }

    /** Reads a string after its first quotation mark. */
    private String string() {
        StringBuilder result = new StringBuilder();
        for (char one = text.charAt(at++); one != '"'; one = text.charAt(at++)) {
            if (one == '\\') {
                char escape = text.charAt(at++);
                int index = "bfnrt".indexOf(escape);
                if (escape == 'u') result.append((char) Integer.parseInt(text.substring(at, at += 4), 16));
                else result.append(index < 0 ? escape : "\b\f\n\r\t".charAt(index));
            } else result.append(one);
        }
        return result.toString();
    }

    static String quote(String text) {
        StringBuilder result = new StringBuilder("\"");
        for (char one : text.toCharArray())
            result.append(one < ' ' || one == '"' || one == '\\' ? String.format("\\u%04x", (int) one) : one);
        return result.append('"').toString();
    }
}
