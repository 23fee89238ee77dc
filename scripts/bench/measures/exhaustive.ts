import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { SEARCHES } from "../../../conformance/contract/searches.ts";
import { propertyId } from "../../../conformance/engine/search/property-result.ts";
import { createService } from "../../../reference/service.ts";
import { type Answer, Client } from "../client.ts";
import { type Measure, ratio } from "../measure.ts";
import { kit, runWell } from "../processes.ts";

/** Bare requests go on for so long, in ms. */
const BARE_MS = 3_000;
const SEARCH = propertyId(SEARCHES.exhaustive);

interface Searched {
  readonly search: { readonly steps: number; readonly durationMs: number };
}

/** How fast every sequence of four is searched, beside the same kinds of requests with nothing around them. */
export const exhaustive: Measure = {
  id: "exhaustive",
  title: "`--exhaustive 4`, steps a second / the reference's own bare requests a second",
  bar: { atLeast: 0.5 },
  async open() {
    const folder = mkdtempSync(join(tmpdir(), "launch-draft-bench-"));
    const file = join(folder, "report.json");
    const words = kit(
      "run",
      "--only",
      SEARCH,
      "--exhaustive",
      "4",
      "--jobs",
      "1",
      "--reporter",
      `json=${file}`,
    );
    return {
      sides: [
        {
          name: "kit",
          unit: "1/s",
          async sample() {
            const { cpuS = Number.NaN } = await runWell(words);
            const { search } = JSON.parse(readFileSync(file, "utf8")) as Searched;
            return { value: (1000 * search.steps) / search.durationMs, cpuS };
          },
        },
        { name: "bare", unit: "1/s", sample: async () => ({ value: bareRate() }) },
      ],
      figure: ratio("kit", "bare"),
      close: () => rmSync(folder, { recursive: true }),
    };
  },
};

/** Requests a second of somebody who signs in, builds twice, asks again and fails once, on a service that starts anew. */
function bareRate(): number {
  const client = new Client();
  const startedAt = performance.now();
  let asked = 0;
  let tookMs = 0;
  while (tookMs < BARE_MS) {
    const service = createService({ now: () => startedAt });
    const send = (call: object) => {
      const sentAt = performance.now();
      const answer = service.handle(call) as Answer;
      tookMs += performance.now() - sentAt;
      asked += 1;
      return answer;
    };
    const proof = client.verify(send(client.challenge()));
    const session = send(proof);
    send(proof);
    for (const key of ["first-key", "second-key", "first-key"]) send(client.build(session, key));
  }
  return (1000 * asked) / tookMs;
}
