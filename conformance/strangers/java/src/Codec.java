import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Base58, hashes and Ed25519 verification. */
final class Codec {
    private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final BigInteger FIFTY_EIGHT = BigInteger.valueOf(58);
    private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private Codec() {}

    static String base58(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        BigInteger n = new BigInteger(1, bytes);
        while (n.signum() > 0) {
            BigInteger[] step = n.divideAndRemainder(FIFTY_EIGHT);
            out.append(BASE58.charAt(step[1].intValue()));
            n = step[0];
        }
        for (int i = 0; i < bytes.length && bytes[i] == 0; i++) out.append('1');
        return out.reverse().toString();
    }

    /** The 32 bytes of a public key, or null where the text is not one. */
    static byte[] publicKey(String text, Variant variant) {
        if (text.length() < 32 || text.length() > 44) return null;
        BigInteger n = BigInteger.ZERO;
        for (int i = 0; i < text.length(); i++) {
            int digit = BASE58.indexOf(text.charAt(i));
            if (digit < 0) return null;
            n = n.multiply(FIFTY_EIGHT).add(BigInteger.valueOf(digit));
        }
        byte[] magnitude = n.signum() == 0 ? new byte[0] : n.toByteArray();
        if (magnitude.length > 1 && magnitude[0] == 0) magnitude = Arrays.copyOfRange(magnitude, 1, magnitude.length);
        int zeros = 0;
        while (zeros < text.length() && text.charAt(zeros) == '1') zeros++;

        if (variant.is("base58-leading-one-lost")) zeros = 0;
        boolean fits = variant.is("base58-padded") ? magnitude.length <= 32 : zeros + magnitude.length == 32;
        if (!fits) return null;
        byte[] key = new byte[32];
        System.arraycopy(magnitude, 0, key, 32 - magnitude.length, magnitude.length);
        return key;
    }

    static byte[] sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) digest.update(part);
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String hex(byte[] bytes) { return HexFormat.of().formatHex(bytes); }

    static byte[] utf8(String text) { return text.getBytes(StandardCharsets.UTF_8); }

    /** Throws where the key or the signature cannot be decoded at all. */
    static boolean verify(byte[] key, byte[] message, byte[] signature) throws GeneralSecurityException {
        byte[] encoded = Arrays.copyOf(ED25519_PREFIX, ED25519_PREFIX.length + 32);
        System.arraycopy(key, 0, encoded, ED25519_PREFIX.length, 32);
        PublicKey publicKey = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(publicKey);
        verifier.update(message);
        return verifier.verify(signature);
    }
}
