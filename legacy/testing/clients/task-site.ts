import type { TaskSite } from "../../engine/client/client-door.ts";
import type { ClientRequest } from "../../engine/client/trace.ts";

/** Where a task is given whose service answers every request alike, and what it was asked. */
export function taskSite() {
  const asked: ClientRequest[] = [];
  const slept: number[] = [];
  const ending = new AbortController();
  const site: TaskSite = {
    async ask(request) {
      asked.push(request);
      if (request.target === "/lost") return { kind: "lost" };
      const body = { asked: asked.length };
      return { kind: "answer", status: 200, headers: [], text: JSON.stringify(body), body };
    },
    async sleep(ms) {
      slept.push(ms);
    },
    now: () => 1_000 + slept.reduce((sum, ms) => sum + ms, 0),
    signal: ending.signal,
  };
  return { site, asked, slept, end: () => ending.abort() };
}
