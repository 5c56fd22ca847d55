import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { control } from "../mutants/control.ts";
import { faultNames } from "../options.ts";
import { hunt, huntOptions } from "./hunt.ts";
import { SimulationThread } from "./pool.ts";
import { describeFailure, replayCommand } from "./report.ts";

function start(file: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("pnpm sim reports what it checked and which hazards it never met, and exits with 0", () => {
  const { status, stdout } = start("main.ts", "--seeds", "4", "--jobs", "2");
  expect(stdout).toMatch(/^hazard +times +situation +times\n/);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
    /^4 seeds held, each run twice with equal results: [\d,]+ events in \d+ s, [\d,]+ per second per core; NEVER REACHED: /,
  );
  expect(status).toBe(0);
}, 60_000);

test("pnpm sim --all-hazards exits with 1 if a hazard was never met", () => {
  const { status, stdout } = start("main.ts", "--seeds", "2", "--jobs", "1", "--all-hazards");
  expect(stdout).toContain("2 seeds held");
  expect(stdout).toContain("NEVER REACHED: ");
  expect(status).toBe(1);
}, 60_000);

test("wrong arguments exit with 2 and print one sentence", () => {
  expect(start("main.ts", "--seeds", "x")).toEqual({
    status: 2,
    stdout: "",
    stderr: '--seeds takes a whole number of at least 1, not "x".\n',
  });
  expect(start("mutants.ts", "--jobs", "0").status).toBe(2);
}, 60_000);

test("pnpm sim:mutants exits with 1 if a mutant survives and with 0 if it is caught", () => {
  const caught = start("mutants.ts", "ack-without-stash", "--seeds", "20", "--jobs", "1");
  expect(caught.stdout).toContain("1 of 1 mutants killed within 20 seeds");
  expect(caught.status).toBe(0);
  const alive = start("mutants.ts", control.name, "--seeds", "3", "--jobs", "1");
  expect(alive.stdout).toContain(`SURVIVED: ${control.name}.`);
  expect(alive.status).toBe(1);
}, 60_000);

test("pnpm sim shrinks a failing seed, explains it, and prints how to replay it", async () => {
  const { finding, seed } = await hunt("ack-without-stash", 1, 20);
  if (finding === null || seed === null) throw new Error("The mutant was not caught.");
  const thread = new SimulationThread({ mutantName: "ack-without-stash" });
  const options = huntOptions(seed, "ack-without-stash");
  const explanation = await thread.do({ type: "explain", options, finding, budgetMs: 30_000 });
  await thread.end();
  expect(explanation.finding.property).toBe(finding.property);
  const { operations, faults } = explanation.options;
  expect(operations.length).toBeLessThan(options.operations.length / 4);
  expect(faults.length).toBeLessThanOrEqual(2);
  const text = describeFailure(seed, faultNames, explanation);
  expect(text).toContain(`Seed ${seed} breaks a promise. ${finding.property}: `);
  expect(text).toContain(`Replay it with: pnpm sim --seed ${seed}\n`);
  expect(text).toContain('"operations": [\n    {"atMs":');
  expect(text.split("\n").at(-1)).toContain(`BROKEN ${finding.property}: `);
}, 60_000);

test("the replay command names the faults with which the seed was drawn", () => {
  expect(replayCommand(7, faultNames)).toBe("pnpm sim --seed 7");
  expect(replayCommand(7, ["power cut", "bit rot"])).toBe("pnpm sim --seed 7 --faults power-cut,bit-rot");
  expect(replayCommand(7, [])).toBe("pnpm sim --seed 7 --faults none");
});
