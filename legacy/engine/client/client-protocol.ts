/** Version of the protocol by which clients are given tasks. */
export const CLIENT_PROTOCOL = 1;

/** How messages become the bytes that a client signs (client protocol, "facts"). */
export const SIGNED_BYTES = ["utf8", "hex", "base64", "sha256"] as const;
