import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./environment.ts";
import {
  chooseSpecs,
  chooseUnitFiles,
  chooseVaultFiles,
  LONG_TESTS,
  listSpecs,
  MAIN_SPECS,
  SEEDS,
  VAULT_SMOKE,
} from "./quick-tests.ts";

test.each([...LONG_TESTS, ...VAULT_SMOKE, ...MAIN_SPECS])("%s is a file", (path) => {
  expect(existsSync(join(repositoryRoot, path))).toBe(true);
});

test("every browser spec belongs to either the quick run or the rest", () => {
  const both = [...chooseSpecs("quick"), ...chooseSpecs("rest")];
  expect(both.toSorted()).toEqual(listSpecs());
  expect(chooseSpecs("all")).toEqual([]);
});

test.each([chooseUnitFiles, chooseVaultFiles])(
  "quick and rest each name the files that the other leaves out, and all leaves out none (%o)",
  (choose) => {
    expect(choose("quick").leftOut).toEqual(choose("rest").named);
    expect(choose("rest").leftOut).toEqual(choose("quick").named);
    expect(choose("all")).toEqual({ named: [], leftOut: [] });
  },
);

test("the rest of the seeds begins where the quick run ends, and both are all", () => {
  expect(SEEDS.rest.from).toBe(SEEDS.quick.from + SEEDS.quick.count);
  expect(SEEDS.quick.count + SEEDS.rest.count).toBe(SEEDS.all.count);
});
