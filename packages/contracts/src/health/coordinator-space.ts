/** Space of a vault as its coordinators report it on their health page. */
import { z } from "zod";
import { type Fill, measureFill } from "../space/fill.ts";

/** Used bytes are null until the pods have reported theirs. */
export const coordinatorSpaceSchema = z.object({
  takenBytes: z.number().nullable(),
  capacityBytes: z.number(),
});

export type CoordinatorSpace = z.infer<typeof coordinatorSpaceSchema>;

const healthSchema = z.object({ space: coordinatorSpaceSchema });

/** Returns null for an agent of an earlier version, or another program. */
export const parseCoordinatorSpace = (health: unknown): CoordinatorSpace | null =>
  healthSchema.safeParse(health).data?.space ?? null;

/** Coordinators receive the pods' reports at different times, so the one that admits least counts. */
export function fillOfCoordinators(spaces: readonly CoordinatorSpace[], atMs: number): Fill | null {
  const fills = spaces.flatMap(({ takenBytes, capacityBytes }) => {
    const objects = takenBytes === null ? null : { bytes: takenBytes, atMs };
    return measureFill({ objects, room: { bytes: capacityBytes, atMs } }) ?? [];
  });
  const [fullest = null] = fills.toSorted((a, b) => b.share - a.share);
  return fullest;
}
