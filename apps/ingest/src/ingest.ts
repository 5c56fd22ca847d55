/** State shared by the routes while the ingest runs. */
import type { IncomingMessage } from "node:http";
import type { BlockList } from "node:net";
import type { Base } from "@stashlight/services/base";
import { clientAddress } from "@stashlight/services/client-address";
import type { ReceivedBatch, Remark } from "@stashlight/services/metrics/ingest";
import type { BaseWithMerger } from "@stashlight/services/metrics/merger";
import {
  createNodeAuthenticator,
  type NodeAuthenticator,
  type NodeHeartbeats,
  startNodeHeartbeats,
} from "@stashlight/services/node/reporting";
import { createRecorder, type Recorder, SeriesMemories } from "@stashlight/telemetry";
import { GroupCommit } from "./group-commit.ts";
import type { Limits } from "./limits.ts";
import { type IngestMetrics, ingestMetrics } from "./metrics.ts";
import { type Buckets, createBuckets } from "./token-buckets.ts";

export interface IngestOptions {
  readonly platform: Base;
  /** Separate connections for enrolment and jobs, which wait for locks, so that batches do not wait for them. */
  readonly control: BaseWithMerger;
  readonly limits: Limits;
  readonly trustedProxies: BlockList;
  /**
   * Commits all of the batches or none; may be called again with the same ones. Rejects with `unavailable` if a retry
   * may help. Resolves to the values not stored as sent, per batch.
   */
  readonly accept: (batches: readonly ReceivedBatch[]) => Promise<readonly (readonly Remark[])[]>;
  readonly onError: (error: unknown, what: string) => void;
}

export interface Ingest extends IngestOptions {
  readonly authenticator: NodeAuthenticator;
  readonly heartbeats: NodeHeartbeats;
  readonly gather: GroupCommit;
  readonly seriesOfNodes: SeriesMemories;
  readonly recorder: Recorder;
  readonly metrics: IngestMetrics;
  readonly batchesOfNode: Buckets;
  readonly tracesOfNode: Buckets;
  readonly jobsOfNode: Buckets;
  readonly accessKeysOfNode: Buckets;
  readonly objectQuestionsOfNode: Buckets;
  readonly bucketQuestionsOfNode: Buckets;
  readonly wrongKeysOfAddress: Buckets;
  /** Bytes of batches that are being read or are waiting to be committed. */
  waitingBytes: number;
  isStopping: boolean;
}

export function openIngest(options: IngestOptions): Ingest {
  const { platform, limits, onError } = options;
  const nowMs = () => platform.now().getTime();
  const recorder = createRecorder({ nowMs });
  const metrics = ingestMetrics(recorder, () => ingest.waitingBytes);
  const commit: IngestOptions["accept"] = async (batches) => {
    const startedMs = performance.now();
    const remarks = await options.accept(batches);
    metrics.committed(batches.length, (performance.now() - startedMs) / 1000);
    return remarks;
  };
  const ingest: Ingest = {
    ...options,
    authenticator: createNodeAuthenticator(platform),
    heartbeats: startNodeHeartbeats(platform, (error) =>
      onError(error, "the times at which nodes were seen could not be stored"),
    ),
    gather: new GroupCommit({ commit, ...limits }),
    seriesOfNodes: new SeriesMemories(limits.seriesMemoryBytesMax),
    recorder,
    metrics,
    batchesOfNode: createBuckets(limits.batchesPerNode, nowMs),
    tracesOfNode: createBuckets(limits.tracesPerNode, nowMs),
    jobsOfNode: createBuckets(limits.jobsPerNode, nowMs),
    accessKeysOfNode: createBuckets(limits.accessKeysPerNode, nowMs),
    objectQuestionsOfNode: createBuckets(limits.objectQuestionsPerNode, nowMs),
    bucketQuestionsOfNode: createBuckets(limits.bucketQuestionsPerNode, nowMs),
    wrongKeysOfAddress: createBuckets(limits.wrongKeysPerAddress, nowMs),
    waitingBytes: 0,
    isStopping: false,
  };
  return ingest;
}

export function requestAddress(ingest: Ingest, request: IncomingMessage): string {
  const peer = request.socket.remoteAddress ?? "unknown";
  return clientAddress(peer, request.headers["x-forwarded-for"], ingest.trustedProxies);
}
