import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { decideVaultCount, vaultNumbers } from "./vault-count.ts";

const folder = useTestFolder();

function makeVaults(...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "vault.json"), "{}");
  }
}

test.each<[string[], number | undefined, object]>([
  [[], undefined, { total: 1, added: 1 }],
  [[], 3, { total: 3, added: 3 }],
  [["vault"], undefined, { total: 1, added: 0 }],
  [["vault"], 2, { total: 2, added: 1 }],
  [["vault", "vault-2", "vault-3"], undefined, { total: 3, added: 0 }],
  [["vault", "vault-2"], 4, { total: 4, added: 2 }],
  // A missing file in between does not remove the vaults with higher numbers.
  [["vault", "vault-3"], undefined, { total: 3, added: 0 }],
])("the option --vaults is resolved with %j in the data folder: %s becomes %j", (present, wanted, count) => {
  makeVaults(...present);
  expect(decideVaultCount(folder, wanted)).toEqual(count);
});

test("fewer vaults than exist are refused with the reason", () => {
  makeVaults("vault", "vault-2", "vault-3");
  expect(() => decideVaultCount(folder, 2)).toThrow(
    `--vaults 2 is fewer than the 3 vaults of this data folder, and a vault cannot be removed: each of them holds objects, down to ${folder}/vault-3. Leave --vaults out, or give 3 or more.`,
  );
});

test("vaults are numbered from 1", () => {
  expect(vaultNumbers({ total: 3 })).toEqual([1, 2, 3]);
});
