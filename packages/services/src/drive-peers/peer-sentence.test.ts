import type { PeerJudgement } from "@stashlight/stats/fail-slow";
import { expect, test } from "vitest";
import { describePeerVerdict } from "./peer-sentence.ts";

const judgement = (state: PeerJudgement["state"]): PeerJudgement => ({
  id: "p7",
  state,
  slowdown: state === "unknown" ? null : 2.34,
  slowdownInterval: state === "slow" ? { low: 2.1, high: 2.58 } : null,
  sinceWindow: null,
  slowHours: 31,
});
const cluster = { model: "X", firmware: "Y", slowCount: 7, driveCount: 7 };
const peers = "as long to sync as 19 peers at the same load, in 31 of the last 48 hours";
const [seen, watched] = [`p7 takes 2.3 times (2.1 to 2.6) ${peers}`, `p7 takes 2.3 times ${peers}`];

test.each([
  ["slow", 19, null, `${seen}. Replace it, once cable, slot and temperature are ruled out.`],
  ["watch", 19, null, `${watched}. Watch it: after 8 slow hours within two days it counts as slow.`],
  [
    "slow",
    19,
    cluster,
    `${seen}. So do 7 of 7 of model X, firmware Y, and no other drive: look for another firmware before you replace any.`,
  ],
  ["as peers", 19, null, "p7 takes 2.3 times as long to sync as 19 peers at the same load: nothing to do."],
  [
    "unknown",
    3,
    null,
    "p7 has 3 peers with syncs in a whole ten minutes of the last seven days; a comparison needs 4.",
  ],
  [
    "unknown",
    1,
    null,
    "p7 has 1 peer with syncs in a whole ten minutes of the last seven days; a comparison needs 4.",
  ],
  [
    "unknown",
    19,
    null,
    "p7 has enough syncs in fewer than 6 of the last 48 hours; a comparison with its 19 peers needs 6.",
  ],
] as const)(
  "a drive that is %s among %i peers is described with what to do",
  (state, peerCount, found, sentence) => {
    expect(
      describePeerVerdict({ device: "p7", judgement: judgement(state), peerCount, cluster: found }),
    ).toBe(sentence);
  },
);
