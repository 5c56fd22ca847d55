import { z } from "zod";
import { stashPlanFieldsSchema } from "./schema.ts";

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** What the number at a path, such as `drive.priceUsd` or `objects.bytes`, may be; null where no number is. */
export function boundsAt(path: string): Bounds | null {
  let schema: unknown = stashPlanFieldsSchema;
  for (const key of path.split(".")) {
    schema = bareOf(schema);
    schema = schema instanceof z.ZodObject ? schema.shape[key] : undefined;
  }
  schema = bareOf(schema);
  if (!(schema instanceof z.ZodNumber)) return null;
  return {
    min: schema.minValue ?? Number.NEGATIVE_INFINITY,
    max: schema.maxValue ?? Number.POSITIVE_INFINITY,
  };
}

/** Without what says that it has a default, may be null, or is one of a list. */
function bareOf(schema: unknown): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return bareOf(schema.unwrap());
  return schema instanceof z.ZodArray ? bareOf(schema.element) : schema;
}
