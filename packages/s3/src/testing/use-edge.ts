/** Edges and clients of one file of tests, closed after its last test. */
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { afterAll } from "vitest";
import type { S3Limits } from "../limits.ts";
import { awsClientOf } from "./aws-client.ts";
import { startEdge, type TestEdge, type TestEdgeOptions } from "./start-edge.ts";
import { startWireEdge } from "./wire.ts";

export async function useEdge(options: TestEdgeOptions = {}): Promise<TestEdge> {
  return closedAfterAll(await startEdge(options));
}

/** Provides an edge that has a bucket named "bucket". */
export async function useWireEdge(
  limits: Partial<S3Limits> = {},
  options: Pick<TestEdgeOptions, "admit" | "baseDomains"> = {},
): Promise<TestEdge> {
  return closedAfterAll(await startWireEdge(limits, options));
}

/** Provides a client that signs with the writer's key. */
export function useAwsClient(edge: TestEdge, config: S3ClientConfig = {}): S3Client {
  const s3 = awsClientOf(edge, undefined, config);
  afterAll(() => s3.destroy());
  return s3;
}

function closedAfterAll(edge: TestEdge): TestEdge {
  afterAll(() => edge.close());
  return edge;
}
