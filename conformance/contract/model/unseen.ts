import type { Outcome } from "../../engine/outcome.ts";
import { merge, type Prediction } from "../../engine/search/model.ts";
import { OUTCOMES } from "../operations.ts";
import type { PostOperation } from "../request-fields.ts";

/** What may be refused for what nobody saw: a restart, a key that was used, a minute that was spent, a store that is full. */
const REFUSALS: Readonly<Record<PostOperation, readonly Outcome[]>> = {
  challenge: [OUTCOMES.full, OUTCOMES.limited],
  verify: [OUTCOMES.spentChallenge, OUTCOMES.full, OUTCOMES.limited],
  build: [OUTCOMES.unauthorized, OUTCOMES.conflict, OUTCOMES.rebuild, OUTCOMES.limited, OUTCOMES.full],
};

/** What is allowed where the service may have been asked and restarted without anybody's seeing it. */
export function withUnseen(operation: PostOperation, { expected, learn }: Prediction): Prediction {
  const { usual, points, rulesFor } = expected;
  return {
    expected: {
      usual,
      points,
      rulesFor,
      get outcomes() {
        return merge([...expected.outcomes, ...REFUSALS[operation]]);
      },
    },
    learn,
  };
}
