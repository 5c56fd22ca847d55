/** Fields of nodes' /healthz and /readyz answers; other fields are ignored. */
import { coordinatorSpaceSchema } from "@stashlight/contracts/health";
import { z } from "zod";

export const readinessSchema = z.object({ isReady: z.boolean(), reason: z.string().nullable() });

export const coordinatorHealthSchema = z.object({
  settledPodCount: z.int(),
  /** Pods that the coordinator does not count as settled. Absent from earlier agents. */
  unsettledPods: z.array(z.int()).nullish(),
  neededPodCount: z.int(),
  openRequestCount: z.int(),
  durableMarginShardCount: z.int().nullish(),
  /** Absent from earlier agents. */
  encryption: z.object({ problem: z.string().nullable() }).nullish(),
  /** Absent from earlier agents. */
  space: coordinatorSpaceSchema.nullish(),
});

const figures = {
  startedAtMs: z.number(),
  recordsVerified: z.int(),
  bytesVerified: z.number(),
  corruptCount: z.int(),
  unreadableCount: z.int(),
  repairedCount: z.int(),
};

export const damageSchema = z.object({
  corruptCount: z.int().nullable(),
  unreadableCount: z.int(),
  isCorrelated: z.boolean(),
});

export const scrubSchema = z.object({
  ...figures,
  isOnDemand: z.boolean(),
  bytesTotal: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  oldestUnverifiedSeconds: z.number(),
  roundSeconds: z.number(),
  last: z.object({ ...figures, endedAtMs: z.number() }).nullable(),
});

const driveSchema = z.object({
  driveId: z.string(),
  state: z.object({
    type: z.string(),
    lifecycle: z.string().optional(),
    reason: z.string().optional(),
  }),
  missing: z
    .object({
      shardCount: z.int(),
      bytes: z.int(),
      totalBytes: z.int(),
      bytesPerSecond: z.number().nullable(),
    })
    .nullish(),
  /** `damage` and `scrub` are absent from earlier agents. */
  damage: damageSchema.nullish(),
  scrub: scrubSchema.nullish(),
  draining: z.object({ left: z.int(), total: z.int(), perSecond: z.number().nullable() }).nullish(),
  /** Absent from earlier agents, and null for drives that take part in new uploads. */
  quarantine: z.object({ sinceMs: z.number(), by: z.string() }).nullish(),
  /** Absent from earlier agents, and null for a stash device. */
  index: z.object({ records: z.int(), recordsMax: z.int(), share: z.number() }).nullish(),
  /** Absent from earlier agents, and null for a stash device. */
  indexPages: z.object({ heldBytes: z.int(), fileBytes: z.int(), error: z.string().nullable() }).nullish(),
  log: z
    .object({
      recordsLive: z.int(),
      bytesTotal: z.int(),
      bytesLive: z.int(),
      bytesUsed: z.int(),
      dataBytesMax: z.int(),
      dataBytesFree: z.int(),
    })
    .nullable(),
});

export const driveHealthSchema = z.object({ drives: z.array(driveSchema) });

/** Clock and certificates, as reported by every node. */
export const identitySchema = z.object({
  clockMs: z.number(),
  certificates: z.object({
    validUntilMs: z.number().nullable(),
    edgeValidUntilMs: z.number().nullable(),
  }),
});

export type CoordinatorHealth = z.infer<typeof coordinatorHealthSchema>;
export type DamageHealth = z.infer<typeof damageSchema>;
export type ScrubHealth = z.infer<typeof scrubSchema>;
export type DriveHealth = z.infer<typeof driveSchema>;
