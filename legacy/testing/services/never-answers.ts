/** Takes every call and answers none. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => ({ handle: () => new Promise(() => {}) });
