import { z } from "zod";
import { slowDriveSchema } from "./drives.ts";
import { answeredAt, count, instant, numberOrNull, textOrNull } from "./field-schemas.ts";

const vaultStateSchema = z.enum(["good", "warning", "bad", "unknown"]);

const estimate = z.object({ low: numberOrNull, estimate: numberOrNull, high: numberOrNull });

const forecastSchema = z.object({
  store: z.enum(["pods", "stash"]),
  kind: z.enum(["none", "full", "filling"]),
  sentence: z.string().describe("Sentence shown on pages and in alerts; the reason if there is no forecast."),
  fullInSeconds: estimate
    .nullable()
    .describe(
      "Of a store that is filling: the estimate with its 95 % interval; an end beyond any plan is null.",
    ),
  bytesPerDay: estimate.nullable().describe("Its growth, with the 95 % interval."),
  spanSeconds: numberOrNull.describe("The history that the forecast is of."),
});

const vaultSchema = z.object({
  name: z.string(),
  state: vaultStateSchema.describe(
    "The worst of its firing alerts, its silence and its fill; unknown while no coordinator reports.",
  ),
  reasons: z.array(z.string()).describe("The sentences behind the state, the worst first."),
  nodeCount: count.describe("All nodes but revoked ones, probes too."),
  silentNodeCount: count,
  fill: z
    .object({
      share: z.number(),
      objectBytes: z.number(),
      roomBytes: z.number(),
      at: instant,
      sentence: z.string(),
    })
    .nullable()
    .describe("Bytes taken of the room for objects; null while no coordinator reports."),
  durability: z
    .object({
      sentence: z.string().describe("What pages and alerts show, or why it is unknown."),
      remedy: textOrNull.describe("What would shorten the time until all is whole."),
      nines: estimate.nullable().describe("Nines of the next year with their interval; modelled."),
      missingPodCount: numberOrNull,
      podCount: numberOrNull,
      spareShare: numberOrNull.describe("Share of the parity shards that may still be lost."),
      assumptions: z.array(z.string()).describe("The one that moves the figures most comes first."),
      reportedAt: textOrNull,
    })
    .nullable()
    .describe("Durability now, modelled from what agents report; null for a vault that nothing is known of."),
  slowDrives: z
    .array(slowDriveSchema)
    .default([])
    .describe(
      "Drives slower than their peers, as the alert rule of that name found; since is when the alert began.",
    ),
  forecasts: z.array(forecastSchema),
  lastSeenAt: textOrNull.describe("When any of its nodes was heard last."),
});
export type ApiVault = z.output<typeof vaultSchema>;

export const vaultsAnswer = z.object({ answeredAt, vaults: z.array(vaultSchema) });
