import { randomUUID } from "node:crypto";
import { type EndpointTarget, endpointTargetSchema } from "../endpoint/target.ts";
import type { SamplerJobInput } from "../sampler/job.ts";

export const TEST_CREDENTIALS = {
  accessKeyId: "TESTTESTTESTTEST0000",
  secretAccessKey: "test/secret+00000000",
};

/** Endpoint on this machine. */
export function testTarget(url: string, more: Partial<EndpointTarget> = {}): EndpointTarget {
  return endpointTargetSchema.parse({
    name: "test",
    kind: "s3-compatible",
    url,
    region: "us-east-1",
    bucket: "bench",
    prefix: "tests",
    addressing: "path",
    caPem: "",
    address: "127.0.0.1",
    ...more,
  });
}

export function createTestJob(
  endpoint: EndpointTarget,
  parameters: Readonly<Record<string, unknown>>,
  more: Partial<SamplerJobInput> = {},
): SamplerJobInput {
  return {
    runId: randomUUID(),
    method: { name: "small-uploads", parameters: { ...parameters } },
    endpoint,
    credentials: TEST_CREDENTIALS,
    seed: 1,
    ...more,
  };
}
