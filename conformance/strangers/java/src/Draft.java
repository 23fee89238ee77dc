import java.io.ByteArrayOutputStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The canonical unsigned launch draft. */
final class Draft {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long NETWORK_FEE = 10_000;
    private static final long RESERVE = 1_000_000;

    private Draft() {}

    static Map<String, Object> make(Launch launch, long expiresAt, Variant variant) {
        byte[] message = message(launch, variant);
        ByteArrayOutputStream transaction = new ByteArrayOutputStream();
        transaction.write(2);
        transaction.writeBytes(new byte[2 * 64]);
        transaction.writeBytes(message);

        List<String> signers = new ArrayList<>(List.of(launch.creator(), launch.mint()));
        if (variant.is("signers-sorted")) Collections.sort(signers);

        return Json.map(
            "mode", "OFFLINE_PROTOTYPE",
            "fixtureOnly", true,
            "productionApproved", false,
            "sendable", false,
            "placeholderBlockhash", true,
            "expiresAt", expiresAt,
            "platform", Facts.PLATFORM,
            "feeWallet", Facts.FEE_WALLET,
            "withdrawAuthority", Facts.WITHDRAW_AUTHORITY,
            "requiredSigners", signers,
            "messageHash", Codec.hex(Codec.sha256(message)),
            "unsignedTransactionBase64", Base64.getEncoder().encodeToString(transaction.toByteArray()),
            "cost", cost(),
            "metadataPublicationVerified", false,
            "currentBalanceVerified", false,
            "nextGate", "read-only-preflight-with-current-blockhash");
    }

    private static Map<String, Object> cost() {
        List<Object> accounts = new ArrayList<>();
        long total = NETWORK_FEE;
        Object[][] sizes = {{"quoteVault", 165}, {"baseVault", 165}, {"mint", 82}, {"pool", 424}};
        for (Object[] size : sizes) {
            int bytes = (int) size[1];
            long rent = (bytes + 128L) * 6960;
            total += rent;
            accounts.add(Json.map("kind", size[0], "bytes", bytes, "historicalRentLamports", rent));
        }
        return Json.map(
            "basis", "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE",
            "accounts", accounts,
            "networkFeeLamports", NETWORK_FEE,
            "minimumLamports", total,
            "reserveLamports", RESERVE,
            "recommendedLamports", total + RESERVE);
    }

    private static byte[] message(Launch launch, Variant variant) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {2, 0, 3});
        String[] keys = {launch.creator(), launch.mint(), Facts.FEE_WALLET, Facts.WITHDRAW_AUTHORITY, Facts.PLATFORM};
        out.write(keys.length);
        for (String key : keys) out.writeBytes(Codec.publicKey(key, variant));
        byte[] blockhash = new byte[32];
        if (variant.is("draft-random-nonce")) RANDOM.nextBytes(blockhash);
        out.writeBytes(blockhash);
        out.writeBytes(new byte[] {1, 4, 4, 0, 1, 2, 3});
        for (String part : new String[] {launch.name(), launch.symbol(), launch.uri()}) {
            byte[] bytes = Codec.utf8(part);
            out.write(bytes.length);
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }
}
