/**
 * Performance stats: each size for some minutes over one connection and then over many, as Backblaze has published them
 * since 2025. Each leg has an upper limit of bytes, so that a fast endpoint cannot cost more than planned.
 */
import { z } from "zod";
import type { Session } from "../run/session.ts";
import { CHECKED_KEY_COUNT, estimateLegs, runOperations } from "./legs.ts";
import type { Leg, MethodResult, StoreMethod } from "./method.ts";

const MIB = 1_048_576;

const performanceStatsParameters = z
  .strictObject({
    sizesBytes: z
      .array(z.int().min(1).max(104_857_600, "A single upload can have at most 100 MiB."))
      .min(1, "Choose at least one size.")
      .max(10)
      .default([262_144, 2 * MIB, 5 * MIB, 50 * MIB, 100 * MIB]),
    connectionCounts: z.array(z.int().min(1).max(64)).min(1).max(4).default([1, 20]),
    operations: z
      .array(z.enum(["PUT", "GET"]))
      .min(1)
      .max(2)
      .default(["PUT"]),
    secondsPerLeg: z.number().min(0.1).max(3600).default(300),
    /** Ends a leg early once its objects have this many bytes; a leg has at least one object per connection. */
    bytesPerLegMax: z.int().min(1).max(1e12).default(10e9),
    timeoutMs: z.int().min(100).max(600_000).default(120_000),
  })
  .describe("Performance stats");
export type PerformanceStatsParameters = z.infer<typeof performanceStatsParameters>;

/** Number of objects that downloads alternate between. */
const READ_OBJECT_COUNT = 4;

export const performanceStats: StoreMethod<PerformanceStatsParameters> = {
  measures: "stores",
  name: "performance-stats",
  version: 1,
  title: "Performance stats",
  description:
    "Each size for some minutes, over one connection and over many: latency of each and throughput of all.",
  parameters: performanceStatsParameters,
  usesStore: true,
  presets: [
    { name: "b2-2025", title: "Performance stats (B2 2025): 256 KiB, 2, 5, 50, 100 MiB", parameters: {} },
    {
      name: "short",
      title: "Performance stats, short: 256 KiB and 5 MiB, 20 seconds each",
      parameters: { sizesBytes: [262_144, 5 * MIB], secondsPerLeg: 20, bytesPerLegMax: 2e9 },
    },
  ],
  plan: (parameters) => {
    const legs = performanceLegs(parameters);
    const { secondsPerLeg, bytesPerLegMax } = parameters;
    const most = (leg: Leg) => Math.max(leg.connectionCount, Math.ceil(bytesPerLegMax / leg.sizeBytes));
    const of = (operation: "PUT" | "GET") => legs.filter((leg) => leg.operation === operation);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const seedings = of("GET").map(({ sizeBytes }) => sizeBytes * READ_OBJECT_COUNT);
    return {
      legs,
      estimate: estimateLegs({
        putCount:
          sum(of("PUT").map((leg) => most(leg) + leg.connectionCount)) + seedings.length * READ_OBJECT_COUNT,
        getCount: sum(of("GET").map(most)),
        uploadedBytes:
          sum(of("PUT").map((leg) => (most(leg) + leg.connectionCount) * leg.sizeBytes)) + sum(seedings),
        downloadedBytes: sum(of("GET").map((leg) => most(leg) * leg.sizeBytes)),
        seconds: legs.length * secondsPerLeg,
        isUpperBound: true,
      }),
    };
  },
  run: async (session, parameters, signal) => {
    session.configure({ timeoutMs: parameters.timeoutMs, attemptCountMax: 1 });
    const legs = performanceLegs(parameters);
    session.expectSeconds(legs.length * parameters.secondsPerLeg);
    const results: MethodResult[] = [];
    for (const index of session.shuffle(legs.map((_, leg) => leg))) {
      const leg = legs[index] as Leg;
      results.push(await runLeg(session, leg, index, parameters, signal));
    }
    await session.checkStored(CHECKED_KEY_COUNT, signal);
    return results;
  },
};

function performanceLegs({
  sizesBytes,
  connectionCounts,
  operations,
  secondsPerLeg,
}: PerformanceStatsParameters): Leg[] {
  return operations.flatMap((operation) =>
    sizesBytes.flatMap((sizeBytes) =>
      connectionCounts.map((connectionCount) => ({
        operation,
        sizeBytes,
        connectionCount,
        sampleCount: null,
        secondsMax: secondsPerLeg,
      })),
    ),
  );
}

async function runLeg(
  session: Session,
  { operation, sizeBytes, connectionCount }: Leg,
  leg: number,
  { secondsPerLeg, bytesPerLegMax }: PerformanceStatsParameters,
  signal: AbortSignal,
): Promise<MethodResult> {
  // Prepares bodies of one size at a time, because all together would take too much memory.
  await session.prepareBodies([sizeBytes]);
  const words = `${operation} of ${sizeBytes} B over ${connectionCount} connection${connectionCount === 1 ? "" : "s"}`;
  session.say(words);
  const warmUpCount = operation === "GET" ? READ_OBJECT_COUNT : connectionCount;
  for (let done = 0; done < warmUpCount; done += 1) {
    const connection = done % connectionCount;
    await session.warmUp({ operation: "PUT", sizeBytes, leg, connection, pauseMs: 0 }, signal);
  }
  const startedAt = performance.now();
  const before = session.transferredBytes;
  const countMax = Math.max(connectionCount, Math.ceil(bytesPerLegMax / sizeBytes));
  const operations = function* () {
    for (let count = 0; count < countMax; count += 1) {
      if (performance.now() - startedAt >= secondsPerLeg * 1000) return;
      yield { operation: operation as "PUT" | "GET", sizeBytes, leg };
    }
  };
  await runOperations(
    session,
    { operations: operations(), connectionCount, pauseMs: 0, ratePerSecond: null },
    signal,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name: `throughput/${operation}/${sizeBytes}/${connectionCount}`,
    value: (session.transferredBytes - before) / 1e6 / seconds,
    unit: "MB/s",
    label: `${words}: throughput over ${seconds.toFixed(1)} s`,
    isExtrapolated: false,
  };
}
