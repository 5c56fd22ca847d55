import { driveRules, type NumberRule, objectRules, planRules, poolRules } from "./rules.ts";

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

const groups: Readonly<Record<string, Readonly<Record<string, NumberRule>>>> = {
  drive: driveRules,
  objects: objectRules,
  installed: poolRules,
};

/** What the number at a path, such as `drive.priceUsd` or `objects.bytes`, may be; null where no number is. */
export function boundsAt(path: string): Bounds | null {
  const rule = ruleAt(path);
  return rule === null ? null : { min: rule.min, max: rule.max };
}

export function ruleAt(path: string): NumberRule | null {
  const [first = "", second] = path.split(".");
  const plain: Readonly<Record<string, NumberRule>> = planRules;
  return (second === undefined ? plain[first] : groups[first]?.[second]) ?? null;
}
