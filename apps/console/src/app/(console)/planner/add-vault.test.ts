import type { LiveAddVault } from "@stashlight/contracts/planner";
import { expect, test } from "vitest";
import { addVaultInWords } from "./add-vault.ts";

const figure: LiveAddVault = {
  ...{ vaults: ["north", "south"], fullness: 0.61, dueAtMs: Date.UTC(2026, 11, 3), source: "pods", n: 24 },
  ...{ nUnit: "points", range: null, basis: "measured", ageSeconds: 8 },
};
const say = (more: Partial<LiveAddVault>) =>
  addVaultInWords({ figure: { ...figure, ...more }, missing: null }, (ms) =>
    new Date(ms).toISOString().slice(0, 10),
  );

test.each([
  [
    {},
    "info",
    "Add a vault when the endpoint reaches 80 %, on 2026-12-03 at this growth",
    "The vaults north and south behind one endpoint are 61 % full.",
  ],
  [
    { vaults: ["local"], dueAtMs: null },
    "info",
    "No vault needs to be added",
    "The vault local is 61 % full, and at the growth of this time not 80 % within two years.",
  ],
  [{ fullness: 0.8 }, "warning", "Add a vault now", "are 80 % full, beyond 80 %."],
] as const)("%j is a title, a sentence and where it comes from", (more, status, title, sentence) => {
  const words = say(more);
  expect(words).toMatchObject({ status, title });
  expect(words?.sentence).toContain(sentence);
  expect(words?.sentence).toContain("From pods; 24 points, measured.");
});

test("nothing is said where the pods told nothing", () => {
  expect(addVaultInWords({ figure: null, missing: "No pod." }, String)).toBeNull();
  expect(addVaultInWords(undefined, String)).toBeNull();
});
