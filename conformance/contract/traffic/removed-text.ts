/** What tools that clean recordings write in place of a secret: it is the same for all, and says nothing. */
const WORDS = "redact|remov|mask|filter|sanitiz|scrub|omit|hidden|strip";
const REMOVED = new RegExp(
  [
    // [REDACTED], <bearer removed>, {{ hidden }}
    String.raw`^[[<({*-][^\]>)}]*(?:${WORDS})[^\]>)}]*[\]>)}*-]+$`,
    // REDACTED, __removed__
    String.raw`^\W*_*(?:redacted|removed|masked|filtered|sanitized|scrubbed|omitted|hidden|stripped)_*\W*$`,
    // ***, xxxxxxxx, •••, …
    String.raw`^(?:\*{2,}|[xX]{4,}|[•█.]{3,}|…)$`,
  ].join("|"),
  "i",
);
const VALUES = /"\s*:\s*"([^"\\]{2,80})"/g;

/** Whether a text stands in place of a secret that was taken out of a recording, and is none by itself. */
export function isRemoved(text: string | undefined): boolean {
  return text !== undefined && REMOVED.test(text);
}

/** Whether a member of a body was taken out. */
export function holdsRemoved(body: string | Uint8Array | undefined): boolean {
  if (typeof body !== "string") return false;
  for (const [, value] of body.matchAll(VALUES)) if (isRemoved(value)) return true;
  return false;
}
