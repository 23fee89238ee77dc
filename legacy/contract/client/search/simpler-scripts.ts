/** What a vector says, and a part of it. */
type Entry = Readonly<Record<string, unknown>>;

/** Members of an entry of `service` without which it still says something. */
const NEEDLESS = ["nth", "for", "pass", "effect", "headers", "add"];

/** Scripts that say a little less than this one, those that say least first. */
export function simplerScripts(script: Entry): readonly Entry[] {
  const service = listOf(script["service"]);
  const steps = listOf(script["steps"]);
  const served = (changed: readonly Entry[]) => withService(script, changed);
  const stepped = (changed: readonly Entry[]) => ({ ...script, steps: named(changed) });
  return [
    ...steps.map((_, place) => stepped(withoutStep(steps, place))),
    ...service.map((_, place) => served(service.toSpliced(place, 1))),
    ...steps.flatMap((step, place) =>
      simplerSteps(step).map((simpler) => stepped(steps.toSpliced(place, 1, ...simpler))),
    ),
    ...service.flatMap((one, place) =>
      simplerEntries(one).map((simpler) => served(service.with(place, simpler))),
    ),
  ].filter((simpler) => listOf(simpler["steps"]).length > 0);
}

function listOf(value: unknown): readonly Entry[] {
  return (value ?? []) as readonly Entry[];
}

function withService({ service: _, ...rest }: Entry, service: readonly Entry[]): Entry {
  return service.length === 0 ? rest : { service, ...rest };
}

/** Without a step, and without what gives its launch again. */
function withoutStep(steps: readonly Entry[], place: number): readonly Entry[] {
  const { as } = steps[place] ?? {};
  return steps.filter(
    (step, other) => other !== place && (as === undefined || givenAgain(step) !== `$${as}`),
  );
}

function givenAgain(step: Entry): unknown {
  return (step["launch"] as Entry | undefined)?.["again"];
}

/** Only what is given again has a name. */
function named(steps: readonly Entry[]): readonly Entry[] {
  const wanted = new Set(steps.map(givenAgain));
  return steps.map(({ as, ...rest }) => (as === undefined || !wanted.has(`$${as}`) ? rest : { ...rest, as }));
}

/** What may stand in place of a step. */
function simplerSteps(step: Entry): readonly (readonly Entry[])[] {
  if (step["together"] !== undefined) {
    const launches = listOf(step["together"]);
    const fewer =
      launches.length > 2 ? launches.map((_, place) => ({ together: launches.toSpliced(place, 1) })) : [];
    return [...launches.map((launch) => [launch]), launches, ...fewer.map((one) => [one])];
  }
  const { token, ...launch } = (step["launch"] ?? {}) as Entry;
  const plainer = token === undefined ? [] : [[{ ...step, launch }]];
  const byAlice =
    launch["by"] === "bob" ? [[{ ...step, launch: { ...(step["launch"] as Entry), by: "alice" } }]] : [];
  return [...plainer, ...byAlice];
}

/** What may stand in place of an entry of `service`. */
function simplerEntries(entry: Entry): readonly Entry[] {
  return NEEDLESS.filter((member) => entry[member] !== undefined)
    .map((member) => Object.fromEntries(Object.entries(entry).filter(([name]) => name !== member)))
    .filter((simpler) =>
      Object.keys(simpler).some((name) => name !== "on" && !NEEDLESS.slice(0, 2).includes(name)),
    );
}
