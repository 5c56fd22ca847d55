/**
 * Small uploads as users of the AWS SDK for JavaScript see them: timed around its send(), so that signing, hashing and
 * all its other work are part of each sample. A separate method, because its figures are not those of the wire.
 */
import { z } from "zod";
import { CHECKED_KEY_COUNT, estimateLegs, uploadSizes } from "./legs.ts";
import type { StoreMethod } from "./method.ts";

const sdkUploadsParameters = z
  .strictObject({
    sizesBytes: uploadSizes.default([256_000, 1_000_000]),
    repetitionCount: z.int().min(1).max(10_000).default(100),
    warmUpCount: z.int().min(0).max(100).default(3),
    pauseMs: z.number().min(0).max(60_000).default(10),
    timeoutMs: z.int().min(100).max(600_000).default(30_000),
  })
  .describe("Uploads through the AWS SDK");
export type SdkUploadsParameters = z.infer<typeof sdkUploadsParameters>;

export const sdkUploads: StoreMethod<SdkUploadsParameters> = {
  measures: "stores",
  name: "sdk-uploads",
  version: 1,
  title: "Uploads through the AWS SDK",
  description:
    "Uploads timed around the AWS SDK's send(): one connection, one attempt, no Expect and no checksums, its signing and hashing included.",
  parameters: sdkUploadsParameters,
  requiresS3: true,
  usesStore: true,
  presets: [{ name: "b2-2023", title: "Through the AWS SDK: 256 kB and 1 MB", parameters: {} }],
  plan: ({ sizesBytes, repetitionCount, warmUpCount, pauseMs }) => ({
    legs: sizesBytes.map((sizeBytes) => ({
      operation: "PUT",
      sizeBytes,
      connectionCount: 1,
      sampleCount: repetitionCount,
      secondsMax: null,
    })),
    estimate: estimateLegs({
      putCount: sizesBytes.length * (repetitionCount + warmUpCount),
      uploadedBytes: sizesBytes.reduce((sum, size) => sum + size, 0) * (repetitionCount + warmUpCount),
      seconds: (sizesBytes.length * repetitionCount * pauseMs) / 1000,
    }),
  }),
  run: async (session, { sizesBytes, repetitionCount, warmUpCount, pauseMs, timeoutMs }, signal) => {
    session.configure({ timeoutMs, attemptCountMax: 1 });
    await session.prepareBodies(sizesBytes);
    session.expect(sizesBytes.length * repetitionCount);
    const uploads = sizesBytes.map((sizeBytes, leg) => ({
      operation: "PUT" as const,
      sizeBytes,
      leg,
      connection: 0,
      pauseMs,
    }));
    session.say("Warm-ups");
    for (const upload of uploads) {
      for (let done = 0; done < warmUpCount; done += 1) await session.warmUpBySdk(upload, signal);
    }
    session.say("Uploads through the SDK");
    for (let done = 0; done < repetitionCount; done += 1) {
      for (const upload of session.shuffle(uploads)) await session.timedBySdk(upload, signal);
    }
    session.say("Checking some of the uploads");
    await session.checkStored(CHECKED_KEY_COUNT, signal);
    return [];
  },
};
