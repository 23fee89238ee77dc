import type { Outcome } from "../../engine/outcome.ts";
import { merge, type Prediction } from "../../engine/search/model.ts";
import { OUTCOMES } from "../operations.ts";
import type { PostOperation } from "../request-fields.ts";
import { refusalsOf } from "./request-fault.ts";

/** What may be refused for what nobody saw: a restart, a key that was used, a minute that was spent, a store that is full. */
const REFUSALS: Readonly<Record<PostOperation, readonly Outcome[]>> = {
  challenge: [OUTCOMES.full, OUTCOMES.limited],
  verify: [OUTCOMES.spentChallenge, OUTCOMES.full, OUTCOMES.limited],
  build: [OUTCOMES.unauthorized, OUTCOMES.conflict, OUTCOMES.rebuild, OUTCOMES.limited, OUTCOMES.full],
};

/** A service that was started anew does not know the challenge, whatever it calls that. */
function afterRestart(operation: PostOperation): readonly Outcome[] {
  return operation === "verify" ? refusalsOf("UNKNOWN-CHALLENGE") : [];
}

/** What is allowed where the service may have been asked and restarted without anybody's seeing it. */
export function withUnseen(operation: PostOperation, { expected, learn }: Prediction): Prediction {
  const { usual, points, rulesFor } = expected;
  return {
    expected: {
      usual,
      points,
      rulesFor,
      get outcomes() {
        return merge([...expected.outcomes, ...REFUSALS[operation], ...afterRestart(operation)]);
      },
    },
    learn,
  };
}
