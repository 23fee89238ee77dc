import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Five new builds a minute for each creator. */
final class Limiter {
    private static final int BUILDS = 5;
    private static final long MINUTE = 60_000;

    private final Variant variant;
    private final Map<Object, ArrayDeque<Long>> built = new HashMap<>();

    Limiter(Variant variant) { this.variant = variant; }

    boolean full(String creator, long now) {
        ArrayDeque<Long> times = built.get(subject(creator));
        if (times == null) return false;
        if (variant.is("limit-clock-minute")) {
            times.removeIf(time -> Math.floorDiv(time, MINUTE) != Math.floorDiv(now, MINUTE));
        } else if (variant.is("limit-first-build-window")) {
            if (!times.isEmpty() && now - times.peekFirst() >= MINUTE) times.clear();
        } else {
            times.removeIf(time -> now - time >= MINUTE);
        }
        return times.size() >= BUILDS;
    }

    void count(String creator, long now) {
        built.computeIfAbsent(subject(creator), key -> new ArrayDeque<>()).addLast(now);
    }

    private Object subject(String creator) {
        return variant.is("limit-buckets") ? (Object) (creator.hashCode() & 31) : creator;
    }
}
