/** Figures of an imported file that comparisons use, as stored in a run's manifest. */
import { z } from "zod";
import { benchmarkOperations } from "./sample.ts";

const distribution = z.object({
  /** Missing in files read before segments were kept, which have only operations. */
  of: z.enum(["operations", "segments"]).default("operations"),
  operation: z.enum(benchmarkOperations),
  sizeBytes: z.number().nullable(),
  bins: z.array(z.tuple([z.number(), z.number()])),
});
export type StoredDistribution = z.output<typeof distribution>;

/** Distributions are missing for measured runs, and empty for a file that has only samples. */
export const importedManifest = z.object({
  imported: z.object({ distributions: z.array(distribution).default([]) }).optional(),
});
