/** Annotations of GitHub Actions (GitHub documentation, "Workflow commands"). */
import { relative, resolve } from "node:path";
import { cutText, escapeLine } from "../data/text.ts";
import { type ConsoleStyle, formatVerdict } from "./console.ts";
import { ignoredRules, type ReportData } from "./data.ts";
import { failureFields } from "./failure.ts";
import { type FailureGroup, groupFailures, ownFrameIndex } from "./groups.ts";

interface Annotation {
  readonly kind: "error" | "warning" | "notice";
  readonly title: string;
  /** `file:line`. */
  readonly place?: string;
  readonly lines: readonly string[];
}

/** GitHub shows 10 annotations of each kind for a step. */
const MAX_ANNOTATIONS = 10;
const MAX_TEXT = 400;

type Repository = Pick<ConsoleStyle, "repository">;

/** Prints annotations: failures, errors at their lines in the service, policy problems, and recommendations. */
export function printGithub(data: ReportData, { repository }: Repository): string {
  const { policies = [], verdict } = data;
  const problems = policies.flatMap(({ policy, problems: list }) =>
    list.map(({ place = "", message }): Annotation => {
      return { kind: "error", title: policy, place, lines: [message] };
    }),
  );
  const errors = [...problems, ...groupFailures(data).map((group) => failure(group, data))];
  const isOpen = verdict.exitStatus !== 0 && errors.length === 0;
  const undecided: Annotation = { kind: "warning", title: "Verdict", lines: [formatVerdict(data)] };
  const notices = ignoredRules(data).map(({ id, statement }): Annotation => {
    return { kind: "notice", title: id, lines: [statement] };
  });
  const annotations = [...limit(errors), ...(isOpen ? [undecided] : []), ...limit(notices)];
  return annotations.map((annotation) => command(annotation, repository)).join("");
}

/** Prints errors of a command, one on each line, as annotations. Some start with `file:line:column`. */
export function printErrors(message: string, { repository }: Repository): string {
  const errors = message.split("\n").map((line): Annotation => {
    const [, place = ""] = /^(.+?:\d+):\d+: /.exec(line) ?? [];
    return { kind: "error", title: "launch-draft-conformance", place, lines: [cutText(line, MAX_TEXT)] };
  });
  return limit(errors)
    .map((error) => command(error, repository))
    .join("");
}

function failure(group: FailureGroup, data: ReportData): Annotation {
  const { result, finding } = group.first;
  const fields = failureFields(group.first, data, group);
  const lines = fields.map(({ label, text }) => `${label}: ${cutText(text, MAX_TEXT)}`.trim());
  const title = finding === undefined ? `error in ${result.id}` : `${finding.rules[0]} in ${result.id}`;
  const frames = result.error?.frames ?? [];
  const [, frame = ""] = /\(?([^\s()]+:\d+):\d+\)?$/.exec(frames[ownFrameIndex(frames)] ?? "") ?? [];
  // Only the vectors of a replayed file, and the user's code, can be in the user's repository.
  const isOwn = data.run.selection?.file !== undefined;
  return { kind: "error", title, place: finding === undefined ? frame : isOwn ? finding.place : "", lines };
}

/** Replaces the annotations that GitHub would not show by one annotation with their number. */
function limit(annotations: readonly Annotation[]): readonly Annotation[] {
  const [first] = annotations;
  if (first === undefined || annotations.length <= MAX_ANNOTATIONS) return annotations;
  const shown = annotations.slice(0, MAX_ANNOTATIONS - 1);
  const title = `and ${annotations.length - shown.length} more`;
  return [...shown, { kind: first.kind, title, lines: ["Reports in other formats list them."] }];
}

function command({ kind, title, place = "", lines }: Annotation, repository = ""): string {
  const [, file = "", line = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
  const path = relative(repository, resolve(file));
  // GitHub finds only files of the repository.
  const isOutside = file === "" || /^\.\.(?:\/|$)|(?:^|\/)node_modules\//.test(path);
  const position = isOutside ? "" : `file=${property(path)},line=${line},`;
  const text = lines.map((one) => escapeLine(one).replaceAll("%", "%25")).join("%0A");
  return `::${kind} ${position}title=${property(escapeLine(title))}::${text}\n`;
}

function property(text: string): string {
  return text.replaceAll("%", "%25").replaceAll(":", "%3A").replaceAll(",", "%2C");
}
