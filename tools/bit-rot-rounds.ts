/**
 * `pnpm drill:bit-rot [--rounds 100] [--seed N] [--scheme 4+2]`: flips bits of shards at rest on pods and stash
 * devices, in each round of one shard of an object up to one more than it can spare, and scrubs the drives once. It
 * prints what was found, repaired, reported as lost, or wrong. Exit code 1 unless everything was found and nothing was
 * wrong.
 */
import { randomSeed, runDrill } from "./run/drill.ts";

await runDrill({
  usage: "Usage: npm run drill:bit-rot -- [--rounds N] [--seed N] [--scheme K+M]",
  test: "agents/testing/src/faults/bit-rot.test.ts",
  options: {
    rounds: ["STASHLIGHT_BIT_ROT_COUNT", "100"],
    seed: ["STASHLIGHT_BIT_ROT_SEED", randomSeed()],
    scheme: ["STASHLIGHT_BIT_ROT_SCHEME", "4+2"],
  },
  forms: { scheme: [/^[1-9]\d?\+[1-9]\d?$/, "is not a scheme such as 4+2."] },
  describe: ({ rounds, seed, scheme }) => `${rounds} rounds on a vault of ${scheme}, seed ${seed}.`,
});
