import { expect, test } from "vitest";
import { type BoundaryRules, boundaryRules } from "../boundaries/rules.ts";
import { withImports } from "./imports.ts";

const PLACE = "<!-- The imports, written by pnpm docs:imports -->\n\n<!-- End of the imports -->\n";

const rules: BoundaryRules = {
  ...boundaryRules,
  units: [
    { unit: "apps/console", mayImport: ["services", "contracts"], testsMayImport: ["db"] },
    { unit: "packages/services", mayImport: ["contracts"] },
    { unit: "packages/contracts", mayImport: [] },
    { unit: "tools", mayImport: "any package" },
  ],
};

test("the diagram has an arrow for each import that does not follow from others", () => {
  const document = withImports(PLACE, rules);
  expect(document.match(/^ {2}\w+ --> \w+$/gm)).toEqual([
    "  apps_console --> services",
    "  services --> contracts",
  ]);
});

test("the table has every folder with all that it may import", () => {
  const rows = withImports(PLACE, rules)
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  expect(rows.map((row) => row.replaceAll(/ +/g, " "))).toEqual([
    "| `apps/console` | services, contracts | db |",
    "| `packages/services` | contracts | |",
    "| `packages/contracts` | nothing of ours | |",
    "| `tools` | any package | |",
  ]);
});

test("writing the imports twice changes nothing, and a document without marks is refused", () => {
  const once = withImports(PLACE, rules);
  expect(withImports(once, rules)).toBe(once);
  expect(() => withImports("# Architecture", rules)).toThrow("no place for the imports");
});
