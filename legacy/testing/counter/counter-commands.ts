import type { Script } from "../../engine/search/commands.ts";
import type { RoundSet } from "../../engine/search/sequence-runner.ts";
import { StepMaker } from "../../engine/search/step-maker.ts";
import { CounterModel } from "./counter-model.ts";
import { AMOUNTS, type Amount } from "./counter-operations.ts";

/** What is done to a counter. */
export type CounterCommand =
  | { readonly do: "add"; readonly by: Amount }
  | { readonly do: "read" }
  | { readonly do: "restart" };

const RESTART: CounterCommand = { do: "restart" };

/** Every command there is. */
export const EVERY_COMMAND: readonly CounterCommand[] = [
  ...AMOUNTS.map((by) => ({ do: "add", by }) as const),
  { do: "read" },
  RESTART,
];

/** The commands as searches take them. All sequences share the one counter: each begins with a new one. */
export const COUNTER_COMMANDS: RoundSet<CounterCommand> = {
  newModel: () => new CounterModel(),
  withOwnKeys: (steps) => steps,
  writing: {
    anyRule: "COUNT-2",
    anyErrorPoints: [],
    roomPoints: [],
    distinctMembers: {},
    errorBody: (error) => ({ error }),
    asksAgain: () => false,
  },
  script: () => scriptOf(""),
  // The more is added at once, the fewer additions lead to the same place.
  simpler: (command) => (command.do === "add" && command.by < 3 ? [{ do: "add", by: 3 }] : []),
  isShared: () => false,
  pacing: () => ({ before: () => [RESTART], between: () => [], after: () => [], note: () => {} }),
  alone: (sequence) => sequence,
};

function scriptOf(prefix: string): Script<CounterCommand> {
  const maker = new StepMaker(prefix);
  return {
    step(command) {
      if (command.do === "restart") return maker.restart();
      return maker.request(command.do, command.do === "add" ? { by: command.by } : {});
    },
    branch: scriptOf,
  };
}
