"""The unsigned launch draft and its transaction ("Unsigned draft"): a fixture that cannot be sent."""

import base64
import hashlib

from fixture import FEE_WALLET, LAUNCH_PROGRAM, MODE, PLATFORM, WITHDRAW_AUTHORITY
from keys import decode_key

_ACCOUNT_BYTES = {"mint": 82, "baseVault": 165, "quoteVault": 165, "pool": 424}
_NETWORK_FEE_LAMPORTS = 10_000
_RESERVE_LAMPORTS = 1_000_000
# Our choice: 32 readable bytes.
_PLACEHOLDER_BLOCKHASH = b"PLACEHOLDER-NOT-A-REAL-BLOCKHASH"
_LAUNCH_INSTRUCTION = b"\x00"


def _historical_rent(size: int) -> int:
    """Returns the historical rent of an account of `size` bytes, in lamports. Not a current quote."""
    return (size + 128) * 6960


def _cost() -> dict:
    accounts = [
        {"kind": kind, "bytes": size, "historicalRentLamports": _historical_rent(size)}
        for kind, size in _ACCOUNT_BYTES.items()
    ]
    # Our choice: the minimum is the sum of the rents. The reserve pays the network fee.
    minimum = sum(account["historicalRentLamports"] for account in accounts)
    return {
        "basis": "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE",
        "accounts": accounts,
        "networkFeeLamports": _NETWORK_FEE_LAMPORTS,
        "minimumLamports": minimum,
        "reserveLamports": _RESERVE_LAMPORTS,
        "recommendedLamports": minimum + _RESERVE_LAMPORTS,
    }


def _compact_u16(number: int) -> bytes:
    """Encodes a length as Solana does: seven bits per byte, the lowest first."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def _text(value: str) -> bytes:
    data = value.encode()
    return len(data).to_bytes(4, "little") + data


def unsigned_transaction(launch: dict) -> bytes:
    """Returns a legacy Solana transaction: two zero signatures, and the message that creator and mint would sign."""
    accounts = [decode_key(key) for key in (launch["creator"], launch["mint"], LAUNCH_PROGRAM)]
    data = _LAUNCH_INSTRUCTION + _text(launch["name"]) + _text(launch["symbol"]) + _text(launch["uri"])
    header = bytes([2, 0, 1])  # Two signers, none of them read-only; one read-only account that does not sign.
    instruction = bytes([2]) + _compact_u16(2) + bytes([0, 1]) + _compact_u16(len(data)) + data
    message = (
        header + _compact_u16(3) + b"".join(accounts) + _PLACEHOLDER_BLOCKHASH + _compact_u16(1) + instruction
    )
    return _compact_u16(2) + bytes(2 * 64) + message


def build_draft(launch: dict, expires: int) -> dict:
    """Returns the draft of a valid launch request. It expires `expires` seconds after the Unix epoch."""
    transaction = unsigned_transaction(launch)
    return {
        "mode": MODE,
        "fixtureOnly": True,
        "productionApproved": False,
        "sendable": False,
        "placeholderBlockhash": True,
        "expiresAt": expires,
        "platform": PLATFORM,
        "feeWallet": FEE_WALLET,
        "withdrawAuthority": WITHDRAW_AUTHORITY,
        "requiredSigners": [launch["creator"], launch["mint"]],
        # Our choice: the hash of the whole transaction with its signatures.
        "messageHash": hashlib.sha256(transaction).hexdigest(),
        "unsignedTransactionBase64": base64.b64encode(transaction).decode(),
        "cost": _cost(),
        "metadataPublicationVerified": False,
        "currentBalanceVerified": False,
        "nextGate": "read-only preflight of rent, balance, blockhash and metadata",
        # Our choice: an extra field with the input of the draft.
        "launch": launch,
    }
