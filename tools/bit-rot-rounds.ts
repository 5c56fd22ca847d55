/**
 * `pnpm drill:bit-rot [--rounds 100] [--seed N] [--scheme 4+2]`: flips bits of shards at rest on pods and stash devices, in
 * each round of one shard of an object up to one more than it can spare, and scrubs the drives once. It prints what was
 * found, repaired, named as lost, or wrong. Exit code 1 unless everything was found and nothing was wrong.
 */
import { endChildrenOnSignal, runCommand, runTurbo } from "./run/command.ts";
import { parseToolArguments } from "./run/tool-arguments.ts";

const USAGE = "Usage: npm run drill:bit-rot -- [--rounds N] [--seed N] [--scheme K+M]";
const { values } = parseToolArguments(USAGE, {
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    scheme: { type: "string", default: "4+2" },
  },
});
for (const [name, value] of [
  ["rounds", values.rounds],
  ["seed", values.seed],
] as const) {
  if (/^[1-9]\d*$/.test(value) || (name === "seed" && value === "0")) continue;
  console.error(`--${name} ${value} is not a whole number above 0.`);
  process.exit(1);
}
if (!/^[1-9]\d?\+[1-9]\d?$/.test(values.scheme)) {
  console.error(`--scheme ${values.scheme} is no scheme such as 4+2.`);
  process.exit(1);
}
endChildrenOnSignal();
const generated = await runTurbo(["generate"]);
if (!generated.isGreen) {
  console.error(generated.output);
  process.exit(1);
}
const environment = {
  STASHLIGHT_BIT_ROT_COUNT: values.rounds,
  STASHLIGHT_BIT_ROT_SEED: values.seed,
  STASHLIGHT_BIT_ROT_SCHEME: values.scheme,
};
console.log(`${values.rounds} rounds on a vault of ${values.scheme}, seed ${values.seed}.`);
const args = [
  "run",
  "--project",
  "vault",
  "--disableConsoleIntercept",
  "agents/testing/src/faults/bit-rot.test.ts",
];
const { isGreen } = await runCommand("vitest", args, { environment, live: true });
if (!isGreen) process.exitCode = 1;
