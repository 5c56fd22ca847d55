import type { DriveInput, ObjectClass, StashPlanInput } from "./plan-types.ts";
import { rowsOf } from "./table.ts";

const defaultsOf = (part: Parameters<typeof rowsOf>[0]): unknown =>
  Object.fromEntries(rowsOf(part).map(([name, row]) => [name, row.default]));

/** Worked example of docs/planning.md: a starting point, not a recommendation. */
export const defaultPlanInput: StashPlanInput = {
  ...(defaultsOf(null) as Omit<StashPlanInput, "objects" | "drive" | "installed">),
  objects: [defaultsOf("objects") as ObjectClass],
  drive: defaultsOf("drive") as DriveInput,
  installed: null,
};
