import { UNDECIDED } from "../exit-status.ts";
import { reportError } from "../report-error.ts";
import { type RunEdge, runCommand } from "../run-command.ts";
import type { ChosenTarget } from "./chosen-targets.ts";

/** Exit statuses, the worst first: what was found against a service counts more than what could not be seen. */
const WORST_FIRST = [1, 130, 143, 3, 2, 4, 0];

/**
 * Judges targets one after the other, each under its name. What is wrong about one keeps none of the others from being
 * judged; Ctrl-C ends them all.
 * @returns the worst exit status
 */
export async function runTargets(
  targets: readonly ChosenTarget[],
  edge: RunEdge,
  runOne: typeof runCommand = runCommand,
): Promise<number> {
  const [first] = targets;
  if (first !== undefined && targets.length === 1) return runOne(first.options, edge);
  const { output } = edge;
  const ended: (readonly [name: string, status: number])[] = [];
  for (const { name, options } of targets) {
    if (edge.stopped() !== undefined) {
      output.err(`${name}: not judged, interrupted\n`);
      continue;
    }
    output.out(`${ended.length === 0 ? "" : "\n"}== ${name} ==\n`);
    ended.push([name, await statusOf(name, () => runOne(options, edge), edge)]);
  }
  output.out(`\n== ${targets.length} targets ==\n`);
  for (const [name, status] of ended) output.out(`${name}: exit status ${status}\n`);
  const statuses = ended.map(([, status]) => status);
  if (ended.length < targets.length) statuses.push(edge.interrupt?.status() ?? UNDECIDED);
  return worst(statuses);
}

async function statusOf(name: string, run: () => Promise<number>, { output }: RunEdge): Promise<number> {
  try {
    return await run();
  } catch (error) {
    return reportError(error, { ...output, err: (text) => output.err(`${name}: ${text}`) });
  }
}

/** The worst of several exit statuses. */
export function worst(statuses: readonly number[]): number {
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? Math.max(0, ...statuses);
}
