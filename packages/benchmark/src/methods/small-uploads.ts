/**
 * Small uploads: timed PUTs of each size over one connection with a pause after each, as in the test of 2023 that
 * compared Backblaze B2 with Amazon S3. Sizes alternate, so that changes during the run affect them alike.
 */
import { z } from "zod";
import { rttPause } from "../run/companion-ping.ts";
import type { Session } from "../run/session.ts";
import { CHECKED_KEY_COUNT, estimateLegs, pingLeg, runOperations, uploadSizes } from "./legs.ts";
import type { Leg, StoreMethod } from "./method.ts";

const kb = [256_000, 1_000_000];
const kib = [262_144, 1_048_576];

const smallUploadsParameters = z
  .strictObject({
    sizesBytes: uploadSizes.default(kb),
    repetitionCount: z.int().min(1).max(10_000).default(100),
    /** Number of initial uploads of each size that are discarded. */
    warmUpCount: z.int().min(0).max(100).default(3),
    pauseMs: z.number().min(0).max(60_000).default(10),
    /** Alternates sizes within each repetition, in a random order; otherwise one size follows the other. */
    interleavesSizes: z.boolean().default(true),
    /** With a rate, uploads start at their due times, from which latency is measured. */
    mode: z.enum(["closed", "constant-rate"]).default("closed"),
    ratePerSecond: z.number().min(0.01).max(1000).default(10),
    connectionCount: z.int().min(1).max(64).default(1),
    /** Timed TCP connections to the same address. */
    pingCount: z.int().min(0).max(10_000).default(100),
    /**
     * Opens another TCP connection in the pause after each timed operation, and records its time beside that sample.
     */
    measuresRtt: z.boolean().default(true),
    timeoutMs: z.int().min(100).max(600_000).default(30_000),
    /** 1 allows a single attempt per sample. */
    attemptCountMax: z.int().min(1).max(10).default(1),
    checkedKeyCount: z.int().min(0).max(100).default(CHECKED_KEY_COUNT),
  })
  .describe("Small uploads");
export type SmallUploadsParameters = z.infer<typeof smallUploadsParameters>;

export const smallUploads: StoreMethod<SmallUploadsParameters> = {
  measures: "stores",
  name: "small-uploads",
  version: 1,
  title: "Small uploads",
  description:
    "Per size some discarded warm-ups, then timed uploads over one persistent connection with a pause after each; TCP connections to the same address beside them.",
  parameters: smallUploadsParameters,
  usesStore: true,
  earlierParameters: { measuresRtt: false },
  presets: [
    { name: "b2-2023", title: "Small uploads (B2 2023): 256 kB and 1 MB", parameters: { sizesBytes: kb } },
    { name: "b2-2023-binary", title: "Small uploads: 256 KiB and 1 MiB", parameters: { sizesBytes: kib } },
    {
      name: "constant-rate",
      title: "Small uploads at a constant rate: 256 kB, 10 per second",
      parameters: { sizesBytes: [256_000], mode: "constant-rate", ratePerSecond: 10, repetitionCount: 600 },
    },
  ],
  plan: (parameters) => {
    const { sizesBytes, repetitionCount, warmUpCount, pauseMs, pingCount, mode, ratePerSecond } = parameters;
    const bytesOfOneEach = sizesBytes.reduce((sum, size) => sum + size, 0);
    const sampleCount = sizesBytes.length * repetitionCount;
    const pausesMs = mode === "closed" ? (sampleCount / parameters.connectionCount) * pauseMs : 0;
    return {
      legs: uploadLegs(parameters),
      estimate: estimateLegs({
        putCount: sizesBytes.length * (repetitionCount + warmUpCount),
        pingCount,
        uploadedBytes: bytesOfOneEach * (repetitionCount + warmUpCount),
        seconds:
          (pausesMs + pingCount * pauseMs) / 1000 + (mode === "closed" ? 0 : sampleCount / ratePerSecond),
      }),
    };
  },
  run: async (session, parameters, signal) => {
    const { sizesBytes, warmUpCount, pingCount, timeoutMs, attemptCountMax, pauseMs, checkedKeyCount } =
      parameters;
    session.configure({ timeoutMs, attemptCountMax, rttPauseMs: rttPause(parameters) });
    await session.prepareBodies(sizesBytes);
    session.expect(sizesBytes.length * parameters.repetitionCount + pingCount);
    session.say("Warm-ups");
    for (const sizeBytes of sizesBytes) {
      for (let done = 0; done < warmUpCount; done += 1) {
        await session.warmUp({ operation: "PUT", sizeBytes, leg: 0, connection: 0, pauseMs }, signal);
      }
    }
    session.say("Uploads");
    const { connectionCount, mode, ratePerSecond } = parameters;
    await runOperations(
      session,
      {
        operations: orderUploads(parameters, session.shuffle),
        connectionCount,
        pauseMs: mode === "closed" ? pauseMs : 0,
        ratePerSecond: mode === "closed" ? null : ratePerSecond,
      },
      signal,
    );
    session.say("TCP connections");
    for (let done = 0; done < pingCount; done += 1) {
      await session.ping({ leg: sizesBytes.length, pauseMs }, signal);
    }
    session.say("Checking some of the uploads");
    await session.checkStored(checkedKeyCount, signal);
    return [];
  },
};

function uploadLegs({
  sizesBytes,
  repetitionCount,
  connectionCount,
  pingCount,
}: SmallUploadsParameters): Leg[] {
  const legs: Leg[] = sizesBytes.map((sizeBytes) => ({
    operation: "PUT",
    sizeBytes,
    connectionCount,
    sampleCount: repetitionCount,
    secondsMax: null,
  }));
  return pingCount === 0 ? legs : [...legs, pingLeg(pingCount)];
}

/** Yields the timed uploads in the order of their starts. */
export function* orderUploads(
  {
    sizesBytes,
    repetitionCount,
    interleavesSizes,
  }: Pick<SmallUploadsParameters, "sizesBytes" | "repetitionCount" | "interleavesSizes">,
  shuffle: Session["shuffle"],
) {
  const legs = sizesBytes.map((sizeBytes, leg) => ({ operation: "PUT" as const, sizeBytes, leg }));
  if (interleavesSizes) {
    for (let done = 0; done < repetitionCount; done += 1) yield* shuffle(legs);
  } else {
    for (const each of legs) for (let done = 0; done < repetitionCount; done += 1) yield each;
  }
}
