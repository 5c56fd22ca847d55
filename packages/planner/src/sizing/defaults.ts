import { rowsOf } from "./table.ts";
import type { DriveInput, ObjectClass, StashPlanInput } from "./types.ts";

const defaultsOf = (part: Parameters<typeof rowsOf>[0]): unknown =>
  Object.fromEntries(rowsOf(part).map(([name, row]) => [name, row.default]));

/** The worked example of docs/planning.md: something to start from, not a recommendation. */
export const defaultPlanInput: StashPlanInput = {
  ...(defaultsOf(null) as Omit<StashPlanInput, "objects" | "drive" | "installed">),
  objects: [defaultsOf("objects") as ObjectClass],
  drive: defaultsOf("drive") as DriveInput,
  installed: null,
};
