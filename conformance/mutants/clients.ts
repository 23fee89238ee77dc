/** Judges mutants and conforming variants of the example client by the trials. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ClientModule, InProcessClient } from "../clients/adapters/in-process.ts";
import { loadTrials } from "../clients/load.ts";
import { runClient } from "../clients/run.ts";
import type { ReferenceModule } from "../clients/service/simulated-service.ts";
import type { Trial } from "../clients/trial.ts";
import { type Contract, readClientContract } from "../contract/contract.ts";
import { Program } from "./edits.ts";
import { CLIENT_FOLDER, type Entry, PROGRAM_FOLDER } from "./entries.ts";
import { importModule, type Judgment, judgeEntry, readSources } from "./judge.ts";

export class ClientEntryJudge {
  readonly contract: Contract = readClientContract();
  readonly #trials = loadTrials(this.contract);
  readonly #program = new Program(readSources(CLIENT_FOLDER));

  /**
   * Builds the client of an entry and plays trials on it.
   * @throws {Error} if the client cannot be built
   */
  async judge(entry: Entry): Promise<Judgment> {
    const reference: ReferenceModule = await import(pathToFileURL(join(PROGRAM_FOLDER, "service.ts")).href);
    const client = await importModule<ClientModule>(entry.edit(this.#program), "client.ts");
    const adapter = new InProcessClient(client, entry.over === "http");
    const play = (trials: readonly Trial[]) => runClient(this.contract, trials, adapter, { reference });
    return judgeEntry(this.contract, this.#trials, entry, play);
  }
}
