/** The schemas of files and the types of the library name the same members: compiling this is the test. */

import goldenSchema from "../../vectors/contract/golden.schema.json" with { type: "json" };
import goldenIndexSchema from "../../vectors/contract/golden-index.schema.json" with { type: "json" };
import reportSchema from "../../vectors/contract/report.schema.json" with { type: "json" };
import type { factsSchema } from "../adapters/implementation-info.schema.ts";
import type { Facts, Failure, Fixture, GoldenIndex, Report, Result, TraceEntry } from "../index.ts";

/** The members of the one that are none of the other, of both. */
type Differing<One, Other> = Exclude<keyof One, keyof Other> | Exclude<keyof Other, keyof One>;

/** Takes nothing but what differs in nothing. */
function same<_ extends never>(): void {}

const { properties, $defs } = reportSchema;
same<Differing<typeof properties, Report>>();
same<Differing<typeof $defs.result.properties, Result>>();
same<Differing<typeof $defs.failure.properties, Failure>>();
same<Differing<typeof $defs.exchange.properties, TraceEntry>>();
const { properties: fixture } = goldenSchema;
same<Differing<typeof fixture, Fixture>>();
const { properties: index } = goldenIndexSchema;
same<Differing<typeof index, GoldenIndex>>();
same<Differing<typeof factsSchema.properties, Facts>>();
