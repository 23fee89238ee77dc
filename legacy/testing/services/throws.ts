/** Throws at every call, over several lines. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => ({
  handle: () => {
    throw new Error("out of\nat luck (nowhere.ts:1:1)");
  },
});
