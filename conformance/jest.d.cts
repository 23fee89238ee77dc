import type { OutsideDoorOptions } from "./test-doors/door-options.ts" with { "resolution-mode": "import" };

export type { OutsideDoorOptions };

/**
 * Registers a test of jest for every vector and every property, named by its id, in a suite for each of the kit's
 * suites: one call in a test file. jest cannot skip a test that runs, so that the implementation is judged at this call,
 * in a process of its own, and the tests tell what came of it; what the implementation lacks is skipped, the reason
 * behind its name. A service in TypeScript is named by its file, which the kit loads, whatever jest is set to.
 *
 * @param options the implementation under test, by one of `module`, `command`, `attach` or `url` (as on the command
 *   line, with the options that go with it); and the selection. What takes no `-t`, which only chooses what is shown:
 *   `only` chooses what is judged
 * @throws where no implementation is named, it cannot be run, an option is wrong, or a glob matches nothing
 */
export declare function conformanceTests(options: OutsideDoorOptions): void;
