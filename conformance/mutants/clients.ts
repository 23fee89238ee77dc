import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ClientModule, InProcessClient } from "../clients/adapters/in-process.ts";
import { loadTrials } from "../clients/load.ts";
import { runClient } from "../clients/run.ts";
import type { ReferenceModule } from "../clients/service/simulated-service.ts";
import type { Trial } from "../clients/trial.ts";
import { readClientContract } from "../contract/contract.ts";
import { CLIENT_FOLDER, type Entry, PROGRAM_FOLDER } from "./entries.ts";
import { EntryJudge } from "./judge.ts";

/** Judges entries of the example client by the trials. */
export class ClientJudge extends EntryJudge<Trial> {
  constructor() {
    const contract = readClientContract();
    super(contract, loadTrials(contract), CLIENT_FOLDER);
  }

  protected override async player(entry: Entry) {
    const reference: ReferenceModule = await import(pathToFileURL(join(PROGRAM_FOLDER, "service.ts")).href);
    const client = await this.build<ClientModule>(entry, "client.ts");
    const adapter = new InProcessClient(client, entry.over === "http");
    return (trials: readonly Trial[]) => runClient(this.contract, trials, adapter, { reference });
  }
}
