/** What each request and each answer of a load is made of: by its number, so that both sides know it. */
import { createHash } from "node:crypto";

/** Header with the number of a request. */
export const NUMBER = "x-number";

const POOL = Buffer.concat(
  Array.from({ length: 2_048 }, (_, index) => createHash("sha256").update(`${index}`).digest()),
);
const SIZES = [0, 17, 900, 16_384, 0, 3_000, 16_384] as const;

/** A request: its body goes in pieces, with its length or in chunks. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly pieces: readonly Buffer[];
}

/** Headers of the connection differ on both sides; `host` is the service's. */
const OF_THE_WAY = new Set(["host", "connection", "transfer-encoding", "content-length"]);

export function requestOf(number: number): LoadRequest {
  const size = SIZES[number % SIZES.length] ?? 0;
  const framing = number % 2 === 0 ? ["Content-Length", `${size}`] : ["Transfer-Encoding", "chunked"];
  return {
    method: size === 0 ? "GET" : "POST",
    path: `/v1/load/${number}?a=%20&b=${number % 7}`,
    headers: [
      ...["X-Number", `${number}`],
      ...["Authorization", `Bearer bearer-${number % 50}`],
      ...["X-Spelled-Oddly", "\u00e4 , \u00df"],
      ...(size === 0 ? [] : framing),
    ],
    pieces: inPieces(number, size),
  };
}

/** What a request is answered with. */
export function answerOf(number: number): { readonly headers: readonly string[]; readonly pieces: Buffer[] } {
  const size = SIZES[(number + 3) % SIZES.length] ?? 0;
  const framing = number % 3 === 0 ? ["Transfer-Encoding", "chunked"] : ["Content-Length", `${size}`];
  return {
    headers: ["Content-Type", "application/octet-stream", "X-Answer", `${number}`, ...framing],
    pieces: inPieces(number + 1, size),
  };
}

/** Digest of all of a request that must come through as it is. */
export function digestOf(method: string, path: string, headers: readonly string[], body: Buffer): string {
  const hash = createHash("sha256").update(`${method} ${path}\n`);
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? "";
    if (!OF_THE_WAY.has(name.toLowerCase())) hash.update(`${name}: ${headers[at + 1]}\n`);
  }
  return hash.update(body).digest("hex");
}

function inPieces(number: number, size: number): Buffer[] {
  const from = (number * 7_919) % (POOL.length - size);
  const whole = POOL.subarray(from, from + size);
  const piece = size > 10_000 ? 4_096 : Math.max(1, size);
  return Array.from({ length: Math.ceil(size / piece) }, (_, index) =>
    whole.subarray(index * piece, (index + 1) * piece),
  );
}
