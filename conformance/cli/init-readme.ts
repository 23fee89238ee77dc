import { CONTRACT_ID } from "../contract/operations.ts";
import type { Skeleton } from "./skeletons.ts";

/** The README that `init` writes beside a skeleton. */
export function initReadme({ files, runOptions }: Skeleton): string {
  const rows = Object.entries(files).map(([file, content]) => `- \`${file}\`: ${content}`);
  return `# Adapter for the conformance kit

The kit judges a service of contract \`${CONTRACT_ID}\` through this skeleton.

${rows.join("\n")}

Run the kit on it, where the kit is installed, from this folder:

    npx launch-draft-conformance run ${runOptions((file) => file)}

or from a checkout of the kit:

    npm run --silent conformance -- run ${runOptions((file) => `/path/to/${file}`)}

It ends with exit status 1: the skeleton knows no route yet. What to do:

1. Put your service in the place marked REPLACE, and give it the clock it is handed. It must read no other clock, or
   lifetimes cannot be tested.
2. State the facts: the two metadata hosts, and, where they apply, the operator key, how the message of a challenge
   becomes the bytes to sign (\`signedBytes\`), and the most entries held at once. The kit cannot see these from outside.
3. Run the kit, and begin with the first failure. \`--bail\` stops there, \`--only GLOB\` chooses vectors, \`list\` shows
   them, and \`explain ID\` says what a rule or a vector is about.

Exit status: 0 conforms, 1 does not, 2 wrong usage, 3 the adapter broke, 4 a required rule was not tried.
`;
}
