import type { Violation } from "../../../engine/client/trace.ts";
import { show } from "../../../engine/play/judgement.ts";
import { type Asked, type ClientReading, type Launch, sameLaunch, wasTold } from "./client-reading.ts";
import { brokenBy } from "./found.ts";

/** Whether builds ask for what the client was to launch (contract, "Launch request"). */
export function judgeLaunchInput(reading: ClientReading): readonly Violation[] {
  const builds = reading.asked.filter(({ operation }) => operation === "build");
  return builds.flatMap((one) => {
    if (isAsGiven(one, reading) || wasCorrected(one, builds)) return [];
    const wanted = nearest(one, candidates(one, reading));
    if (wanted === undefined) return [];
    const changed = changedFields(one, wanted);
    return [
      brokenBy(one, "CLIENT-BUILD-2", {
        message: "a build asks for another launch than the client was given",
        expected: changed.map((name) => `${name} ${show(wanted.input[name], 80)}`).join(", "),
        got: changed.map((name) => `${name} ${show(one.body.members[name], 80)}`).join(", "),
      }),
    ];
  });
}

/** Whether the members that a build has are those of a launch that may have sent it. */
export function isAsGiven(build: Asked, reading: ClientReading): boolean {
  return candidates(build, reading).some((launch) => changedFields(build, launch).length === 0);
}

function candidates(build: Asked, { launches }: ClientReading): readonly Launch[] {
  const underWay = launches.filter(
    ({ record }) =>
      build.turn.tasks.includes(record.id) &&
      record.fromTurn <= build.turn.index &&
      build.turn.index < record.toTurn,
  );
  return underWay.length > 0
    ? underWay
    : launches.filter(({ record }) => record.fromTurn <= build.turn.index);
}

/** Members that are missing, or no text, are told by the rule about the form of the body. */
function changedFields({ body: { members } }: Asked, { input }: Launch): readonly string[] {
  return Object.keys(input).filter(
    (name) => typeof members[name] === "string" && members[name] !== input[name],
  );
}

function nearest(build: Asked, launches: readonly Launch[]): Launch | undefined {
  return [...launches].sort((a, b) => changedFields(build, a).length - changedFields(build, b).length)[0];
}

/** What a service refused as invalid may be corrected. */
function wasCorrected(build: Asked, builds: readonly Asked[]): boolean {
  return builds.some(
    (earlier) =>
      (earlier.status === 400 || earlier.status === 413) &&
      wasTold(earlier, build) &&
      (sameLaunch(earlier, build) || isOfOneId(earlier, build)),
  );
}

/** Whether two requests are of one launch as its user means it, which may be given more than once. */
function isOfOneId(one: Asked, other: Asked): boolean {
  const ids = new Set(one.launches.map(({ record }) => record.task["id"]));
  return other.launches.some(({ record }) => ids.has(record.task["id"]));
}
