/**
 * Simulation: a scenario of a vault that the write path's own state machines run through. Shapes are those of
 * packages/timing-simulation; limits keep a run to minutes, and each refusal is a sentence for its field.
 */
import { z } from "zod";
import { nameSchema } from "../name.ts";

const NUMBER = "Enter a number.";
const between = (min: number, max: number, told: string) => z.number(NUMBER).min(min, told).max(max, told);
const wholeBetween = (min: number, max: number, told: string) =>
  z.number(NUMBER).int("Enter a whole number.").min(min, told).max(max, told);

const quantiles = z
  .array(
    z.tuple([
      between(0, 1, "A share must be from 0 to 1."),
      between(0, 1e9, "A time must be from 0 to 1,000 s."),
    ]),
  )
  .min(1, "A distribution must have at least one value.")
  .max(200, "A distribution can have at most 200 values.")
  .refine(
    (all) =>
      all.every(
        ([share, us], i) => i === 0 || (share >= (all[i - 1]?.[0] ?? 0) && us >= (all[i - 1]?.[1] ?? 0)),
      ),
    "The values of a distribution must ascend.",
  );

const deviceFigures = z.object({
  name: nameSchema(),
  kind: z.enum(["hdd", "ssd"]),
  capacityBytes: wholeBetween(1e9, 1e16, "A drive must hold 1 GB to 10 PB."),
  readBytesPerSecond: between(1e5, 1e12, "A drive must read 0.1 MB/s to 1 TB/s."),
  writeBytesPerSecond: between(1e5, 1e12, "A drive must write 0.1 MB/s to 1 TB/s."),
  readLatencyUs: between(0.1, 1e6, "A latency must be from 0.1 us to 1 s."),
  writeLatencyUs: between(0.1, 1e6, "A latency must be from 0.1 us to 1 s."),
  readIops: between(1, 1e9, "A drive must do 1 to 1,000,000,000 reads per second.").optional(),
  writeIops: between(1, 1e9, "A drive must do 1 to 1,000,000,000 writes per second.").optional(),
  flushUs: between(0, 1e6, "A flush must take 0 to 1 s."),
  hasPowerLossProtection: z.boolean(),
});

const scenarioDriveSchema = z.discriminatedUnion("type", [
  /** Device in the catalogue of packages/devices. */
  z.object({ type: z.literal("catalogue"), driveId: z.string().max(100) }),
  z.object({ type: z.literal("custom"), figures: deviceFigures }),
  z.object({ type: z.literal("measured"), name: z.string().min(1).max(200), syncUs: quantiles }),
]);

const correlation = between(0, 1, "A correlation of delays must be from 0 to 1.");

/** Correlation between the delays of an upload's shards, within a set and between the two. */
const delayCorrelationSchema = z.object({ pods: correlation, stash: correlation, sets: correlation });
export type DelayCorrelation = z.infer<typeof delayCorrelationSchema>;

const second = between(0, 604_800, "A moment must be within a week.").int("Enter whole seconds.");
const faultSeconds = wholeBetween(1, 604_800, "A fault must last 1 s to a week.");

const scenarioFaultSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("pod outage"),
    atSecond: second,
    durationSeconds: faultSeconds,
    podCount: wholeBetween(1, 256, "At least one pod must be away."),
  }),
  z.object({
    type: z.literal("slow drive"),
    atSecond: second,
    durationSeconds: faultSeconds,
    of: z.enum(["pod", "stash"]),
    factor: between(1, 100_000, "A drive must be 1 to 100,000 times as slow."),
  }),
  z.object({ type: z.literal("dead stash server"), atSecond: second }),
]);

const rate = between(0.001, 100_000, "Uploads per second must be from 0.001 to 100,000.");

const arrivalsSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("steady"), uploadsPerSecond: rate }),
  z.object({
    type: z.literal("diurnal"),
    uploadsPerSecond: rate,
    swing: between(0, 1, "A day must swing by 0 to 100 % of its mean."),
    periodSeconds: wholeBetween(60, 604_800, "A period must last a minute to a week."),
  }),
  z.object({
    type: z.literal("trace"),
    points: z
      .array(z.tuple([second, between(0, 100_000, "Uploads per second must be from 0 to 100,000.")]))
      .min(1, "A trace must have at least one line.")
      .max(5000, "A trace can have at most 5,000 lines.")
      .refine(
        (all) => all.every(([at], i) => i === 0 || at > (all[i - 1]?.[0] ?? 0)),
        "The seconds of a trace must ascend.",
      ),
  }),
]);

