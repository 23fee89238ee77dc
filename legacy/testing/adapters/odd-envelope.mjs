// Answers each call with an envelope that has its status as text and no body: for the judge, not the adapter.
import { answer, serveLines } from "./serve-lines.mjs";

serveLines(({ id }) => answer(id, { status: "200" }));
