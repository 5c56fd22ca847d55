/**
 * `pnpm drill:drives [--rounds 200] [--seed N] [--vaults 2] [--seconds-max 60]`: rounds of random drive faults on vaults
 * of 16+4 under load. It prints what was acknowledged, lost, wrong or reported as non-existent, and how long it took until
 * clients were served again. The vaults run at the same time and share the rounds. Exit code 1 when anything was lost.
 */
import { endChildrenOnSignal, runCommand, runTurbo } from "./run/command.ts";
import { parseToolArguments } from "./run/tool-arguments.ts";

const USAGE = "Usage: npm run drill:drives -- [--rounds N] [--seed N] [--vaults N] [--seconds-max SECONDS]";
const { values } = parseToolArguments(USAGE, {
  options: {
    rounds: { type: "string", default: "200" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    vaults: { type: "string", default: "2" },
    "seconds-max": { type: "string", default: "60" },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d*$/.test(value) || (name === "seed" && value === "0")) continue;
  console.error(`--${name} ${value} is not a whole number above 0.`);
  process.exit(1);
}
endChildrenOnSignal();
const generated = await runTurbo(["generate"]);
if (!generated.isGreen) {
  console.error(generated.output);
  process.exit(1);
}
const environment = {
  STASHLIGHT_DRIVE_ROUNDS_COUNT: values.rounds,
  STASHLIGHT_DRIVE_ROUNDS_SEED: values.seed,
  STASHLIGHT_DRIVE_ROUNDS_VAULTS: values.vaults,
  STASHLIGHT_DRIVE_ROUNDS_SECONDS_MAX: values["seconds-max"],
};
console.log(
  `${values.rounds} rounds of up to ${values["seconds-max"]} s, seed ${values.seed}, on ${values.vaults} vaults.`,
);
const args = [
  "run",
  "--project",
  "vault",
  "--disableConsoleIntercept",
  "agents/testing/src/faults/random-rounds.test.ts",
];
const { isGreen } = await runCommand("vitest", args, { environment, live: true });
if (!isGreen) process.exitCode = 1;
