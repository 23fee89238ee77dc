import type { Violation } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import { show } from "../../../engine/play/judgement.ts";
import { responseSchemas } from "../../judge/response-schemas.ts";
import { compareInputs, launchInput } from "../../model/launch-input.ts";
import { codeOf } from "../../operations.ts";
import { type Asked, answerInWords, type ClientReading, type Launch, wasAnswered } from "./client-reading.ts";
import { requestsOf } from "./found.ts";

/** Judges how launches end, and whether clients report what they received (client protocol; contract, "Errors", "Limits"). */
export function judgeResults(reading: ClientReading): readonly Violation[] {
  return reading.launches.flatMap((launch) => {
    const own = requestsOf(launch, reading);
    // A client that never asked anything could not be run: that is an error, not a rule violation.
    if (launch.result === undefined) return own.length === 0 ? [] : judgeEnd(launch, own);
    return judgeResult(launch, own, reading);
  });
}

/** The violation of a rule by the end of a launch, with the request that it is about, where there is one. */
function brokenByEnd(
  launch: Launch,
  rule: string,
  told: Pick<Violation, "message" | "expected" | "got">,
  asked?: Asked,
): Violation {
  return {
    rule,
    ...told,
    ...(asked === undefined ? {} : { turn: asked.turn.index }),
    task: launch.record.id,
  };
}

function judgeEnd(launch: Launch, own: readonly Asked[]): readonly Violation[] {
  const { end, task } = launch.record;
  const last = own.at(-1);
  const count = own.length === 1 ? "1 request" : `${own.length} requests`;
  const requests = `after ${count}, the last answered ${last === undefined ? "" : answerInWords(last)}`;
  const broken = (rule: string, message: string, expected: string, found = "none") => [
    brokenByEnd(launch, rule, { message, expected, got: `${found}, ${requests}` }, last),
  ];
  switch (end.kind) {
    case "overdue": {
      const expected = `a result within the ${Number(task["deadlineMs"]) / 1000} s that it is told`;
      return broken("CLIENT-LIMIT-2", "the launch does not end", expected);
    }
    case "flooded": {
      const expected = "a bounded number of requests, then a result";
      return broken("CLIENT-LIMIT-2", "the client never stops sending requests", expected);
    }
    case "broke":
      return broken("CLIENT-FLOW-3", "the client breaks", "a result", show(end.reason));
    default:
      return [];
  }
}

function judgeResult(launch: Launch, own: readonly Asked[], reading: ClientReading): readonly Violation[] {
  const { result } = launch;
  switch (result?.kind) {
    case "malformed":
      return [
        brokenByEnd(launch, "CLIENT-FLOW-3", {
          message: "what the client reports is not a valid result",
          expected: "draft, refused or distrusted, as in the client protocol",
          got: result.fault,
        }),
      ];
    case "draft":
      return judgeDraftReport(launch, result.draft, own, reading);
    case "refused":
      return [...judgeRefusalReport(launch, result, own), ...judgeUnreported(launch, own)];
    default:
      return [];
  }
}

/** Judges whether the service gave this draft for this input, in this launch or an earlier one. */
function judgeDraftReport(
  launch: Launch,
  draft: unknown,
  own: readonly Asked[],
  { asked }: ClientReading,
): readonly Violation[] {
  const given = asked.filter(
    ({ operation, status, turn }) =>
      operation === "build" && status === 200 && turn.index < launch.record.toTurn,
  );
  const equal = given.filter(({ answer }) => isReport(draft, answer));
  const isOwn = equal.some((build) => isOf(launch, build, own));
  if (isOwn) return [];
  const foreign = equal.at(-1);
  const mine = given.filter((build) => isOf(launch, build, own)).at(-1);
  const wrong = foreign === undefined ? `${show(draft)}, which no build gave` : "the draft of another launch";
  const [altered] = mine === undefined || foreign !== undefined ? [] : alterations(draft, mine.answer);
  return [
    brokenByEnd(
      launch,
      "CLIENT-FLOW-2",
      {
        message: "the draft that is reported is not the one that was given",
        expected: altered?.was ?? (mine === undefined ? "no draft: none was given" : show(mine.answer)),
        got: altered?.is ?? wrong,
      },
      mine ?? foreign,
    ),
  ];
}

