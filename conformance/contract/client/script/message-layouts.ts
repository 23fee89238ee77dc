/** What a challenge message holds (contract, "Challenge"); how it is laid out is not shown. */
export interface MessageParts {
  readonly creator: string;
  readonly audience: string;
  readonly termsHash: string;
  readonly expiry: string;
}

/** Lays a challenge message out. */
export type MessageLayout = (parts: MessageParts) => string;

/** The parts with their names, one a line. */
function lines({ creator, audience, termsHash, expiry }: MessageParts): readonly string[] {
  return [`Creator: ${creator}`, `Audience: ${audience}`, `Terms: ${termsHash}`, `Expires: ${expiry}`];
}

/** The parts alone. */
function values({ creator, audience, termsHash, expiry }: MessageParts): readonly string[] {
  return [creator, audience, termsHash, expiry];
}

/** Lays the lines out between a first and a last text. */
function between(first: string, last: string, end = "\n"): MessageLayout {
  return (parts) => [first, ...lines(parts), last].join(end);
}

/** A sentence of four words that nobody reads, as often as makes 20 KB. */
const LONG = "Read this with care. ".repeat(1000);

/** Layouts of a challenge message, every one of which a service may have: text that JSON and UTF-8 can carry. */
export const MESSAGE_LAYOUTS = {
  lines: (parts) => lines(parts).join("\n"),
  "ends-with-line-feed": (parts) => `${lines(parts).join("\n")}\n`,
  "ends-with-blank-lines": (parts) => `${lines(parts).join("\n")}\n\n\n`,
  "begins-with-line-feed": (parts) => `\n${lines(parts).join("\n")}`,
  "carriage-returns-and-line-feeds": (parts) => `${lines(parts).join("\r\n")}\r\n`,
  "carriage-returns": (parts) => `${lines(parts).join("\r")}\r`,
  "mixed-line-ends": between("One\r\nTwo\rThree\nFour\u2028Five\u2029Six\u0085Seven\vEight\f", ""),
  "one-line": (parts) => values(parts).join(" "),
  "one-character-between": (parts) => `|${values(parts).join("|")}|`,
  "leading-blanks": (parts) => `   ${lines(parts).join("\n")}`,
  "trailing-blanks": (parts) => lines(parts).join("   \n").concat("   "),
  "doubled-blanks": (parts) => lines(parts).join("  \n  ").replaceAll(": ", ":    "),
  tabs: (parts) => `\t${lines(parts).join("\t\n\t")}\t`,
  "byte-order-mark": (parts) => `\ufeff${lines(parts).join("\n")}`,
  "no-break-spaces": (parts) => `\u00a0${lines(parts).join("\u00a0\u2003\n")}\u3000`,
  "zero-width": between("prove\u200b con\u200dtrol\u2060 of\u00ad this\ufe0f key\u200c", "\u200b"),
  "combining-marks": between("Cafe\u0301 A\u030angstro\u0308m n\u0303 \u1100\u1161\u11a8", "o\u0302\u0323"),
  "composed-marks": between("Café Ångström \u212b \u2126 \uac01", "ﬁ ½ ①"),
  emoji: between("🚀👩‍👩‍👧‍👦🏳️‍🌈 launch 🇨🇭", "🪙"),
  "beyond-the-first-plane": between("𝔭𝔯𝔬𝔳𝔢 𐍈 𠜎 \u{10fffd}", "\u{1f9ff}"),
  "right-to-left": between("אישור בעלות על המפתח \u202eكلمة\u202c", "\u200f!"),
  "many-scripts": between("Докажите владение ключом · 证明您控制此密钥 · 鍵の所有を証明", "ประทับ · İıßſ"),
  quotes: between('"Prove" \'control\' of \\this\\ key: \\n is no "line feed" \\u0041 `$(id)`', '\\"\\'),
  "curly-quotes": between("“Prove” ‘control’ of „this‟ key… – it’s yours", "«end»"),
  html: between("<p>Prove &amp; control &#x41; <b>this</b> key</p><!-- -->", "<script>0</script>&nbsp;"),
  "percent-encoded": between("Prove%20control%0A of+this%2Bkey %00 %zz", "100%"),
  json: (parts) => JSON.stringify(parts),
  "pretty-json": (parts) => `${JSON.stringify(parts, undefined, 2)}\n`,
  xml: (parts) =>
    `<?xml version="1.0"?>\n<proof>\n${values(parts)
      .map((value) => `  <p>${value}</p>`)
      .join("\n")}\n</proof>\n`,
  null: between("Prove\u0000control", "\u0000"),
  "control-characters": between("\u0001\u0007\b\u000b\u000c\u001b[31mred\u001b[0m\u007f\u009f", "\u001a"),
  "no-characters": between("\ufffe \uffff \ufdd0 \ufffd", "\u{1ffff}"),
  "looks-like-base64": (parts) => `UHJvdmU=${values(parts).join("==")}==`,
  "looks-like-hex": (parts) => `0x${values(parts).join("0x")}`,
  "everything-twice": (parts) => [...lines(parts), "", ...values(parts)].join("\n"),
  "sign-in-with-solana": ({ creator, audience, termsHash, expiry }) =>
    `${audience} wants you to sign in with your Solana account:\n${creator}\n\nProve control.\n\n` +
    `URI: https://${audience}\nVersion: 1\nNonce: ${termsHash}\nExpiration Time: ${expiry}`,
  "twenty-kilobytes": between(LONG, LONG.slice(0, 400)),
  "twenty-kilobytes-of-emoji": between("🪙".repeat(5000), ""),
} as const satisfies Readonly<Record<string, MessageLayout>>;

export type MessageLayoutName = keyof typeof MESSAGE_LAYOUTS;
