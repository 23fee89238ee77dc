import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;

/** JSON-RPC 2.0 over standard input and output, one message a line. */
public final class Adapter {
    private static final int WORKERS = 8;
    /** The end of the year 9999 but for a day: what lives for an hour still ends at a moment that has a name. */
    private static final long LAST_MS = 253_402_214_400_000L;

    private final Variant variant;
    private final Facts facts;
    private final boolean concurrent;
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    private final Phaser inFlight = new Phaser(1);
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    private volatile long now;
    private volatile Service service;

    private Adapter(Variant variant) {
        this.variant = variant;
        this.facts = new Facts(variant);
        this.concurrent = !variant.is("no-concurrency");
    }

    public static void main(String[] args) throws IOException {
        String name = args.length == 2 && args[0].equals("--variant") ? args[1] : "right";
        if (args.length != 0 && args.length != 2 || !Variant.known(name)) {
            System.err.println("usage: run.sh [--variant NAME], with a name from variants.yaml");
            System.exit(2);
        }
        new Adapter(new Variant(name)).run();
    }

    private void run() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isBlank()) continue;
            if (!dispatch(line)) break;
        }
        waitForAll();
        workers.shutdown();
    }

    /** False after shutdown. */
    private boolean dispatch(String line) {
        Object id = null;
        try {
            if (!(Json.read(line, Variant.RIGHT) instanceof Json.Obj message)) throw new IllegalArgumentException("no object");
            id = message.get("id");
            Json.Obj params = message.get("params") instanceof Json.Obj given ? given : new Json.Obj();
            String method = message.text("method");
            if ("handle".equals(method) && concurrent) {
                Object answerId = id;
                inFlight.register();
                workers.execute(() -> {
                    try {
                        answer(answerId, params);
                    } finally {
                        inFlight.arriveAndDeregister();
                    }
                });
                return true;
            }
            waitForAll();
            if ("handle".equals(method)) answer(id, params);
            else result(id, control(method == null ? "" : method, params));
            return !"shutdown".equals(method);
        } catch (Json.Malformed e) {
            fault(null, -32700, e.getMessage());
        } catch (RuntimeException e) {
            e.printStackTrace();
            fault(id, -32602, String.valueOf(e.getMessage()));
        }
        return true;
    }

    private void waitForAll() { inFlight.arriveAndAwaitAdvance(); }

    private Map<String, Object> control(String method, Json.Obj params) {
        switch (method) {
            case "initialize":
                return Json.map(
                    "protocol", 1,
                    "implementation", Json.map("name", "launch-draft-java:" + variant.name(), "version", "1.0.0", "language", "java"),
                    "capabilities", Json.map("clock", "virtual", "restart", true, "rawBody", true, "concurrency", concurrent),
                    "facts", facts.told());
            case "start":
                now = ((Json.Num) params.get("nowMs")).toLong();
                service = new Service(variant, facts, () -> now);
                return Json.map();
            case "advance":
                long ms = ((Json.Num) params.get("ms")).toLong();
                if (ms > LAST_MS - now) throw new IllegalArgumentException("the clock ends with the year 9999");
                now += ms;
                return Json.map("nowMs", now);
            case "bytesToSign":
                return Json.map("base64", Base64.getEncoder().encodeToString(facts.bytesToSign(params.text("message"))));
            case "shutdown":
                return Json.map();
            default:
                throw new IllegalArgumentException("unknown method " + method);
        }
    }

    private void answer(Object id, Json.Obj params) {
        try {
            byte[] body = null;
            if (params.text("body") != null) body = Codec.utf8(params.text("body"));
            else if (params.text("bodyBase64") != null) body = Base64.getDecoder().decode(params.text("bodyBase64"));
            Service.Answer answer = service.handle(new Service.Request(
                params.text("method"), params.text("path"), body, params.text("bearer"), params.text("idempotencyKey")));
            result(id, Json.map("status", answer.status(), "body", answer.body()));
        } catch (RuntimeException e) {
            e.printStackTrace();
            fault(id, -32603, e.toString());
        }
    }

    private void result(Object id, Map<String, Object> result) {
        line(Json.map("jsonrpc", "2.0", "id", id, "result", result));
    }

    private void fault(Object id, int code, String message) {
        line(Json.map("jsonrpc", "2.0", "id", id, "error", Json.map("code", code, "message", message)));
    }

    private void line(Map<String, Object> message) {
        byte[] bytes = Codec.utf8(Json.write(message) + "\n");
        synchronized (out) {
            out.write(bytes, 0, bytes.length);
            out.flush();
        }
    }
}
