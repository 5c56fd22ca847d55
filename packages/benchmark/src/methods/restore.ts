/**
 * Restore: uploads a set of objects, downloads some of them one after another, and then all of them over many
 * connections. Comparing the total time with the prediction or bound from the single downloads shows the benefit of
 * more connections. Every byte is compared with its upload, after the clock of each download has stopped.
 */
import { createRandom, restoreEstimate } from "@stashlight/stats";
import { z } from "zod";
import type { Session } from "../run/session.ts";
import type { StoredObject } from "../run/stored-objects.ts";
import { CHECKED_KEY_COUNT, COMPARED_BYTES_IN_FLIGHT_MAX, estimateLegs, runOperations } from "./legs.ts";
import type { Leg, MethodResult, StoreMethod } from "./method.ts";

/** For the time estimate alone; a slower endpoint takes longer. */
const BYTES_PER_SECOND = 50_000_000;

const restoreParameters = z
  .strictObject({
    objectBytes: z
      .int()
      .min(1)
      .max(104_857_600, "A single upload can have at most 100 MiB.")
      .default(10_000_000),
    objectCount: z.int().min(1).max(10_000).default(50),
    connectionCount: z.int().min(1).max(64).default(16),
    /** Number of sequential downloads, with which the total time is compared. */
    singleCount: z.int().min(6, "An estimate with an interval needs 6 downloads.").max(10_000).default(30),
    timeoutMs: z.int().min(100).max(600_000).default(120_000),
  })
  .refine(
    ({ objectBytes, connectionCount }) => objectBytes * connectionCount <= COMPARED_BYTES_IN_FLIGHT_MAX,
    {
      error:
        "Objects that are downloaded at the same time can have at most 256 MiB: choose smaller ones, or fewer connections.",
      path: ["connectionCount"],
    },
  )
  .describe("Restore");
export type RestoreParameters = z.infer<typeof restoreParameters>;

const UPLOAD = 0;
const SINGLE = 1;
const WHOLE = 2;

export const restore: StoreMethod<RestoreParameters> = {
  measures: "stores",
  name: "restore",
  version: 1,
  title: "Restore",
  description:
    "Uploads a set of objects and downloads all of them over many connections; the time is compared with single downloads.",
  parameters: restoreParameters,
  usesStore: true,
  presets: [
    { name: "half-gigabyte", title: "Restore: 500 MB as 50 objects over 16 connections", parameters: {} },
    {
      name: "small-objects",
      title: "Restore: 1,000 objects of 256 kB over 16 connections",
      parameters: { objectBytes: 256_000, objectCount: 1000, singleCount: 100 },
    },
  ],
  plan: (parameters) => {
    const { objectBytes, objectCount, connectionCount, singleCount } = parameters;
    const downloadCount = objectCount + singleCount + connectionCount;
    const estimate = estimateLegs({
      putCount: objectCount,
      getCount: downloadCount,
      uploadedBytes: objectCount * objectBytes,
      downloadedBytes: downloadCount * objectBytes,
      seconds: ((objectCount + downloadCount) * objectBytes) / BYTES_PER_SECOND,
    });
    return { legs: restoreLegs(parameters), estimate };
  },
  run: async (session, parameters, signal) => {
    const { objectBytes, objectCount, connectionCount, singleCount, timeoutMs } = parameters;
    session.configure({ timeoutMs, attemptCountMax: 1 });
    await session.prepareBodies([objectBytes]);
    session.expect(2 * objectCount + singleCount);
    session.say("Uploading the objects to restore");
    const objects = await upload(session, parameters, signal);
    if (objects.length === 0) return [];
    session.say("Opening connections");
    for (let connection = 0; connection < connectionCount; connection += 1)
      await session.warmUp({ ...download(parameters, objects, connection, WHOLE), connection }, signal);
    session.say("Single downloads");
    const durationsMs = await downloadOneByOne(session, parameters, objects, signal);
    session.say("Restoring");
    const failedBefore = session.failureCount;
    const startedAt = performance.now();
    const operations = objects.map((_, at) => download(parameters, objects, at, WHOLE));
    await runOperations(session, { operations, connectionCount, pauseMs: 0, ratePerSecond: null }, signal);
    const seconds = (performance.now() - startedAt) / 1000;
    await session.checkStored(CHECKED_KEY_COUNT, signal);
    const failedCount = session.failureCount - failedBefore;
    return restoreResults(
      { ...parameters, objectCount: objects.length },
      { seconds, durationsMs, failedCount },
    );
  },
};

async function upload(
  session: Session,
  { objectBytes, objectCount }: RestoreParameters,
  signal: AbortSignal,
): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for (let done = 0; done < objectCount; done += 1) {
    const operation = {
      operation: "PUT",
      sizeBytes: objectBytes,
      leg: UPLOAD,
      connection: 0,
      pauseMs: 0,
    } as const;
    const object = await session.timed(operation, signal);
    if (object !== null) objects.push(object);
  }
  return objects;
}

