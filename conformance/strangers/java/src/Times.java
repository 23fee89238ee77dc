import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How points in time are written in answers. */
final class Times {
    private Times() {}

    static Object wire(long ms, Variant variant) {
        switch (variant.name()) {
            case "expires-epoch-seconds": return Math.floorDiv(ms, 1000L);
            case "expires-epoch-millis-text": return Long.toString(ms);
            case "expires-microseconds": return ms * 1000;
            case "expires-http-date": return format(ms, "EEE, dd MMM uuuu HH:mm:ss 'GMT'", ZoneOffset.UTC);
            case "expires-kolkata-offset":
                return format(ms, "uuuu-MM-dd'T'HH:mm:ss.SSSxxx", ZoneOffset.ofHoursMinutes(5, 30));
            case "expires-basic-iso": return format(ms, "uuuuMMdd'T'HHmmss.SSS'Z'", ZoneOffset.UTC);
            case "expires-ordinal-date": return format(ms, "uuuu-DDD'T'HH:mm:ss.SSS'Z'", ZoneOffset.UTC);
            case "expires-week-year": return format(ms, "YYYY-MM-dd'T'HH:mm:ss.SSSxxx", ZoneOffset.UTC);
            case "expires-millis-unpadded":
                return format(ms, "uuuu-MM-dd'T'HH:mm:ss", ZoneOffset.UTC) + "." + Math.floorMod(ms, 1000L) + "+00:00";
            default: return usual(ms);
        }
    }

    static String usual(long ms) { return format(ms, "uuuu-MM-dd'T'HH:mm:ss.SSSxxx", ZoneOffset.UTC); }

    private static String format(long ms, String pattern, ZoneOffset offset) {
        OffsetDateTime time = Instant.ofEpochMilli(ms).atOffset(offset);
        return DateTimeFormatter.ofPattern(pattern, Locale.US).format(time);
    }
}
