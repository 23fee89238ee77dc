import type { Command, Who } from "./command.ts";

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
    case "wait":
      return resets(command, { since: "now" });
    case "challenge":
    case "session":
      return resets(command, { who: "alice" });
    default:
      return [];
  }
}

/** The command with one member each put back to its simplest value, where that changes it. */
function resets<C extends Command>(command: C, values: Partial<C>): readonly Command[] {
  return Object.entries(values)
    .filter(([name, value]) => command[name as keyof C] !== value)
    .map(([name, value]) => ({ ...command, [name]: value }));
}
