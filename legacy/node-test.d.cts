/** What `node-test.cjs` exports: the same as the module beside it. */
type NodeTest = typeof import("./node-test.ts", { with: { "resolution-mode": "import" }});

export declare const conformanceTests: NodeTest["conformanceTests"];
