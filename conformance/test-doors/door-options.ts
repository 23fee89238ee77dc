import type { ServiceModule } from "../adapters/in-process.ts";
import type { JudgeOptions } from "../api/judge-options.ts";
import type { AttachTarget, CommandTarget, ModuleTarget, ServiceTarget, UrlTarget } from "../api/target.ts";

/** Which vectors and properties become tests, and how they are tried: options of `judge`. */
export type Selection = Pick<
  JudgeOptions,
  "only" | "seed" | "salt" | "runs" | "exhaustive" | "timeout" | "maxWait"
>;

/** An implementation that is reached from outside. */
export type OutsideTarget = ModuleTarget | CommandTarget | AttachTarget | UrlTarget;

/** An implementation under test: one that is reached from outside, or a service of the test file, in its place as well. */
export type Target = OutsideTarget | ServiceTarget | ServiceModule;

/** What `conformanceTests` is given: the implementation and, beside it, the selection. */
export type DoorOptions = Target & Selection;

/** What the tests of a runner that cannot share its world with the service are given. */
export type OutsideDoorOptions = OutsideTarget & Selection;
