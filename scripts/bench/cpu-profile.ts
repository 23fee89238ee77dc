import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PATHS } from "../../conformance/paths.ts";
import { type Frame, partOf } from "./parts.ts";

/** What V8 writes with `--cpu-prof`, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  /** The node of each sample, and the time since the one before, in µs. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** How long a thread lived, and what that went on. */
export interface Spent {
  readonly seconds: number;
  /** Shares of the parts, the largest first. */
  readonly shares: ReadonlyMap<string, number>;
}

const ROOT = pathToFileURL(join(PATHS.root, "/")).href;

/** What the time of a thread went on. */
export function spentIn({ nodes, samples, timeDeltas }: CpuProfile): Spent {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, frameOf(callFrame)]));
  const partOfNode = new Map<number, string>();
  const stackOf = (id: number | undefined): readonly Frame[] => {
    const stack: Frame[] = [];
    for (let at = id; at !== undefined && byId.has(at); at = parents.get(at))
      stack.push(...onlyOf(frames.get(at)));
    return stack;
  };
  const times = new Map<string, number>();
  let total = 0;
  for (const [place, id] of samples.entries()) {
    const part = partOfNode.get(id) ?? partOf(stackOf(id));
    partOfNode.set(id, part);
    const tookUs = timeDeltas[place] ?? 0;
    times.set(part, (times.get(part) ?? 0) + tookUs);
    total += tookUs;
  }
  const shares = [...times]
    .map(([part, took]) => [part, took / total] as const)
    .sort(([, a], [, b]) => b - a);
  return { seconds: total / 1_000_000, shares: new Map(shares) };
}

/** The sources that a thread's functions stand in. */
export function sourcesOf({ nodes }: CpuProfile): ReadonlySet<string> {
  return new Set(nodes.map(({ callFrame: { url } }) => belowRoot(url)));
}

function onlyOf(frame: Frame | undefined): readonly Frame[] {
  return frame === undefined ? [] : [frame];
}

function frameOf(given: CpuProfile["nodes"][number]["callFrame"]): Frame {
  const { functionName: name, url, lineNumber, columnNumber } = given;
  const path = belowRoot(url);
  const source = path.startsWith("dist/") ? (originalOf(url, lineNumber, columnNumber) ?? path) : path;
  return { name, source };
}

function belowRoot(url: string): string {
  return url.startsWith(ROOT) ? url.slice(ROOT.length) : url;
}

const maps = new Map<string, SourceMap | undefined>();

/** The source that a place of a built program was made of, where that is known. */
function originalOf(url: string, line: number, column: number): string | undefined {
  if (!maps.has(url)) maps.set(url, mapOf(url));
  const entry = maps.get(url)?.findEntry(line, column);
  if (entry === undefined || !("originalSource" in entry)) return undefined;
  return belowRoot(new URL(entry.originalSource, url).href);
}

function mapOf(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), "utf8")));
  } catch {
    return undefined;
  }
}
