import { parseDuration } from "../../engine/vectors/duration.ts";
import { LIFETIME_MS, MINUTE_MS } from "../operations.ts";
import { type Command, SPANS, type Who } from "./command.ts";

const PEOPLE: readonly Who[] = ["alice", "bob"];

/** Forms of a command with less to it, the simplest first. */
export function simplerCommand(command: Command): readonly Command[] {
  switch (command.do) {
    case "build":
      return [
        { do: "session", who: command.who },
        ...resets(command, { spelling: 0, session: 0, input: 0, key: 0, who: "alice" }),
        ...(command.input > 1 ? [{ ...command, input: 1 }] : []),
        ...(command.key > 1 ? [{ ...command, key: 1 }] : []),
        ...(typeof command.session === "number" && command.session > 1
          ? [{ ...command, session: command.session - 1 }]
          : []),
      ];
    case "change":
      return resets(command, { back: 0, input: 1 });
    case "again":
      return resets(command, { back: 0 });
    case "invalid":
      return resets(command, { fault: 0, key: 0, who: "alice" });
    case "verify":
      return [
        ...(command.proof === 0 ? PEOPLE.map((who): Command => ({ do: "session", who })) : []),
        ...resets(command, { proof: 0, back: 0 }),
        ...(command.proof > 1 ? [{ ...command, proof: 1 }] : []),
      ];
    case "together":
      return PEOPLE.map((who) =>
        command.of === "proofs"
          ? { do: "session", who }
          : { do: "build", who, key: 0, input: 0, spelling: 0, session: 0 },
      );
    case "crowd":
      return resets(command, { each: 1 });
    case "wait":
      return [...resets(command, { since: "now" }), ...shorterWaits(command)];
    case "challenge":
    case "session":
      return resets(command, { who: "alice" });
    default:
      return [];
  }
}

/** Until just after one of the shorter spans that the contract knows. */
function shorterWaits(command: Extract<Command, { do: "wait" }>): readonly Command[] {
  const ms = (span: number) => parseDuration(SPANS[span] ?? "") ?? 0;
  return [LIFETIME_MS.draft, MINUTE_MS].flatMap((shorter): Command[] => {
    const span = SPANS.findIndex((_, index) => ms(index) === shorter);
    return shorter < ms(command.span) ? [{ ...command, span, edge: "just-after" }] : [];
  });
}

/** The command with one member each put back to its simplest value, where that changes it. */
function resets<C extends Command>(command: C, values: Partial<C>): readonly Command[] {
  return Object.entries(values)
    .filter(([name, value]) => command[name as keyof C] !== value)
    .map(([name, value]) => ({ ...command, [name]: value }));
}
