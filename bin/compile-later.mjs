/**
 * Has V8 make machine code of a function only once it has run three times as much as V8 thinks enough. A run is over in
 * seconds, and each of its threads makes all of it for itself: on Node 20 that is a third of the work of a usual run, more
 * than most of the code then saves. Later ones come by Maglev to code that costs little to make, and are left as they are.
 */
import { setFlagsFromString } from "node:v8";

/** The first V8 with Maglev on. */
const WITH_MAGLEV = 12;
/** Bytes of bytecode: V8's own is 132 KiB. */
const BUDGET = 396 * 1024;

// A V8 that does not know a flag says so on the standard error.
if (Number.parseInt(process.versions.v8, 10) < WITH_MAGLEV)
  setFlagsFromString(`--interrupt-budget=${BUDGET}`);
