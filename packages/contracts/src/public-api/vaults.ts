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
      "For a store that is filling: the estimate with its 95 % interval; a bound too far away to plan for is null.",
    ),
  bytesPerDay: estimate.nullable().describe("Its growth, with the 95 % interval."),
  spanSeconds: numberOrNull.describe("Length of the history behind the forecast."),
});

const vaultSchema = z.object({
  name: z.string(),
  state: vaultStateSchema.describe(
    "The worst of its firing alerts, its silence and its fill; unknown while no coordinator reports.",
  ),
  reasons: z.array(z.string()).describe("The sentences behind the state, the worst first."),
  judgedAt: textOrNull
    .default(null)
    .describe(
      "Time of the oldest judgement behind the state and its reasons: the fill's, or a firing alert's evaluation; null without any.",
    ),
  nodeCount: count.describe("Number of nodes, including probes, except revoked ones."),
  silentNodeCount: count,
  fill: z
    .object({
      share: z.number(),
      objectBytes: z.number(),
      roomBytes: z.number(),
      at: instant.describe("End of the newest window of the figures."),
      sentence: z.string(),
    })
    .nullable()
    .describe("Used bytes of the capacity for objects; null while no coordinator reports."),
  durability: z
    .object({
      sentence: z
        .string()
        .describe("Sentence shown on pages and in alerts, or the reason why it is unknown."),
      remedy: textOrNull.describe("Action that would shorten the time until all shards are restored."),
      nines: estimate.nullable().describe("Nines of the next year with their interval; modelled."),
      missingPodCount: numberOrNull,
      podCount: numberOrNull,
      spareShare: numberOrNull.describe("Share of the parity shards that may still be lost."),
      assumptions: z.array(z.string()).describe("Most influential first."),
      reportedAt: textOrNull,
    })
    .nullable()
    .describe("Present durability, modelled from agents' reports; null for a vault that reports nothing."),
  slowDrives: z
    .array(slowDriveSchema)
    .default([])
    .describe(
      "Drives slower than their peers, as found by the alert rule of that name; `since` is when the alert began.",
    ),
  forecasts: z.array(forecastSchema),
  lastSeenAt: textOrNull.describe("Time of the latest report from any of its nodes."),
});
export type ApiVault = z.output<typeof vaultSchema>;

export const vaultsAnswer = z.object({ answeredAt, vaults: z.array(vaultSchema) });
