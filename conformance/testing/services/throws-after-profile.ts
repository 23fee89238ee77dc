/** Gives a profile that is wrong, and throws at everything else. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => ({
  handle: ({ path }: { readonly path: string }) => {
    if (path !== "/v1/platform") throw new Error("out of luck");
    return { status: 200, body: { mode: "ONLINE", productionApproved: false } };
  },
});
