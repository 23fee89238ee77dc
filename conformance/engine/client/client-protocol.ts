/** Version of the protocol by which clients are given tasks. */
export const CLIENT_PROTOCOL = 1;
