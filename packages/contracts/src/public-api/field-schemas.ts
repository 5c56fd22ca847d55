/** Values in answers of the public API. */
import { z } from "zod";

/** A value in its JSON form, in which instants are text. */
export type Json<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Json<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Json<Value[Key]> }
      : Value;

/** ISO 8601 in UTC, to the millisecond. */
export const instant = z.iso.datetime();
export const instantOrNull = instant.nullable();
export const textOrNull = z.string().nullable();
export const numberOrNull = z.number().nullable();
export const count = z.int().min(0);

/** Every answer has the time when it was created; its data is as old as the data's own times show. */
export const answeredAt = instant.describe("When this answer was created.");

export const errorSchema = z.object({
  code: z.string().describe("A word for programs, such as not_found or rate_limited."),
  message: z.string().describe("A sentence for people: what is wrong and what to do."),
  field: z.string().optional().describe("The parameter or field that the sentence is about."),
  requestId: z.string().describe("Identifies the request in the console's log."),
});
