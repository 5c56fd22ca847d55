/**
 * A drive that plans measure: an endpoint of kind "drive". The probe on its machine reports its existence and model;
 * only the probe knows the folder to write to.
 */
import { z } from "zod";

const label = (what: string) =>
  z
    .string()
    .trim()
    .min(1, `${what} is empty; leave it out instead.`)
    .max(60, `${what} has at most 60 characters.`);

/** Properties by which users compare drives. Null means unspecified. */
export const driveLabelsSchema = z.strictObject({
  provider: label("The provider").nullable().default(null),
  region: label("The region").nullable().default(null),
  instanceType: label("The instance type").nullable().default(null),
  volumeType: label("The volume type").nullable().default(null),
  sizeBytes: z.int().min(1).nullable().default(null),
  /** Bytes that may be written over its life according to its datasheet, such as TBW. */
  enduranceBytes: z.int().min(1).nullable().default(null),
  /** US dollars per month, of the volume alone. */
  pricePerMonth: z.number().min(0).max(1_000_000).nullable().default(null),
});
export type DriveLabels = z.output<typeof driveLabelsSchema>;

/** Token bucket that limits a drive in trials: requests per second in a burst and after it, and requests in a burst. */
export const modelledBucketSchema = z
  .strictObject({
    burst: z.number().min(1).max(10_000_000),
    base: z.number().min(1).max(10_000_000),
    tokens: z.number().min(1).max(1e12),
  })
  .refine(({ burst, base }) => burst > base, "The rate of a burst must be above the base rate.");

/** Probe's report of a drive that disk methods may measure. */
export const measurableDriveSchema = z.strictObject({
  labels: driveLabelsSchema,
  /** True if a token bucket limits it. */
  isModelled: z.boolean(),
});
export type MeasurableDrive = z.output<typeof measurableDriveSchema>;
