/** Gives a profile that has all members and is wrong in some, and throws at everything else. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
const KEY = "11111111111111111111111111111111";
const PROFILE = {
  mode: "ONLINE",
  platform: KEY,
  feeWallet: KEY,
  withdrawAuthority: KEY,
  termsStatus: "DEMO_NOT_A_LAUNCH_AGREEMENT",
  creatorBpsImplemented: 5000,
  productionApproved: false,
  publicServer: false,
  termsHash: "ab".repeat(32),
  signing: "by the client",
};
export const createService = () => ({
  handle: ({ path }: { readonly path: string }) => {
    if (path !== "/v1/platform") throw new Error("out of luck");
    return { status: 200, body: PROFILE };
  },
});
