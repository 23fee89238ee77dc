/** A frame of a profile: a function, and where its source stands. */
export interface Frame {
  readonly name: string;
  /** A path below the root of the repository, `node:…`, or nothing for a function of the engine's own. */
  readonly source: string;
}

/** What the time of a process goes on. The first that fits counts. */
const PARTS: readonly { readonly part: string; readonly names?: RegExp; readonly sources?: RegExp }[] = [
  { part: "waiting for something to come", names: /^\(idle\)$/ },
  { part: "collecting garbage", names: /^\(garbage collector\)$/ },
  { part: "the engine outside functions", names: /^\(program\)$|^\(root\)$/ },
  {
    part: "pipes, sockets, messages of threads",
    names: /^(write(v|Utf8String|Latin1String|AsciiString|Buffer)|shutdown|readStart|postMessage)$/,
    sources:
      /^node:(net|stream|readline|child_process|http|_http|worker|internal\/(stream|readline|child_process|http|worker|js_stream|socket|per_context\/messageport|event_target|deps\/undici))|node_modules\/undici\//,
  },
  {
    part: "signatures, keys, digests",
    sources: /^node:(crypto|internal\/crypto)|node_modules\/@noble\//,
  },
  {
    part: "timers and promises",
    names: /^runMicrotasks$/,
    sources: /^node:(timers|async_hooks|internal\/(timers|process\/(task_queues|promises)|async_hooks))/,
  },
  {
    part: "loading and compiling",
    names: /^(compile\w*|_link|openFileHandle|readFileUtf8|open|fstat|ModuleWrap)$/,
    sources:
      /^node:(module|vm|fs|internal\/(modules|bootstrap|main|process\/pre_execution|source_map|vm|fs|deps))|^dist\/|conformance\/engine\/(data|vectors)\/|node_modules\/(tsx|esbuild|yaml|commander)\//,
  },
  { part: "making requests", sources: /conformance\/contract\/(verbs|keys)\/|node_modules\/base-x\// },
  {
    part: "judging answers",
    sources:
      /conformance\/contract\/(judge|timekeeping)\/|conformance\/contract\/[\w-]+\.ts|validate-\w+\.cjs/,
  },
  {
    part: "model and searches",
    sources:
      /conformance\/(engine\/search|contract\/(model|commands|properties))\/|node_modules\/fast-check\//,
  },
  { part: "playing steps", sources: /conformance\/engine\/play\// },
  { part: "driving and watching the run", sources: /conformance\/engine\/run\// },
  {
    part: "buffers, events, URLs",
    sources: /^node:(buffer|events|url|internal\/(buffer|url|encoding|util))/,
  },
  { part: "adapters, the protocol's JSON included", sources: /conformance\/adapters\// },
  { part: "the service", sources: /^reference\/|scripts\/bench\/services\/|\.cache\/bench\// },
];

const REST = "everything else";

/** The part that a function's own time belongs to; a function of the engine belongs to whoever called it. */
export function partOf(stack: readonly Frame[]): string {
  const [leaf] = stack;
  const byName = PARTS.find(
    ({ names }) => leaf !== undefined && leaf.source === "" && names?.test(leaf.name),
  );
  if (byName !== undefined) return byName.part;
  const { source = "" } = stack.find((frame) => frame.source !== "") ?? {};
  return PARTS.find(({ sources }) => sources?.test(source))?.part ?? REST;
}
