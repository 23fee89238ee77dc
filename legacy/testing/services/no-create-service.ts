/** Exports everything but a service. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const handle = () => ({ status: 200, body: {} });
