/** Failure rates of drive models: the fleet's own drives and their marks, and imported counts of another operator. */
import { z } from "zod";
import { driveStates } from "./drive-state.ts";

const text = (max: number, what: string) =>
  z
    .string()
    .trim()
    .min(1, `${what} is empty.`)
    .max(max, `${what} has at most ${max} characters.`)
    .refine((value) => !value.includes("\0"), "The text contains a NUL character; remove it.");

/** A drive by its id in the list, or by its serial number. */
export const markDriveInput = z.strictObject({
  drive: text(200, "The drive"),
  state: z.enum(driveStates),
});

export const drivePlaceInput = z.object({
  nodeId: z.uuid("There is no such node."),
  device: z.string().max(200),
});

const MODELS_MAX = 2000;
const QUARTERS_MAX = 100;
const QUARTER_DAYS_MAX = 92;

const importedModel = z
  .strictObject({
    model: text(100, "A model"),
    driveDays: z.int().min(1).max(1e10),
    failures: z.int().min(0).max(1e9),
  })
  .refine(({ driveDays, failures }) => failures <= driveDays, {
    path: ["failures"],
    message: "A drive fails at most once a day: there are more failures than drive days.",
  });

const importedQuarter = z
  .strictObject({
    quarter: z.string().regex(/^\d{4}-Q[1-4]$/, "Write the quarter as 2026-Q1."),
    from: z.iso.date(),
    to: z.iso.date(),
    /** Number of days with rows. */
    dayCount: z.int().min(1).max(QUARTER_DAYS_MAX),
    models: z.array(importedModel).min(1, "A quarter has no model.").max(MODELS_MAX),
  })
  .refine(({ quarter, from, to }) => [from, to].every((day) => quarterOf(day) === quarter) && from <= to, {
    path: ["from"],
    message: "The days belong to another quarter.",
  });

export const importDriveStatsInput = z.strictObject({
  source: text(200, "The source"),
  quarters: z.array(importedQuarter).min(1, "There is no quarter to import.").max(QUARTERS_MAX),
});
export type DriveStatsImport = z.output<typeof importDriveStatsInput>;

/** Returns "2026-Q1" for "2026-02-28". */
export function quarterOf(day: string): string {
  const month = Number(day.slice(5, 7));
  return `${day.slice(0, 4)}-Q${Math.ceil(month / 3)}`;
}
