/** Cannot be started. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => {
  throw new Error("no room for a service");
};
