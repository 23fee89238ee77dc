/** The longest answer that is read of an implementation: far more than any of the contract, far less than what would hurt. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** That, as faults say it. */
export const MAX_ANSWER_SHOWN = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;

/** UTF-8 takes no more bytes than this for a unit of a JavaScript text. */
const MOST_BYTES_OF_UNIT = 3;

/** Whether a text is too long for an answer, in UTF-8. */
export function isTooLong(text: string): boolean {
  if (text.length > MAX_ANSWER_BYTES) return true;
  return text.length > MAX_ANSWER_BYTES / MOST_BYTES_OF_UNIT && Buffer.byteLength(text) > MAX_ANSWER_BYTES;
}
