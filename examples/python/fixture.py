"""The fixed platform ("Platform profile"): a client cannot choose any of it.

The public keys are SHA-256 digests of labels, in base58. Their private keys are unknown.
"""

MODE = "OFFLINE_PROTOTYPE"
PLATFORM = "CkRdBHL5KWiUd1ZhFofoA3E2F2BB3RyrchHf3HskuDQj"
FEE_WALLET = "FL4xWAgZ834YfweYHdeKpxBdkmwsmV5Ui59Fe4HBqy1B"
WITHDRAW_AUTHORITY = "DR6tcsn3xCLjWRZpp9wzMR89fTJS8qQfYNH6i8eFKfFG"
OPERATOR_KEY = "G4iB8MQ31MHsNfk2x9pRp3vGyMfAqrJgghGB4xb24Wzq"
LAUNCH_PROGRAM = "BevQBF8NDqVL4mW8oiLmBgbiEoGrxy2GRnksnKsFMUpy"
RESERVED_KEYS = {PLATFORM, FEE_WALLET, WITHDRAW_AUTHORITY, OPERATOR_KEY, LAUNCH_PROGRAM}
METADATA_HOSTS = ("metadata-one.example", "metadata-two.example")
TERMS_HASH = "7faa988b7274aedc17aab1cc46a713e16c758f25eca844d5a2834bcb4f653409"
AUDIENCE = "offline-demo"

PROFILE = {
    "mode": MODE,
    "platform": PLATFORM,
    "feeWallet": FEE_WALLET,
    "withdrawAuthority": WITHDRAW_AUTHORITY,
    "termsStatus": "DEMO_NOT_A_LAUNCH_AGREEMENT",
    "creatorBpsImplemented": 5000,
    "productionApproved": False,
    "publicServer": False,
    "termsHash": TERMS_HASH,
    # Our choices: the contract does not name the field that describes signing, and does not show all fields.
    "proof": {"algorithm": "Ed25519", "signs": "the challenge message as UTF-8", "encoding": "base64"},
    "contract": "partner-preview-1",
}
