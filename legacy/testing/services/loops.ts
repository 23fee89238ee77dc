/** Falls into a loop without end, which no timer of its own thread could break. */
export const facts = { metadataHosts: ["a.example", "b.example"] };
export const createService = () => ({
  handle: () => {
    for (;;);
  },
});
