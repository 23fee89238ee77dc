/** Refuses everything, with a code that the contract does not have. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => ({
  handle: () => ({ status: 400, body: { code: "NO", productionApproved: false } }),
});
