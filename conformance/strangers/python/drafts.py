"""The fixed platform and the unsigned draft."""

import base64
import hashlib

import base58

PLATFORM = "Gea2faWwijXKrFGTQDm9raVLCk6U8xuXaVCzbATeUCht"
FEE_WALLET = "3ij8pEYQQvKjstGinojwBtLeNAr4Btr9L8YWeL4cuXKE"
WITHDRAW_AUTHORITY = "Z71QPev5aebSTcKAD5MenCL86mRELrd3kcLmR46yMVC"
OPERATOR = "CdgVjPBvMDac4yoC1E1C3LGZN41vc2syEAE7ybZfeQ9H"
PROGRAM = "EGddyMFQ4Fp5hMnCeWodvWQYjgLAAFnQQF1mLowcFJLf"
TERMS_HASH = "37f7ff9294dbda92609cbc56c1a0d40ae04ed3fadac320fd2137968bfda9343f"
RESERVE = 1_000_000
NETWORK_FEE = 10_000
PLACEHOLDER_BLOCKHASH = bytes(32)
SIGNED = {"signs-text": "the message in UTF-8", "signs-framed": "the framed message in UTF-8"}


def profile(variant=None):
    shown = {
        "mode": "OFFLINE_PROTOTYPE",
        "platform": PLATFORM,
        "feeWallet": FEE_WALLET,
        "withdrawAuthority": WITHDRAW_AUTHORITY,
        "termsStatus": "DEMO_NOT_A_LAUNCH_AGREEMENT",
        "creatorBpsImplemented": 5000,
        "productionApproved": False,
        "publicServer": False,
        "termsHash": TERMS_HASH,
        "howToSign": {"algorithm": "Ed25519", "over": SIGNED.get(variant, "SHA-256 of the message in UTF-8"), "where": "client only"},
    }
    if variant == "profile-more":
        del shown["howToSign"]
        shown["signing"] = ["ed25519", "detached", "client side"]
        shown["contract"] = {"version": "partner-preview-1", "approved": None}
        shown["curve"] = {"rule": "fixed", "steps": [0.25, 0.5, 1]}
    return shown


def _rent(size):
    return (size + 128) * 6960


class Builder:
    """Builds drafts; `slot` counts a synthetic clock, which is not one of any chain."""

    def __init__(self, variant=None):
        self.variant = variant
        self.totals = {}

    def build(self, request, creator, mint, elapsed_ms, now_ms):
        message = self._message(request, creator, mint)
        signers = [request["creator"], request["mint"]]
        if self.variant == "signers-sorted":
            signers.sort()
        fee_wallet, withdraw = FEE_WALLET, WITHDRAW_AUTHORITY
        if self.variant == "fee-swapped":
            fee_wallet, withdraw = withdraw, fee_wallet
        slot = 250_000_000 + elapsed_ms // 400 + 75
        return {
            "mode": "OFFLINE_PROTOTYPE",
            "fixtureOnly": True,
            "productionApproved": False,
            "sendable": False,
            "placeholderBlockhash": True,
            "expiresAt": (now_ms + 30_000) // 1000 if self.variant == "draft-expiry-epoch" else slot,
            "platform": PLATFORM,
            "feeWallet": fee_wallet,
            "withdrawAuthority": withdraw,
            "requiredSigners": signers,
            "messageHash": self._hash(message),
            "unsignedTransactionBase64": base64.b64encode(b"\x02" + bytes(128) + message).decode(),
            "cost": self._cost(request),
            "metadataPublicationVerified": False,
            "currentBalanceVerified": False,
            "nextGate": "simulate-without-signing" if self.variant == "profile-more" else "READ_ONLY_PREFLIGHT",
        }

    def _message(self, request, creator, mint):
        def derived(label):
            return hashlib.sha256(label + creator + mint).digest()

        accounts = [creator, mint, derived(b"pool"), derived(b"base"), derived(b"quote"),
                    base58.public_key(PLATFORM), base58.public_key(FEE_WALLET), base58.public_key(PROGRAM)]
        data = b"\x07"
        for field in ("name", "symbol", "uri"):
            text = request[field].encode()
            data += len(text).to_bytes(4, "little") + text
        length = bytes([len(data)]) if len(data) < 128 else bytes([len(data) & 127 | 128, len(data) >> 7])
        message = bytes([2, 0, 3, len(accounts)]) + b"".join(accounts) + PLACEHOLDER_BLOCKHASH
        message += bytes([1, 7, 7, *range(7)]) + length + data
        if self.variant == "transaction-v0":
            message = b"\x80" + message + b"\0"
        return message

    def _hash(self, message):
        if self.variant == "hash-unpadded":
            return format(int.from_bytes(hashlib.sha256(message).digest(), "big"), "x")
        return hashlib.blake2b(message, digest_size=32).hexdigest()

    def _cost(self, request):
        metadata = sum(len(request[f].encode()) for f in ("name", "symbol", "uri"))
        sizes = {"pool": 637, "mint": 234 + metadata, "baseVault": 175, "quoteVault": 165}
        if self.variant == "cost-other":
            sizes = {"quoteVault": 165, "baseVault": 165, "mint": 82, "pool": 424}
        accounts = [{"kind": k, "bytes": b, "historicalRentLamports": _rent(b)} for k, b in sizes.items()]
        minimum = sum(a["historicalRentLamports"] for a in accounts) + NETWORK_FEE
        recommended = minimum + RESERVE
        if self.variant == "cost-remembered":
            recommended = self.totals.setdefault(sizes["mint"] // 16, recommended)
        return {
            "basis": "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE",
            "accounts": accounts,
            "networkFeeLamports": NETWORK_FEE,
            "minimumLamports": minimum,
            "reserveLamports": RESERVE,
            "recommendedLamports": recommended,
        }