export const scenarioSchema = z
  .object({
    seed: wholeBetween(0, 2 ** 31, "A seed must be a whole number from 0 to 2,147,483,648."),
    durationSeconds: wholeBetween(10, 604_800, "A simulation must last 10 s to a week."),
    scheme: z.object({
      dataShardCount: wholeBetween(2, 200, "A stripe must have 2 to 200 data shards."),
      parityShardCount: wholeBetween(1, 100, "A stripe must have 1 to 100 parity shards."),
    }),
    stashServers: wholeBetween(1, 100, "There must be 1 to 100 stash servers."),
    drivesPerServer: wholeBetween(1, 100, "A server must have 1 to 100 drives."),
    stashDrive: scenarioDriveSchema,
    stashBytesPerDrive: between(1e6, 1e16, "A stash drive must give its log 1 MB to 10 PB."),
    fullShare: between(0.01, 1, "A drive must count as full at 1 to 100 %."),
    shardsPerCommitMax: wholeBetween(1, 100_000, "A group commit must take 1 to 100,000 shards."),
    /**
     * Share of the stash's syncs that take as long as others at that moment, as on a disk shared by several devices.
     */
    stashSharedShare: between(0, 1, "A share must be from 0 to 1.").default(0),
    /** Pauses of each stash server's process. */
    stashStalls: z
      .object({
        perMinute: between(0.001, 600, "A process must stall 0.001 to 600 times per minute."),
        ms: between(1, 60_000, "A stall must last 1 ms to a minute."),
      })
      .nullable()
      .default(null),
    podDrive: scenarioDriveSchema,
    networkUsMin: between(0, 1e6, "A message must take 0 to 1 s."),
    networkUsMax: between(0, 1e6, "A message must take 0 to 1 s."),
    /** Measured distribution, which replaces the two. */
    messageUs: quantiles.nullable().default(null),
    stashMessageUs: quantiles.nullable().default(null),
    alike: delayCorrelationSchema.nullable().default(null),
    processor: z.discriminatedUnion("type", [
      z.object({
        type: z.literal("constant"),
        usPerUpload: between(0, 1e6, "An upload must cost its coordinator 0 to 1 s."),
      }),
      z.object({ type: z.literal("measured"), us: quantiles }),
    ]),
    nodeUsPerShard: between(0, 1e6, "A shard must cost its node 0 to 1 s."),
    recordHeaderBytes: wholeBetween(0, 65_536, "A record header must have 0 to 65,536 bytes."),
    recordAlignBytes: wholeBetween(1, 1_048_576, "Records must be aligned to 1 to 1,048,576 bytes."),
    arrivals: arrivalsSchema,
    sizes: z
      .array(
        z.object({
          bytes: wholeBetween(1, 1e9, "An object must have 1 byte to 1 GB."),
          share: between(0.000_001, 1e9, "A share must be above 0."),
        }),
      )
      .min(1, "Enter at least one object size.")
      .max(50, "A mix can have at most 50 sizes."),
    isStashEnabled: z.boolean(),
    faults: z.array(scenarioFaultSchema).max(20, "A scenario can have at most 20 faults."),
    exactUploadCountMax: wholeBetween(
      1000,
      500_000,
      "The number of uploads run message by message must be from 1,000 to 500,000.",
    ),
  })
  .superRefine((scenario, { addIssue }) => {
    const addProblem = (path: (string | number)[], message: string) =>
      addIssue({ code: "custom", path, message });
    const { dataShardCount, parityShardCount } = scenario.scheme;
    const shardCount = dataShardCount + parityShardCount;
    if (shardCount > 256)
      addProblem(["scheme", "parityShardCount"], `A stripe can have at most 256 shards, not ${shardCount}.`);
    if (dataShardCount <= parityShardCount)
      addProblem(["scheme", "dataShardCount"], "A scheme needs more data shards than parity shards.");
    if (scenario.networkUsMax < scenario.networkUsMin)
      addProblem(["networkUsMax"], "The slowest message must not be faster than the fastest.");
    scenario.faults.forEach((fault, i) => {
      if (fault.atSecond >= scenario.durationSeconds)
        addProblem(["faults", i, "atSecond"], "A fault must begin before the simulation ends.");
      if (fault.type === "pod outage" && fault.podCount > shardCount)
        addProblem(["faults", i, "podCount"], `The vault has ${shardCount} pods.`);
    });
  });
