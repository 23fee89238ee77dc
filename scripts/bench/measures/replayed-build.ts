import { createHash } from "node:crypto";
import { createService } from "../../../reference/service.ts";
import { type Answer, Client } from "../client.ts";
import { timeOf } from "../functions.ts";
import { type Measure, ratio } from "../measure.ts";

const REPLAY = "replayed build";
const FLOOR = "JSON.parse and SHA-256";

/** What the reference takes to give a draft once more. */
export const replayedBuild: Measure = {
  id: "reference/replayed-build",
  title: "a replayed build by the reference / JSON.parse and SHA-256 of the body",
  bar: { atMost: 4 },
  async open() {
    const service = createService({ now: () => 0 });
    const client = new Client();
    const handle = (call: object) => service.handle(call) as Answer;
    const call = client.build(handle(client.verify(handle(client.challenge()))), "replayed-key");
    const { body } = call;
    const { status } = handle(call);
    if (status !== 200) throw new Error(`the build was answered ${status}`);
    return {
      sides: [
        { name: REPLAY, unit: "s", sample: () => timeOf(() => service.handle(call)) },
        {
          name: FLOOR,
          unit: "s",
          sample: () =>
            timeOf(() => [
              JSON.parse(body ?? ""),
              createHash("sha256")
                .update(body ?? "")
                .digest(),
            ]),
        },
      ],
      figure: ratio(REPLAY, FLOOR),
    };
  },
};
