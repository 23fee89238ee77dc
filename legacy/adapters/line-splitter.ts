const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a stream of bytes into lines that end in LF or CRLF, and holds no more than one line of `limit` bytes.
 *
 * @param onLine gets each line without its end; empty lines are left out
 * @param onTooLong called as soon as a line passes `limit`; the caller stops the stream
 * @returns takes the next chunk of the stream
 */
export function lineSplitter(
  limit: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;

  return (chunk) => {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LF, from);
      const part = chunk.subarray(from, end === -1 ? chunk.length : end);
      if (heldBytes + part.length > limit) {
        held = [];
        heldBytes = 0;
        onTooLong();
        return;
      }
      if (end === -1) {
        if (part.length > 0) held.push(part);
        heldBytes += part.length;
        return;
      }
      const line = heldBytes === 0 ? part : Buffer.concat([...held, part]);
      held = [];
      heldBytes = 0;
      from = end + 1;
      const text = line.at(-1) === CR ? line.subarray(0, -1) : line;
      if (text.length > 0) onLine(text);
    }
  };
}
