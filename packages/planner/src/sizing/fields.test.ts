import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkStashPlanInput, defaultPlanInput, planFields, planStash, planVariables } from "../index.ts";
import { isNumberRow, type Row } from "./rows/row.ts";
import { planRows } from "./table.ts";

/** Paths of all leaves of the default input, with an installed pool. */
function fieldPaths(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return fieldPaths(value[0], path);
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, part]) =>
    fieldPaths(part, path === "" ? key : `${path}.${key}`),
  );
}

const whole = {
  ...defaultPlanInput,
  installed: { servers: 7, drivesPerServer: 10, driveCapacityBytes: null, driveFsyncPerSecond: null },
};

test("every input has exactly one field, and every field an input", () => {
  expect(planFields.map(({ path }) => path).sort()).toEqual(fieldPaths(whole, "").sort());
});

test("every number has bounds that its field can display, and its default is within them", () => {
  for (const { path, bounds, factor, step } of planFields) {
    if (path === "drive.name") expect(bounds).toBeNull();
    else {
      expect(bounds, path).not.toBeNull();
      expect(Number.isFinite(bounds?.min) && Number.isFinite(bounds?.max), path).toBe(true);
      expect(factor * step, path).toBeGreaterThan(0);
    }
  }
});

test("every input that can be varied is a field", () => {
  const paths = new Set(planFields.map(({ path }) => path));
  expect(planVariables.filter((variable) => !paths.has(variable))).toEqual([]);
});

test("the default is a valid input, and its sizing matches the worked example", () => {
  expect(checkStashPlanInput(defaultPlanInput)).toEqual({ input: defaultPlanInput, problems: [] });
  expect(planStash(defaultPlanInput)).toMatchObject({ drives: 70, servers: 7, drivesForLoad: 7 });
});

test("a plan saved before an input existed gets the default of that input", () => {
  const saved = structuredClone(defaultPlanInput) as Partial<typeof defaultPlanInput>;
  for (const [name, row] of Object.entries<Row>(planRows)) {
    if (isNumberRow(row) && row.isLater) delete saved[name as keyof typeof saved];
  }
  expect(checkStashPlanInput(saved).input).toEqual(defaultPlanInput);
});

/** Product files of a folder, as paths from the root. */
const filesOf = (folder: string): string[] =>
  readdirSync(new URL(`../../../../${folder}/`, import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`);

const FORMULAS = /^packages\/planner\/src\/(answer\/|sizing\/(required-drives|endurance)\.ts$)/;
/**
 * These files may name an input too: its row contains neither rules for several numbers, nor fleet figures, nor the
 * words of answers.
 */
const TOGETHER = [
  "packages/planner/src/sizing/input.ts",
  "packages/planner/src/sizing/mix.ts",
  "packages/planner/src/sizing/variables.ts",
  "packages/planner/src/load-log/fill.ts",
  "apps/console/src/app/(console)/planner/live.ts",
  "apps/cli/src/plan/arguments.ts",
  "apps/cli/src/plan/plan.ts",
  "apps/cli/src/plan/render.ts",
];

test("inputs that were added later are named only in the table, in formulas and in rules for several inputs", () => {
  const folders = ["packages/planner/src", "apps/cli/src/plan", "apps/console/src/app/(console)/planner"];
  const files = folders
    .flatMap(filesOf)
    .filter((file) => !file.startsWith("packages/planner/src/sizing/rows/") && !FORMULAS.test(file))
    .filter((file) => !TOGETHER.includes(file));
  const texts = files.map((file) => [
    file,
    readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8"),
  ]);
  const later = Object.entries<Row>(planRows).flatMap(([path, row]) =>
    isNumberRow(row) && row.isLater ? [path] : [],
  );
  expect(later).toHaveLength(32);
  const named = later.flatMap((path) =>
    texts.flatMap(([file, text = ""]) =>
      new RegExp(`\\b${path}\\b`).test(text) ? [`${path}: ${file}`] : [],
    ),
  );
  expect(named).toEqual([]);
});
