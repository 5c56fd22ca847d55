/** The parts of an imported file's own figures that runs are compared by, as they stand in a run's manifest. */
import { z } from "zod";
import { benchmarkOperations } from "./sample.ts";

const distribution = z.object({
  /** Files that were read before segments were kept have operations alone. */
  of: z.enum(["operations", "segments"]).default("operations"),
  operation: z.enum(benchmarkOperations),
  sizeBytes: z.number().nullable(),
  bins: z.array(z.tuple([z.number(), z.number()])),
});
export type StoredDistribution = z.output<typeof distribution>;

/** A run that was measured, and one whose file had samples alone, have no distributions. */
export const importedManifest = z.object({
  imported: z.object({ distributions: z.array(distribution).default([]) }).optional(),
});
