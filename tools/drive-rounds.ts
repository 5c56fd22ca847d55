/**
 * `pnpm drill:drives [--rounds 200] [--seed N] [--vaults 2] [--seconds-max 60]`: rounds of random drive faults on vaults
 * of 16+4 under load. It prints what was acknowledged, lost, wrong or reported as non-existent, and how long it took until
 * clients were served again. The vaults run at the same time and share the rounds. Exit code 1 when anything was lost.
 */
import { randomSeed, runDrill } from "./run/drill.ts";

await runDrill({
  usage: "Usage: npm run drill:drives -- [--rounds N] [--seed N] [--vaults N] [--seconds-max SECONDS]",
  test: "agents/testing/src/faults/random-rounds.test.ts",
  options: {
    rounds: ["STASHLIGHT_DRIVE_ROUNDS_COUNT", "200"],
    seed: ["STASHLIGHT_DRIVE_ROUNDS_SEED", randomSeed()],
    vaults: ["STASHLIGHT_DRIVE_ROUNDS_VAULTS", "2"],
    "seconds-max": ["STASHLIGHT_DRIVE_ROUNDS_SECONDS_MAX", "60"],
  },
  describe: ({ rounds, seed, vaults, "seconds-max": secondsMax }) =>
    `${rounds} rounds of up to ${secondsMax} s, seed ${seed}, on ${vaults} vaults.`,
});
