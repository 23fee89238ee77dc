import { type Arm, armed } from "./armed.ts";
import { brokenChallenges } from "./broken-challenges.ts";
import { brokenCrowds } from "./broken-crowds.ts";
import { brokenDrafts } from "./broken-drafts.ts";
import { brokenInputs } from "./broken-inputs.ts";
import { brokenRates } from "./broken-rates.ts";
import { brokenRevivals } from "./broken-revivals.ts";
import { brokenSessions } from "./broken-sessions.ts";
import type { HiddenFault } from "./hidden-fault.ts";

/** What a fault waits for, where a vector would otherwise come upon it at once. */
const ARMS: Readonly<Record<string, Arm>> = {
  "the third retry gets another draft": "two creators have drafts",
  "the fourth retry is told to take a new key": "a build was refused for its input",
  "a restart within the half minute keeps the keys": "there was a retry",
  "the second retry begins the half minute anew": "there was a conflict",
  "a conflict begins the half minute anew": "a build was refused for its input",
  "two conflicts and the first input has lost its draft": "there was a retry",
  "a retry finds the draft that was last built under its key, whoever built it": "there was a retry",
  "once a key was retried, its upper and lower case are one": "there was a conflict",
  "after one conflict a changed name goes unnoticed": "there was a retry",
  "the order of members counts from the second retry on": "two creators have drafts",
  "a session lives for an hour since its last use": "two creators have drafts",
  "the third session of a creator ends the first": "there was a retry",
  "a bad proof leaves the challenge alone where its creator has another one": "three sessions were opened",
  "a good proof uses up every challenge of its creator": "there was a retry",
  "a bad proof uses up the challenge that was issued last, too": "there was a retry",
  "an expired challenge is taken while its creator has a live one": "two creators have drafts",
  "the third attempt at one challenge is told that its proof is invalid": "two creators have drafts",
  "a bad proof ends the sessions of its creator": "there was a retry",
  "whoever has a session proves for others, too": "three sessions were opened",
  "a build that was refused for its input frees a place": "two creators have drafts",
  "a conflict frees a place": "two creators have drafts",
  "whoever was refused for the rate twice is served": "there was a conflict",
  "from the third retry on, retries count": "two creators have drafts",
  "a spent minute lasts two": "there was a conflict",
  "two creators who build in turn share the five": "there was a retry",
  "a retry in a spent minute is refused from the second time on": "a build was refused for its input",
};

/** Services whose fault no vector comes upon: it waits for several things to have happened together. */
export const hiddenFaults: readonly HiddenFault[] = [
  ...brokenDrafts,
  ...brokenChallenges,
  ...brokenSessions,
  ...brokenRates,
  ...brokenInputs,
  ...brokenRevivals,
  ...brokenCrowds,
].map((wrong) => {
  const arm = ARMS[wrong.name];
  return arm === undefined ? wrong : armed(arm, wrong);
});
