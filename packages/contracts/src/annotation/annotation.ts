/** Marks that people and scripts put on the charts: a deploy, a swapped drive, a load test. */
import { z } from "zod";
import { DAY_MS } from "../time/duration.ts";
import { instantMs } from "../time/instant.ts";

const SPAN_MS_MAX = 30 * DAY_MS;
const annotationPageSizeMax = 500;

export const createAnnotationInput = z
  .object({
    text: z.string().trim().min(1, "Describe what happened.").max(200, "At most 200 characters."),
    /** Null: shown on the charts of every vault. */
    vault: z.string().max(200).nullable().default(null),
    /** Defaults to the time of arrival. */
    startMs: instantMs.optional(),
    /** Null for a moment. */
    endMs: instantMs.nullable().default(null),
  })
  .refine(({ startMs, endMs }) => endMs === null || (startMs !== undefined && endMs > startMs), {
    path: ["endMs"],
    message: "The end must be after the start.",
  })
  .refine(({ startMs = 0, endMs }) => endMs === null || endMs - startMs <= SPAN_MS_MAX, {
    path: ["endMs"],
    message: "An annotation can last at most 30 days.",
  });
export const annotationIdInput = z.object({ annotationId: z.uuid("There is no such annotation.") });
export const listAnnotationsInput = z.object({
  fromMs: instantMs,
  toMs: instantMs,
  pageSize: z.int().min(1).max(annotationPageSizeMax).default(100),
});

export interface AnnotationRow {
  id: string;
  text: string;
  vault: string | null;
  startsAt: Date;
  endsAt: Date | null;
  createdBy: string;
}
