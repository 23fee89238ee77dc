// Answers each call twice.
import { answer, serveLines } from "./serve-lines.mjs";

serveLines(({ id }) => {
  answer(id, { status: 200 });
  answer(id, { status: 200 });
});
