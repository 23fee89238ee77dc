import fc from "fast-check";
import { launchBounds } from "../../request-fields.ts";
import { plain } from "./plain-text.ts";

/** A part that is mostly legal: the legal forms first, to which a failing case shrinks. */
function mostly(legal: readonly string[], illegal: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...legal) },
    { weight: 1, arbitrary: fc.constantFrom(...illegal) },
  );
}

const scheme = mostly(
  ["https://"],
  ["http://", "HTTPS://", "https:/", "https:", "ftp://", "//", "", " https://", "https:\\\\", "javascript:"],
);
const credentials = mostly([""], ["@", "user@", "user:password@", ":@"]);
const port = mostly([""], [":", ":443", ":80", ":x"]);
const between = mostly(["/"], ["", "\\", "?", "#", "//", ".", "%2f"]);
const segment = fc.constantFrom(
  "m.json",
  "a",
  "metadata",
  "x-1",
  "~a_b",
  "A",
  "%41",
  "..",
  ".",
  "é",
  " ",
  "@",
  ":",
  "%",
  "\\",
  "\t",
  "[",
  "",
);
const tail = mostly([""], ["?v=1", "#part", "#", "?#a", " ", "?a=@:"]);

/** Addresses in which legal and illegal parts are mixed, some of them around the most bytes that one may have. */
export function uriText(hosts: readonly [string, string]): fc.Arbitrary<string> {
  const [a, b] = hosts;
  const most = launchBounds("uri").utf8Bytes;
  const foreign = [
    `${a}.evil.example`,
    `evil-${a}`,
    `x.${b}`,
    `${a}.`,
    a.toUpperCase(),
    "evil.example",
    "",
    `${a}\t`,
    a.replace(".", "%2e"),
    "localhost",
  ];
  const host = mostly([a, b], foreign);
  const path = fc.array(segment, { maxLength: 4 }).map((segments) => segments.join("/"));
  const parts = fc.tuple(
    scheme,
    credentials,
    host,
    port,
    between,
    path,
    tail,
    fc.constantFrom(0, 0, 0, most - 1, most, most + 1),
  );
  // Wrong in one thing, and as long as it may be: what is looked at closely in short addresses only.
  const longest = fc.tuple(
    fc.constant("https://"),
    fc.constant(""),
    fc.constantFrom(...foreign),
    fc.constant(""),
    fc.constant("/"),
    fc.constantFrom("m.json", "metadata/a"),
    fc.constant(""),
    fc.constantFrom(0, most, most),
  );
  return plain(
    fc
      .oneof({ weight: 3, arbitrary: parts }, { weight: 1, arbitrary: longest })
      .map(([first, user, name, number, slash, rest, last, bytes]) => {
        const text = first + user + name + number + slash + rest;
        return text + "x".repeat(Math.max(0, bytes - Buffer.byteLength(text + last))) + last;
      }),
  );
}
