import type { Measure } from "./measure.ts";
import { clientModule, clientProcess } from "./measures/client-run.ts";
import { defaultRunHttp } from "./measures/default-run-http.ts";
import { defaultRunModule } from "./measures/default-run-module.ts";
import { defaultRunReference } from "./measures/default-run-reference.ts";
import { defaultRunStdio } from "./measures/default-run-stdio.ts";
import { exhaustive } from "./measures/exhaustive.ts";
import { replayedBuild } from "./measures/replayed-build.ts";
import { serve } from "./measures/serve.ts";
import { slowService } from "./measures/slow-service.ts";
import { soak } from "./measures/soak.ts";
import { start, startBesideNode } from "./measures/start.ts";
import { verify } from "./measures/verify.ts";

/** Every measure, in the order in which they are taken. */
export const MEASURES: readonly Measure[] = [
  start,
  startBesideNode,
  defaultRunReference,
  defaultRunModule,
  defaultRunStdio,
  defaultRunHttp,
  slowService,
  exhaustive,
  verify,
  replayedBuild,
  soak,
  serve,
  clientModule,
  clientProcess,
];
