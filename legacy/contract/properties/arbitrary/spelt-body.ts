import fc from "fast-check";

/** White space of JSON (RFC 8259, section 2). */
const gap = fc.constantFrom("", "", "", " ", "\n", "\t", "\r\n ", "   ");

/** How one text of a body is spelt: by itself, with every nth character escaped, or with short escapes where there are. */
type Escape = 0 | 1 | 2 | 3;

/**
 * A JSON text of the members, in any order, with any white space and any escapes.
 * @param members texts by name; `${name}` in them stays as it is, for a vector to fill in
 */
export function speltBody(members: Readonly<Record<string, string>>): fc.Arbitrary<string> {
  const names = Object.keys(members);
  const order = fc.shuffledSubarray(names, { minLength: names.length, maxLength: names.length });
  const gaps = fc.array(gap, { minLength: 4 * names.length + 2, maxLength: 4 * names.length + 2 });
  const escapes = fc.array(fc.constantFrom<Escape[]>(0, 0, 1, 2, 3), {
    minLength: 2 * names.length,
    maxLength: 2 * names.length,
  });
  return fc.tuple(order, gaps, escapes).map(([ordered, white, escaped]) => {
    let at = 0;
    let spelt = 0;
    const space = () => white[at++] ?? "";
    const text = (value: string) => written(value, escaped[spelt++] ?? 0);
    const entries = ordered.map(
      (name) => `${space()}${text(name)}${space()}:${space()}${text(members[name] ?? "")}${space()}`,
    );
    return `${space()}{${entries.join(",")}}${space()}`;
  });
}

function written(text: string, manner: Escape): string {
  const plainly = JSON.stringify(text);
  // A template must stay readable for the vector that fills it in.
  if (manner === 0 || text.includes("$")) return plainly;
  if (manner === 3) return plainly.replaceAll("/", "\\/");
  const units = Array.from({ length: text.length }, (_, index) => text.slice(index, index + 1));
  const spelt = units.map((unit, index) =>
    index % manner === 0 ? escapeOf(unit) : JSON.stringify(unit).slice(1, -1),
  );
  return `"${spelt.join("")}"`;
}

/** The escape of one UTF-16 unit, its letters in upper case as often as not. */
function escapeOf(unit: string): string {
  const code = unit.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${unit.charCodeAt(0) % 2 === 0 ? code.toUpperCase() : code}`;
}
