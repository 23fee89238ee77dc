import type { Violation } from "../../../engine/client/trace.ts";
import { show } from "../../../engine/play/judgement.ts";
import { type Asked, type ClientReading, surelyTold } from "./client-reading.ts";
import { brokenBy, ordinalOf, requestName } from "./found.ts";

/** Which bearer goes where (contract, "Session", "Authentication" and "Errors"). */
export function judgeSessions(reading: ClientReading): readonly Violation[] {
  const builds = reading.asked.filter(({ operation }) => operation === "build");
  return [
    ...builds.flatMap((one) => [...judgeBearer(one, reading), ...judgeRefused(one, builds, reading)]),
    ...reading.asked
      .filter(({ operation }) => operation !== "build")
      .flatMap((one) => judgeElsewhere(one, reading)),
  ];
}

function judgeBearer(asked: Asked, reading: ClientReading): readonly Violation[] {
  const { authorization, bearer } = asked;
  const session = reading.sessions.get(bearer ?? "");
  if (session === undefined || session.by.turn.index >= asked.turn.index) {
    return [
      brokenBy(asked, "CLIENT-SESSION-1", {
        message: "a build is sent without a bearer as the service issued it",
        expected: "one header, authorization: Bearer and the bearer of a session",
        got: bearerInWords(authorization, reading),
      }),
    ];
  }
  const { creator } = asked.body.members;
  if (session.creator === undefined || typeof creator !== "string" || creator === session.creator) return [];
  return [
    brokenBy(asked, "CLIENT-SESSION-2", {
      message: "a build is sent with the session of another creator",
      expected: `a session of ${creator}`,
      got: `one of ${session.creator}`,
    }),
  ];
}

function bearerInWords(authorization: readonly string[], { sessions }: ClientReading): string {
  if (authorization.length === 0) return "no authorization header";
  if (authorization.length > 1) return `${authorization.length} authorization headers`;
  const [value = ""] = authorization;
  if (!value.startsWith("Bearer ")) {
    const scheme = /^bearer +/i.test(value) ? "another spelling of the scheme" : "no scheme Bearer";
    return `${scheme}: ${show(value, 80)}`;
  }
  const sent = value.slice("Bearer ".length);
  const near = [...sessions.keys()].find((bearer) =>
    ALTERATIONS.some((alter) => alter(sent) === alter(bearer) || sent === alter(bearer)),
  );
  const changed = near === undefined ? "one that was not issued" : "an altered one";
  return `${changed}: ${show(sent, 80)}`;
}

/** What clients do to a bearer on its way. */
const ALTERATIONS: readonly ((bearer: string) => string)[] = [
  (bearer) => bearer.trim(),
  (bearer) => bearer.toLowerCase(),
  (bearer) => encodeURIComponent(bearer),
  (bearer) => bearer.replace(/=+$/, ""),
  (bearer) => bearer.replace(/[^A-Za-z0-9]/g, ""),
  (bearer) => JSON.stringify(bearer),
  (bearer) => Buffer.from(bearer).toString("base64"),
];

/** A bearer that was refused before: to the same launch, or to one that has ended, and this one does not help itself. */
function judgeRefused(asked: Asked, builds: readonly Asked[], reading: ClientReading): readonly Violation[] {
  const { bearer } = asked;
  if (bearer === undefined || !reading.sessions.has(bearer)) return [];
  const refused = builds.filter((one) => one.bearer === bearer && one.status === 401);
  const toAnother = refused.filter(
    ({ turn, launches }) =>
      turn.index < asked.turn.index && launches.every(({ record }) => record.toTurn <= asked.turn.index),
  );
  const stuck = toAnother.length > 0 && asked.status === 401 && !helpsItself(asked, reading);
  const told = surelyTold(asked, refused) ? refused[0] : stuck ? toAnother[0] : undefined;
  if (told === undefined) return [];
  return [
    brokenBy(asked, "CLIENT-SESSION-3", {
      message: "a bearer that was refused is sent again",
      expected: "another session",
      got: `the bearer that ${ordinalOf(told, asked)} was answered 401 for`,
    }),
  ];
}

/** Anything shorter may stand in a request by chance. */
const LEAST_BEARER = 8;

/** Whether the launch of a request that was refused asks for a challenge afterwards. */
function helpsItself(refused: Asked, { asked }: ClientReading): boolean {
  return asked.some(
    (one) =>
      one.turn.index > refused.turn.index &&
      one.operation === "challenge" &&
      one.launches.some((launch) => refused.launches.includes(launch)),
  );
}

function judgeElsewhere(asked: Asked, { sessions }: ClientReading): readonly Violation[] {
  const { headers, target } = asked.turn.request;
  const carries = [...sessions.keys()].some(
    (bearer) =>
      bearer.length >= LEAST_BEARER &&
      (target.includes(bearer) || headers.some(([, value]) => value.includes(bearer))),
  );
  if (!carries) return [];
  return [
    brokenBy(asked, "CLIENT-SESSION-4", {
      message: `${requestName(asked)} carries a bearer that it does not need`,
      expected: "a bearer with builds alone",
      got: "the bearer of a session",
    }),
  ];
}