/** Whether a build may be of this launch: only it can have sent it, or it holds its input, or its corrected input. */
function isOf(launch: Launch, build: Asked, own: readonly Asked[]): boolean {
  if (own.includes(build) && build.launches.length === 1) return true;
  if (compareInputs(launchInput(launch.input), launchInput(build.body.members)).sameness === "same")
    return true;
  return (
    own.includes(build) && own.some(({ status, turn }) => status === 400 && turn.index < build.turn.index)
  );
}

/** Whether a client reports a response; it may leave out members that the contract does not name. */
function isReport(draft: unknown, answer: Asked["answer"]): boolean {
  if (!isObject(draft)) return false;
  const named = responseSchemas().named("build", answer);
  return isPartOf(draft, answer) && isPartOf(named, draft);
}

/** Differences of a report from the response, each with its path. */
function alterations(
  report: unknown,
  answer: unknown,
  path = "",
): readonly { readonly was: string; readonly is: string }[] {
  if (isObject(report) && isObject(answer)) {
    const names = Object.keys({ ...responseSchemas().named("build", answer), ...report });
    return names.flatMap((name) => alterations(report[name], answer[name], `${path}.${name}`));
  }
  if (path === "" || isPartOf(report, answer)) return [];
  const shown = (value: unknown) => `${path.slice(1)} ${value === undefined ? "not there" : show(value)}`;
  return [{ was: shown(answer), is: shown(report) }];
}

/** Whether a JSON value contains all of another. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) {
    if (!Array.isArray(whole) || part.length !== whole.length) return false;
    return part.every((item, index) => isPartOf(item, whole[index]));
  }
  if (!isObject(part)) return part === whole;
  return isObject(whole) && Object.entries(part).every(([name, value]) => isPartOf(value, whole[name]));
}

function judgeRefusalReport(
  launch: Launch,
  { status, code }: { readonly status?: number; readonly code?: string },
  own: readonly Asked[],
): readonly Violation[] {
  if (status === undefined && code === undefined) return [];
  const fits = own.some(
    (one) =>
      (status === undefined || one.status === status) && (code === undefined || codeOf(one.answer) === code),
  );
  if (fits) return [];
  const last = own.at(-1);
  return [
    brokenByEnd(
      launch,
      "CLIENT-FLOW-2",
      {
        message: "the refusal that is reported was not given",
        expected: own.length === 0 ? "no status: nothing was asked" : oneOf(own),
        got: [status, code].filter((part) => part !== undefined).join(" "),
      },
      last,
    ),
  ];
}

/** Share of a launch's time after which a client may end it, though it was served. */
const MUCH_OF_THE_TIME = 0.5;

/** Judges whether a client reports the draft that it received in the end, after other responses. */
function judgeUnreported(launch: Launch, own: readonly Asked[]): readonly Violation[] {
  const { record } = launch;
  const last = own.at(-1);
  if (last === undefined || last.operation !== "build" || last.status !== 200) return [];
  if (last.launches.length > 1 || last.turn.disturbed !== undefined) return [];
  // Without an earlier refusal, there is nothing that the client might have mistaken for the end.
  if (own.every(({ status }) => status === 200)) return [];
  const isAlone = own.every((one) => one === last || wasAnswered(one, last));
  const tookMs = last.turn.answeredAtMs - record.beganAtMs;
  if (!isAlone || tookMs > MUCH_OF_THE_TIME * Number(record.task["deadlineMs"] ?? Number.POSITIVE_INFINITY))
    return [];
  return [
    brokenByEnd(
      launch,
      "CLIENT-FLOW-2",
      {
        message: "a refusal is reported, though the draft was given in the end",
        expected: show(last.answer),
        got: record.end.kind === "result" ? show(record.end.result) : "a refusal",
      },
      last,
    ),
  ];
}

function oneOf(own: readonly Asked[]): string {
  return [...new Set(own.map((one) => answerInWords(one)))].join(", or ");
}
