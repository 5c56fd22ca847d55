import { expect, test } from "vitest";
import { parseCommand } from "../arguments.ts";
import { smallVault } from "../testing.ts";
import { askedNodes } from "./scrub.ts";

const parse = (...args: string[]) =>
  parseCommand(["vault", "scrub", ...args], { projectDirectory: "/project", currentDirectory: "/here" });
const usual = {
  name: "scrub",
  config: "/project/.stashlight/vault/vault.json",
  drives: null,
  bytesPerSecond: null,
  isWaiting: false,
  isStopped: false,
};

test.each([
  [[], usual],
  [["--wait", "--rate", "32MB"], { ...usual, isWaiting: true, bytesPerSecond: 32_000_000 }],
  [["--drive", "p3", "--drive", "s7", "--drive", "p3"], { ...usual, drives: ["p3", "s7"] }],
  [["--stop", "--config", "v.json"], { ...usual, isStopped: true, config: "/here/v.json" }],
  [["--help"], { name: "help" }],
])("parses %j", (args, command) => {
  expect(parse(...args)).toEqual(command);
});

test.each([
  [["--drive", "pod-3"], '--drive must be a drive, such as p3 or s7; got "pod-3".'],
  [["--rate", "fast"], "--rate must be bytes per second for each drive, from 10kB to 10GB"],
  [["--rate", "9kB"], 'got "9kB"'],
  [["--stop", "--wait"], "--stop takes neither --rate nor --wait."],
  [["--stop", "--rate", "32MB"], "--stop takes neither --rate nor --wait."],
  [["p3"], "Unexpected argument 'p3'"],
])("refuses %j", (args, message) => {
  expect(() => parse(...args)).toThrow(message);
});

const vault = smallVault("test", { podNodeCount: 3, stashNodeCount: 3 });

test("queries all nodes with drives if no drive is given", () => {
  const asked = askedNodes(vault, null).map(({ node, drives }) => `${node.id}: ${drives.join(" ")}`);
  expect(asked).toEqual(["pod-1: p0", "pod-2: p1", "pod-3: p2", "stash-1: s0", "stash-2: s1", "stash-3: s2"]);
});

test("queries only nodes with a chosen drive, and refuses an unknown drive", () => {
  const asked = askedNodes(vault, ["s1", "p0"]).map(({ node, drives }) => `${node.id}: ${drives.join(" ")}`);
  expect(asked).toEqual(["pod-1: p0", "stash-2: s1"]);
  expect(() => askedNodes(vault, ["p0", "p9"])).toThrow(
    "The vault has no drive p9; it has p0, p1, p2, s0, s1, s2.",
  );
});
