import type { KnownVault } from "@stashlight/contracts/vault";
import { expect, test } from "vitest";
import { inVault, resolveScope, withinScope, withVault } from "./scope.ts";

const vault = (name: string, part: Partial<KnownVault> = {}): KnownVault => ({
  name,
  isSimulated: false,
  isRetired: false,
  ...part,
});
const [east, west] = [vault("east"), vault("west")];
const fleet = vault("fleet", { isSimulated: true });
const old = vault("old", { isRetired: true });

test.each([
  ["no vault", null, [], [], undefined, "No vault"],
  ["one vault", null, [east], ["east"], undefined, "Vault east"],
  ["real ones only", null, [east, west], ["east", "west"], undefined, "All 2 vaults"],
  [
    "simulated vaults beside real ones",
    null,
    [east, fleet, west],
    ["east", "west"],
    ["east", "west"],
    "2 measured vaults",
  ],
  ["simulated vaults only", null, [fleet], ["fleet"], undefined, "Vault fleet"],
  ["a revoked vault beside an active one", null, [east, old], ["east"], ["east"], "Vault east"],
  ["a chosen simulated vault", ["fleet"], [east, fleet], ["fleet"], ["fleet"], "Vault fleet"],
  ["all vaults", ["all"], [east, fleet, old], ["east", "fleet", "old"], undefined, "All 3 vaults"],
  ["some vaults", ["west", "east"], [east, fleet, west], ["east", "west"], ["east", "west"], "2 of 3 vaults"],
  ["a vault that no longer exists", ["gone"], [east, fleet], ["east"], ["east"], "Vault east"],
])("the scope resolves for %s", (_, chosen, known, vaults, asked, words) => {
  expect(resolveScope(chosen, known)).toEqual({ vaults, asked, isSeveral: vaults.length > 1, words });
});

test("a click on a vault shows it alone, the next adds one, and removing the last returns to all", () => {
  expect(withVault(null, "east", true)).toEqual(["east"]);
  expect(withVault(["all"], "east", true)).toEqual(["east"]);
  expect(withVault(["west"], "east", true)).toEqual(["east", "west"]);
  expect(withVault(["east", "west"], "east", false)).toEqual(["west"]);
  expect(withVault(["west"], "west", false)).toBeNull();
});

test("a query is restricted to the scope unless it names nodes or vaults itself", () => {
  const where = { tier: ["pod"] };
  expect(withinScope({ where }, { asked: ["east"] })).toEqual({ where: { tier: ["pod"], vault: ["east"] } });
  for (const own of [{ where, nodeIds: ["1"] }, { where: { vault: ["west"] } }]) {
    expect(withinScope(own, { asked: ["east"] })).toBe(own);
  }
  expect(withinScope({ where }, { asked: undefined })).toEqual({ where });
});

test("names have their vault as a prefix if several vaults are in scope", () => {
  expect(inVault("p0", "east", true)).toBe("east/p0");
  expect(inVault("p0", "east", false)).toBe("p0");
  expect(inVault("p0", null, true)).toBe("p0");
});
