import type { LiveAddVault } from "@stashlight/contracts/planner";
import { expect, test } from "vitest";
import { addVaultInWords } from "./add-vault.ts";

const figure: LiveAddVault = {
  vaults: ["north", "south"],
  fill: 0.61,
  source: "pods",
  n: 24,
  state: "growing",
  forecast: "80 % full in 3 to 9 days, from 12 days of history",
  nUnit: "points",
  range: null,
  basis: "measured",
  ageSeconds: 8,
};
const say = (more: Partial<LiveAddVault>) =>
  addVaultInWords({ figure: { ...figure, ...more }, missing: null });

test.each([
  [
    {},
    "info",
    "Add a vault when the endpoint reaches 80 %",
    "The vaults north and south behind one endpoint are 61 % full; 80 % full in 3 to 9 days, from 12 days of history.",
  ],
  [
    { vaults: ["local"], state: "not-soon", forecast: "no forecast: no growth beyond chance in 7 days" },
    "info",
    "No vault needs to be added",
    "The vault local is 61 % full; no forecast: no growth beyond chance in 7 days.",
  ],
  [
    {
      vaults: ["local"],
      state: "unknown",
      forecast: "no forecast: 28 minutes of history, 6 hours are needed",
    },
    "info",
    "When a vault has to be added is not known yet",
    "The vault local is 61 % full; no forecast: 28 minutes of history, 6 hours are needed.",
  ],
  [{ fill: 0.8, state: "due" }, "warning", "Add a vault now", "are 80 % full, beyond 80 %."],
] as const)(
  "the forecast %j is described by a title, a sentence and its source",
  (more, status, title, sentence) => {
    const words = say(more);
    expect(words).toMatchObject({ status, title });
    expect(words?.sentence).toContain(sentence);
    expect(words?.sentence).toContain("From pods; 24 points, measured, 8 s ago.");
  },
);

test("no vault is suggested if the pods reported nothing", () => {
  expect(addVaultInWords({ figure: null, missing: "No pod." })).toBeNull();
  expect(addVaultInWords(undefined)).toBeNull();
});
