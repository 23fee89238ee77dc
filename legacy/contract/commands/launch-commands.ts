import type { RoundSet } from "../../engine/search/sequence-runner.ts";
import { SEQUENCES } from "../properties/sequences.ts";
import type { Command } from "./command.ts";
import { alone, SessionPacing } from "./pacing.ts";
import { endsSessions } from "./rounds.ts";
import { CommandScript } from "./script.ts";
import { simplerCommand } from "./simpler-command.ts";

/** What a search can do to a service of this contract. */
export const COMMANDS: RoundSet<Command> = {
  ...SEQUENCES,
  script: (timekeeping, label) => new CommandScript(timekeeping, label),
  simpler: simplerCommand,
  isShared: endsSessions,
  pacing: (info, nowMs, timekeeping) => new SessionPacing(info, nowMs, timekeeping),
  alone,
};
