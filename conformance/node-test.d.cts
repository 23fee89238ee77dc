/** What {@link file://./node-test.cjs} exports: the same as the module beside it. */
type NodeTest = typeof import("./node-test.ts", { with: { "resolution-mode": "import" }});

export type {
  Selection,
  Target,
} from "./node-test.ts" with { "resolution-mode": "import" };

export declare const conformanceTests: NodeTest["conformanceTests"];
