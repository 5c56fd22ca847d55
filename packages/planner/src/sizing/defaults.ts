import type { DriveInput, ObjectClass, StashPlanInput } from "./plan-types.ts";
import { inputRows } from "./table.ts";

const partDefaults = (part: Parameters<typeof inputRows>[0]): unknown =>
  Object.fromEntries(inputRows(part).map(([name, row]) => [name, row.default]));

/** Worked example of docs/planning.md: a starting point, not a recommendation. */
export const defaultPlanInput: StashPlanInput = {
  ...(partDefaults(null) as Omit<StashPlanInput, "objects" | "drive" | "installed">),
  objects: [partDefaults("objects") as ObjectClass],
  drive: partDefaults("drive") as DriveInput,
  installed: null,
};
