import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkStashPlanInput, defaultPlanInput, planFields, planStash, planVariables } from "../index.ts";
import { planRules } from "./rules.ts";

/** Paths of all leaves of the default input, with something installed. */
function pathsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return pathsOf(value[0], path);
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, part]) => pathsOf(part, path === "" ? key : `${path}.${key}`));
}

const whole = { ...defaultPlanInput, installed: { servers: 7, drivesPerServer: 10 } };

test("every input has one field, and every field an input", () => {
  expect(planFields.map(({ path }) => path).sort()).toEqual(pathsOf(whole, "").sort());
});

test("every number has bounds that its field can show, and the default lies within", () => {
  for (const { path, bounds, factor, step } of planFields) {
    if (path === "drive.name") expect(bounds).toBeNull();
    else {
      expect(bounds, path).not.toBeNull();
      expect(Number.isFinite(bounds?.min) && Number.isFinite(bounds?.max), path).toBe(true);
      expect(factor * step, path).toBeGreaterThan(0);
    }
  }
});

test("what can be varied are fields", () => {
  const paths = new Set(planFields.map(({ path }) => path));
  expect(planVariables.filter((variable) => !paths.has(variable))).toEqual([]);
});

test("the default is an input, and is sized as the sentence of the worked example says", () => {
  expect(checkStashPlanInput(defaultPlanInput)).toEqual({ input: defaultPlanInput, problems: [] });
  expect(planStash(defaultPlanInput)).toMatchObject({ drives: 70, servers: 7, drivesForLoad: 7 });
});

test("a plan that was saved before an input existed gets the default of that input", () => {
  const saved = structuredClone(defaultPlanInput) as Partial<typeof defaultPlanInput>;
  for (const [name, { otherwise }] of Object.entries(planRules)) {
    if (otherwise !== undefined) delete saved[name as keyof typeof saved];
  }
  expect(checkStashPlanInput(saved).input).toEqual(defaultPlanInput);
});

test("docs/planning.md names every input", () => {
  const text = readFileSync(new URL("../../../../docs/planning.md", import.meta.url), "utf8");
  const names = planFields.map(({ path }) => path.split(".")[0] as string);
  expect([...new Set(names)].filter((name) => !text.includes(`\`${name}`))).toEqual([]);
});