function download(
  { objectBytes }: RestoreParameters,
  objects: readonly StoredObject[],
  at: number,
  leg: number,
) {
  const object = objects[at % objects.length];
  return {
    operation: "GET" as const,
    sizeBytes: objectBytes,
    leg,
    pauseMs: 0,
    checksContent: true,
    ...(object === undefined ? {} : { object }),
  };
}

/** Durations of successful downloads, including signing, for which a restore has to wait. */
async function downloadOneByOne(
  session: Session,
  parameters: RestoreParameters,
  objects: readonly StoredObject[],
  signal: AbortSignal,
): Promise<number[]> {
  const order = session.shuffle(objects);
  const durationsMs: number[] = [];
  for (let done = 0; done < parameters.singleCount; done += 1) {
    const failedBefore = session.failureCount;
    const startedAt = performance.now();
    await session.timed({ ...download(parameters, order, done, SINGLE), connection: 0 }, signal);
    if (session.failureCount === failedBefore) durationsMs.push(performance.now() - startedAt);
  }
  return durationsMs;
}

interface Measured {
  readonly seconds: number;
  readonly durationsMs: readonly number[];
  readonly failedCount: number;
}

function restoreResults(
  parameters: RestoreParameters,
  { seconds, durationsMs, failedCount }: Measured,
): MethodResult[] {
  const { objectBytes, objectCount, connectionCount } = parameters;
  const failed =
    failedCount === 0
      ? ""
      : `; ${failedCount} of ${objectCount} downloads failed, so the restore is incomplete`;
  const measured: MethodResult[] = [
    {
      name: "restore",
      value: seconds,
      unit: "s",
      label: `Restore of ${objectCount} objects over ${connectionCount} connections, measured${failed}`,
      isExtrapolated: false,
    },
    {
      name: "restore/throughput",
      value: (objectCount * objectBytes) / 1e6 / seconds,
      unit: "MB/s",
      label: `Bytes of the restore over its time${failed}`,
      isExtrapolated: false,
    },
  ];
  if (durationsMs.length === 0) return measured;
  const estimate = restoreEstimate({
    durationsMs,
    measuredConnectionCount: 1,
    objectBytes,
    objectCount,
    connectionCount,
    random: createRandom(1),
  });
  return [...measured, ...foretold(parameters, seconds, estimate)];
}

function foretold(
  { connectionCount }: RestoreParameters,
  seconds: number,
  estimate: ReturnType<typeof restoreEstimate>,
): MethodResult[] {
  if (connectionCount > 1) return bounded(connectionCount, seconds, estimate);
  const { secondsInterval, sampleCount } = estimate;
  const range =
    secondsInterval === null
      ? "too few downloads for an interval"
      : `${secondsInterval.low.toPrecision(3)} s to ${secondsInterval.high.toPrecision(3)} s`;
  const share = seconds / estimate.seconds - 1;
  const isInside =
    secondsInterval !== null && seconds >= secondsInterval.low && seconds <= secondsInterval.high;
  const off = `The measured restore took ${Math.abs(100 * share).toFixed(0)} % ${share < 0 ? "less" : "longer"} than the estimate, ${isInside ? "inside" : "outside"} its interval`;
  return [
    {
      name: "restore/estimate",
      value: estimate.seconds,
      unit: "s",
      label: `Restore time estimated from ${sampleCount} sequential downloads (${range})`,
      isExtrapolated: estimate.isExtrapolated,
    },
    {
      name: "restore/deviation",
      value: 100 * share,
      unit: "%",
      label: off,
      isExtrapolated: false,
    },
  ];
}

/** Single downloads do not show how connections share a link, so they bound the restore instead of predicting it. */
function bounded(
  connectionCount: number,
  seconds: number,
  { seconds: boundSeconds, sampleCount }: ReturnType<typeof restoreEstimate>,
): MethodResult[] {
  return [
    {
      name: "restore/bound",
      value: boundSeconds,
      unit: "s",
      label: `Bound on the restore time, from the throughput of ${sampleCount} sequential downloads`,
      isExtrapolated: true,
    },
    {
      name: "restore/speed-up",
      value: boundSeconds / seconds,
      unit: "1",
      label: `Throughput over ${connectionCount} connections, as a multiple of that over one`,
      isExtrapolated: false,
    },
  ];
}

function restoreLegs({ objectBytes, objectCount, connectionCount, singleCount }: RestoreParameters): Leg[] {
  const common = { sizeBytes: objectBytes, secondsMax: null };
  return [
    { ...common, operation: "PUT", connectionCount: 1, sampleCount: objectCount },
    { ...common, operation: "GET", connectionCount: 1, sampleCount: singleCount },
    { ...common, operation: "GET", connectionCount, sampleCount: objectCount },
  ];
}
