/**
 * Object sweep: repeatedly uploads, downloads and deletes an object of each size over one connection, as in the study
 * that compared three providers from 1 kB to 100 MB (objectbench). Within a repetition the sizes come in a random
 * order, so that changes during the run affect them alike, and each object is deleted before the next is uploaded.
 *
 * Every download is compared with its upload once the clock has stopped. `headersMs` of a download is its time to first
 * byte, because stores send the headers with the first bytes of the body; `wireMs` is its time to the last.
 */
import { z } from "zod";
import { rttPause } from "../run/companion-ping.ts";
import type { Session } from "../run/session.ts";
import type { StoredObject } from "../run/stored-objects.ts";
import { CHECKED_KEY_COUNT, estimateLegs, pingLeg, uploadSizes } from "./legs.ts";
import type { Leg, MethodResult, StoreMethod } from "./method.ts";

const decades = [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
const operations = ["PUT", "GET", "DELETE"] as const;
/** Used only for the time estimate; a slower endpoint takes longer. */
const BYTES_PER_SECOND = 50_000_000;

const objectSweepParameters = z
  .strictObject({
    sizesBytes: uploadSizes.default(decades),
    repetitionCount: z.int().min(1).max(10_000).default(100),
    /** Number of initial rounds over all sizes that are discarded. */
    warmUpCount: z.int().min(0).max(10).default(1),
    pauseMs: z.number().min(0).max(60_000).default(10),
    /** Timed TCP connections to the same address. */
    pingCount: z.int().min(0).max(10_000).default(100),
    /**
     * Opens another TCP connection in the pause after each timed operation, and records its time beside that sample.
     */
    measuresRtt: z.boolean().default(true),
    timeoutMs: z.int().min(100).max(600_000).default(120_000),
    /** Deleted keys that are requested at the end. */
    checkedKeyCount: z.int().min(0).max(100).default(CHECKED_KEY_COUNT),
  })
  .describe("Object sweep");
export type ObjectSweepParameters = z.infer<typeof objectSweepParameters>;

export const objectSweep: StoreMethod<ObjectSweepParameters> = {
  measures: "stores",
  name: "object-sweep",
  version: 1,
  title: "Object sweep",
  description:
    "Uploads, downloads and deletes an object of each size in turn over one connection; every downloaded byte is checked.",
  parameters: objectSweepParameters,
  usesStore: true,
  earlierParameters: { measuresRtt: false },
  presets: [
    {
      name: "objectbench",
      title: "objectbench: 1 kB to 100 MB, 100 times",
      parameters: { sizesBytes: decades },
    },
    {
      name: "quick",
      title: "Quick look: 1 kB to 1 MB, 10 times",
      parameters: { sizesBytes: decades.slice(0, 4), repetitionCount: 10, pingCount: 20 },
    },
  ],
  plan: (parameters) => {
    const { sizesBytes, repetitionCount, warmUpCount, pauseMs, pingCount, checkedKeyCount } = parameters;
    const roundCount = repetitionCount + warmUpCount;
    const objectCount = sizesBytes.length * roundCount;
    const bytes = sizesBytes.reduce((sum, size) => sum + size, 0) * roundCount;
    return {
      legs: sweepLegs(parameters),
      estimate: estimateLegs({
        putCount: objectCount,
        getCount: objectCount,
        headCount: checkedKeyCount,
        deleteCount: objectCount,
        pingCount,
        uploadedBytes: bytes,
        downloadedBytes: bytes,
        seconds: (3 * objectCount * pauseMs + pingCount * pauseMs) / 1000 + (2 * bytes) / BYTES_PER_SECOND,
      }),
    };
  },
  run: async (session, parameters, signal) => {
    const { sizesBytes, repetitionCount, warmUpCount, pauseMs, pingCount, timeoutMs } = parameters;
    session.configure({ timeoutMs, attemptCountMax: 1, rttPauseMs: rttPause(parameters) });
    await session.prepareBodies(sizesBytes);
    session.expect(3 * sizesBytes.length * repetitionCount + pingCount);
    session.say("Warm-ups");
    for (let done = 0; done < warmUpCount; done += 1) {
      for (const [at, sizeBytes] of sizesBytes.entries())
        await passThrough(session, { at, sizeBytes, pauseMs, isTimed: false }, signal);
    }
    session.say("Uploads, downloads and deletions");
    const deleted: string[] = [];
    let skippedCount = 0;
    for (let done = 0; done < repetitionCount; done += 1) {
      for (const [at, sizeBytes] of session.shuffle([...sizesBytes.entries()])) {
        const passed = await passThrough(session, { at, sizeBytes, pauseMs, isTimed: true }, signal);
        if (passed === null) skippedCount += 2;
        else if (passed.isDeleted) deleted.push(passed.key);
      }
    }
    session.say("TCP connections");
    for (let done = 0; done < pingCount; done += 1)
      await session.ping({ leg: 3 * sizesBytes.length, pauseMs }, signal);
    session.say("Requesting some of the deleted objects");
    await session.checkDeleted(deleted, parameters.checkedKeyCount, signal);
    return skippedCount === 0 ? [] : [skipped(skippedCount)];
  },
};

interface Pass {
  /** Index of the size. */
  readonly at: number;
  readonly sizeBytes: number;
  readonly pauseMs: number;
  readonly isTimed: boolean;
}

interface Passed {
  readonly key: string;
  /** True if its deletion was answered with success; a failed deletion is a failed sample, and is not checked again. */
  readonly isDeleted: boolean;
}

/**
 * Uploads, downloads and deletes one object. Returns null if the upload failed, after which nothing else is requested.
 */
async function passThrough(
  session: Session,
  { at, sizeBytes, pauseMs, isTimed }: Pass,
  signal: AbortSignal,
): Promise<Passed | null> {
  const perform = (operation: (typeof operations)[number], object?: StoredObject) => {
    const leg = 3 * at + operations.indexOf(operation);
    const timed = {
      operation,
      sizeBytes,
      leg,
      pauseMs,
      connection: 0,
      checksContent: operation === "GET",
      ...(object === undefined ? {} : { object }),
    };
    return isTimed ? session.timed(timed, signal) : session.warmUp(timed, signal);
  };
  const object = await perform("PUT");
  if (object === null) return null;
  await perform("GET", object);
  const deleted = await perform("DELETE", object);
  return { key: object.key, isDeleted: deleted !== null };
}

function skipped(count: number): MethodResult {
  const label = "Downloads and deletions left out, because the object could not be uploaded";
  return { name: "skipped", value: count, unit: "1", label, isExtrapolated: false };
}

function sweepLegs({ sizesBytes, repetitionCount, pingCount }: ObjectSweepParameters): Leg[] {
  const common = { connectionCount: 1, sampleCount: repetitionCount, secondsMax: null };
  const legs = sizesBytes.flatMap((sizeBytes): Leg[] =>
    operations.map((operation) => ({ operation, sizeBytes, ...common })),
  );
  return pingCount === 0 ? legs : [...legs, pingLeg(pingCount)];
}
