// Answers every call with what it was sent, the last of two pipelined calls first, and keeps a clock.
import { answer, serveLines } from "./serve-lines.mjs";

let nowMs = 1_000;
let waiting;
serveLines(({ id, method, params }) => {
  if (method === "advance") {
    nowMs += params.ms;
    answer(id, { nowMs });
  } else if (params.path === "/wait") waiting = { id, params };
  else {
    answer(id, { status: 200, body: params });
    if (waiting !== undefined) answer(waiting.id, { status: 200, body: waiting.params });
    waiting = undefined;
  }
});
