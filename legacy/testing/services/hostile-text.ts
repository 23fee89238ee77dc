/** Writes into every text what would redraw a terminal, hide words or fill the screen. */
const HOSTILE = `\u001b[2J\u001b]0;owned\u0007\u202egnorw\u2028\r\n\u0000${"x".repeat(100_000)}`;
export const implementation = { name: HOSTILE.slice(0, 40), version: HOSTILE.slice(0, 20) };
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => ({
  handle: () => ({
    status: 400,
    body: { code: HOSTILE, [HOSTILE.slice(0, 30)]: HOSTILE, productionApproved: HOSTILE },
  }),
});
