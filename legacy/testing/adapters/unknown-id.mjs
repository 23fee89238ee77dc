// Answers a call under an id that nobody sent.
import { answer, serveLines } from "./serve-lines.mjs";

serveLines(({ id }) => answer(id + 1_000, {}));
