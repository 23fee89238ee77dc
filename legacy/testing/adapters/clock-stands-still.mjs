// Answers `advance` without moving its clock.
import { answer, serveLines } from "./serve-lines.mjs";

serveLines(({ id }) => answer(id, { nowMs: 1_000 }));
