import fc from "fast-check";

const LETTERS = [..."abcXYZ0189_-"];

/** Texts that are, or are nearly, an idempotency key: around 8 and 64 characters, now and then one that none may have. */
export const keyText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(1, 6, 7, 8, 9, 63, 64, 65, 66),
    fc.array(fc.constantFrom(...LETTERS), { minLength: 66, maxLength: 66 }),
    fc.option(fc.constantFrom(" ", ".", "+", "/", "=", "é", "~"), { freq: 3 }),
  )
  .map(([length, letters, odd]) => {
    const text = letters.slice(0, length).join("");
    return odd === null || length < 3 ? text : text[0] + odd + text.slice(2);
  });
