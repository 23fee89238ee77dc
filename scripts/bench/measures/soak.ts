import { memoryKept } from "../memory-kept.ts";

/** Whether the reference keeps anything that it has no use for. */
export const soak = memoryKept({
  id: "reference/soak",
  title: "resident memory after 1,000,000 requests - after 100,000",
  program: "soak.ts",
  some: 100_000,
  all: 1_000_000,
  atMost: 10,
});
