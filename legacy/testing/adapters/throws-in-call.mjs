// Breaks down in the middle of a call, as Node programs do.
import { serveLines } from "./serve-lines.mjs";

serveLines(() => {
  throw new TypeError("out of order");
});
