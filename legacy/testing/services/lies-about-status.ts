/** Says 200 to everything, also where the body says otherwise. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => ({
  handle: () => ({ status: 200, body: { code: "UNAUTHORIZED", productionApproved: false } }),
});
