/** A process that switches on one mutant of the reference after the other, and judges it, as the pool asks. */
import { loadKitData } from "../../contract/kit-data.ts";
import { serviceFromSources } from "../module-from-sources.ts";
import { mutatedReference, switchOn } from "./generate.ts";
import { MutantJudge, type MutantOutcome } from "./judge-mutant.ts";

const judge = new MutantJudge(loadKitData());
const { sources } = await mutatedReference();

async function perform({ id }: { readonly id: string }): Promise<MutantOutcome> {
  switchOn({ id });
  try {
    return await judge.judge(id, await serviceFromSources(sources));
  } catch (thrown) {
    const by = String(thrown instanceof Error ? thrown.message : thrown).replaceAll("\n", " ");
    return { id, fate: "broke", by };
  }
}

process.on("message", async (job: { readonly id: string }) => {
  process.send?.(await perform(job));
});
process.send?.("ready");
