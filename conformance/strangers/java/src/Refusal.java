/** An answer with an error body. */
final class Refusal extends Exception {
    final int status;
    final String code;

    Refusal(int status, String code) {
        super(code, null, false, false);
        this.status = status;
        this.code = code;
    }
}
