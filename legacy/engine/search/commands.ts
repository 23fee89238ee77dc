import type { Timekeeping } from "../play/timekeeping.ts";
import type { Step } from "../vectors/vector.ts";
import type { SequenceContract } from "./sequence-contract.ts";

/**
 * What a search does to a service, in the contract's own notation. A command still means something when others are
 * taken away ("the value that was got before the last one"); each becomes one step of a vector.
 */
export interface CommandSet<Command> extends SequenceContract {
  /**
   * Begins to translate a sequence.
   * @param timekeeping how early and how late the service may end what lives for a time
   * @param label what belongs to the run: its texts come of it
   */
  script(timekeeping: Timekeeping, label: string): Script<Command>;
  /** Forms of a command with less to it, the simplest first. */
  simpler(command: Command): readonly Command[];
}

/** Translates the commands of one sequence to steps, one after the other. */
export interface Script<Command> {
  /** The step of the next command; undefined where it has nothing to act on. */
  step(command: Command): Step | undefined;
  /** A script of another sequence on the same service, whose steps have names with this prefix. */
  branch(prefix: string): Script<Command>;
}

/** The steps that commands stand for. */
export function stepsOf<Command>(
  commands: readonly Command[],
  set: CommandSet<Command>,
  timekeeping: Timekeeping,
  label: string,
): readonly Step[] {
  const script = set.script(timekeeping, label);
  return commands.flatMap((command) => script.step(command) ?? []);
}