export type Scenario = z.infer<typeof scenarioSchema>;

/** Measurements of the live vault when the scenario was made from it, for comparison with the prediction. */
const measuredInterval = z.object({ lowMs: z.number().min(0), highMs: z.number().min(0) });
export const measuredUploadsSchema = z.object({
  fromMs: z.int().min(0),
  toMs: z.int().min(0),
  sampleCount: z.int().min(0),
  /** Models of drives whose timing was modelled; empty if all was measured. */
  modelled: z.array(z.string().max(200)).max(50).default([]),
  p50Ms: z.number().min(0),
  /** Null with fewer than 1,000 samples. */
  p99Ms: z.number().min(0).nullable(),
  /** 95 % interval of each, which allows for clusters of slow uploads; null if unknown. */
  p50Interval: measuredInterval.nullable().default(null),
  p99Interval: measuredInterval.nullable().default(null),
});
export type MeasuredInterval = z.infer<typeof measuredInterval>;
export type MeasuredUploads = z.infer<typeof measuredUploadsSchema>;

export const startSimulationInput = z.object({
  name: nameSchema(),
  scenario: scenarioSchema,
  measured: measuredUploadsSchema.nullable().default(null),
});

export const simulationIdInput = z.object({ simulationId: z.uuid("There is no such simulation.") });
export const readLiveVaultInput = z
  .object({ fromMs: z.int().min(0), toMs: z.int().min(0) })
  .refine(({ fromMs, toMs }) => toMs > fromMs, "A range must end after it begins.");

export const simulationStates = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type SimulationState = (typeof simulationStates)[number];

export interface SimulationProgress {
  /** From 0 to 1. */
  readonly share: number;
  /** Null until progress suffices for an estimate. */
  readonly secondsLeft: number | null;
  readonly eventCount: number;
}

export interface SimulationRow {
  readonly simulationId: string;
  readonly name: string;
  readonly state: SimulationState;
  readonly progress: SimulationProgress | null;
  /** Reason why it ended without a result. */
  readonly outcome: string | null;
  readonly requestedByName: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly isCancelRequested: boolean;
  readonly seed: number;
  /** Version of the product that ran it; null until it has run. */
  readonly version: string | null;
}

/** Distribution of the live vault, in microseconds. */
export interface LiveDistribution {
  readonly sampleCount: number;
  readonly quantiles: readonly (readonly [share: number, us: number])[];
}

/** Figures of the live vault for a scenario; null if nothing was measured in the range. */
export interface LiveVault {
  readonly fromMs: number;
  readonly toMs: number;
  readonly uploadsPerSecond: number | null;
  readonly uploadBytesMean: number | null;
  /** Uploads through the stash, and their shares. */
  readonly uploads: MeasuredUploads | null;
  readonly stashSync: LiveDistribution | null;
  readonly podSync: LiveDistribution | null;
  /** Time of an upload apart from its wait for its quorum. */
  readonly processor: LiveDistribution | null;
  /** One way between coordinator and pod, and coordinator and stash, without the drives' syncs. */
  readonly messages: LiveDistribution | null;
  readonly stashMessages: LiveDistribution | null;
  /** Time that uploads wait for the quorum of each set, and of both. */
  readonly alike: DelayCorrelation | null;
  /** Share of uploads during which another one ended. */
  readonly overlappingShare: number | null;
  readonly purgeLagSeconds: { readonly p50: number; readonly sampleCount: number } | null;
  readonly stashServers: number | null;
  readonly stashDevices: number | null;
  readonly stashBytesPerDrive: number | null;
}
