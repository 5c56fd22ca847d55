import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { faultNames } from "../options.ts";
import { faultArgument, parseMutantArguments, parseSimArguments } from "./arguments.ts";

const every = {
  from: 1,
  seedCount: 1000,
  faults: faultNames,
  isTraced: false,
  mustReachAll: false,
  jobs: availableParallelism(),
};

test.each([
  [[], every],
  [["--seeds", "20", "--from=7", "--jobs", "3"], { ...every, seedCount: 20, from: 7, jobs: 3 }],
  [["--seeds", "400", "--all-hazards"], { ...every, seedCount: 400, mustReachAll: true }],
  [["--seed", "0", "--trace"], { ...every, from: 0, seedCount: 1, isTraced: true }],
  [["--faults", "bit-rot,power cut"], { ...every, faults: ["power cut", "bit rot"] }],
  [["--faults", "none"], { ...every, faults: [] }],
])("the command line of pnpm sim is parsed: %j", (args, expected) => {
  expect(parseSimArguments(args)).toEqual(expected);
});

test("every fault is accepted by name", () => {
  const args = ["--faults", faultNames.map(faultArgument).join(",")];
  expect(parseSimArguments(args)).toMatchObject({ faults: faultNames });
});

const allFaults = faultNames.map(faultArgument).join(", ");

test.each([
  [["--seeds", "many"], '--seeds takes a whole number of at least 1, not "many".'],
  [["--seeds", "0"], '--seeds takes a whole number of at least 1, not "0".'],
  [["--seeds"], "--seeds takes a whole number of at least 1, not nothing."],
  [["--seed", "-4"], '--seed takes a whole number of at least 0, not "-4".'],
  [["--seed", "9007199254740993"], '--seed takes a whole number of at least 0, not "9007199254740993".'],
  [["--jobs", "1.5"], '--jobs takes a whole number of at least 1, not "1.5".'],
  [["--seed", "3", "--seeds", "5"], "--seed is one seed; leave --seeds out."],
  [["--trace"], "--trace prints every event of one seed; name it with --seed N."],
  [
    ["--faults", "flood"],
    `There is no fault "flood"; --faults takes "none" or a comma-separated list of ${allFaults}.`,
  ],
  [
    ["--watch"],
    'pnpm sim does not know "--watch"; its options are --seeds, --from, --seed, --faults, --jobs, --trace, --all-hazards.',
  ],
  [
    ["12"],
    'pnpm sim does not know "12"; its options are --seeds, --from, --seed, --faults, --jobs, --trace, --all-hazards.',
  ],
])("pnpm sim refuses the arguments %j with a message", (args, sentence) => {
  expect(parseSimArguments(args)).toBe(sentence);
});

test("pnpm sim:mutants accepts names, and lists the valid ones when one is wrong", () => {
  const jobs = availableParallelism();
  expect(parseMutantArguments(["b", "--seeds", "5"], ["a", "b"])).toEqual({
    names: ["b"],
    isTold: false,
    from: 1,
    seedCount: 5,
    jobs,
  });
  expect(parseMutantArguments(["a", "--story"], ["a"])).toMatchObject({ isTold: true });
  expect(parseMutantArguments(["--story"], ["a"])).toBe(
    "--story explains how mutants are caught; name at least one.",
  );
  expect(parseMutantArguments(["c"], ["a", "b"])).toBe('There is no mutant "c"; choose from: a, b.');
  expect(parseMutantArguments(["--seed", "5"], ["a"])).toBe(
    'pnpm sim:mutants does not know "--seed"; its options are --seeds, --from, --jobs, --story.',
  );
});
