/** One run: a method on one endpoint. */

import { endpointCredentialsSchema } from "@stashlight/contracts/endpoint";
import { z } from "zod";
import { endpointTargetSchema } from "../endpoint/target.ts";

export const samplerJobSchema = z.strictObject({
  runId: z.uuid(),
  /** Planned time of the slot (UTC), recorded in its samples. */
  slotMs: z.number().min(0).optional(),
  method: z.strictObject({
    name: z.string().min(1).max(60),
    /** Missing parameters have the method's defaults. */
    parameters: z.record(z.string(), z.unknown()).default({}),
  }),
  endpoint: endpointTargetSchema,
  credentials: endpointCredentialsSchema,
  /** Seed of bodies, keys and orders. */
  seed: z.int().min(0).max(4_294_967_295),
});
export type SamplerJob = z.infer<typeof samplerJobSchema>;
export type SamplerJobInput = z.input<typeof samplerJobSchema>;
