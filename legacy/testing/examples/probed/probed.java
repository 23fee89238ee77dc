/** Answers what is asked of it to see whether the adapter's statements hold (see PROBES). */
final class Service {
    private final LongSupplier nowMs;
    private final java.util.concurrent.CyclicBarrier both = new java.util.concurrent.CyclicBarrier(2);
    private int count = 0;

    Service(LongSupplier nowMs) {
        this.nowMs = nowMs;
    }

    Envelope handle(Request request) throws Exception {
        return new Envelope(200, answer(request));
    }

    private String answer(Request request) throws Exception {
        switch (request.path()) {
            case "/v1/platform":
                return """
                    PROFILE
                    """;
            case "/together":
                both.await();
                return "{}";
            case "/body":
                String text = new String(request.body(), StandardCharsets.UTF_8);
                if (java.util.Arrays.equals(text.getBytes(StandardCharsets.UTF_8), request.body())) {
                    return "{\"text\": " + Json.quoted(text) + "}";
                }
                return "{\"base64\": \"" + Base64.getEncoder().encodeToString(request.body()) + "\"}";
            case "/sent":
                return "{\"body\": " + (request.body() != null) + ", \"bearer\": " + quoted(request.bearer())
                    + ",\n \"idempotencyKey\": " + quoted(request.idempotencyKey()) + "}";
            case "/clock":
                return "{\"nowMs\": " + nowMs.getAsLong() + "}";
            case "/count":
                synchronized (this) {
                    return "{\"count\": " + ++count + "}";
                }
            default:
                System.out.println("a stray line");
                throw new IllegalStateException("the probe \"fails\"\n");
        }
    }

    private static String quoted(String text) {
        return text == null ? "null" : Json.quoted(text);
    }
}

