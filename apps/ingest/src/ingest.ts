/** What the routes share while the ingest runs. */
import type { IncomingMessage } from "node:http";
import type { BlockList } from "node:net";
import {
  clientAddress,
  createNodeAuthenticator,
  type NodeAuthenticator,
  type NodeHeartbeats,
  type Platform,
  type ReceivedBatch,
  startNodeHeartbeats,
} from "@stashlight/services";
import { createRecorder, type Recorder, SeriesMemories } from "@stashlight/telemetry";
import { type Buckets, createBuckets } from "./buckets.ts";
import { Gather } from "./gather.ts";
import type { Limits } from "./limits.ts";
import { type IngestMetrics, ingestMetrics } from "./metrics.ts";

export interface IngestOptions {
  readonly platform: Platform;
  readonly limits: Limits;
  readonly trustedProxies: BlockList;
  /** Commits all or nothing, any number of times; rejects with `unavailable` when it may help to come again. */
  readonly accept: (batches: readonly ReceivedBatch[]) => Promise<void>;
  readonly onError: (error: unknown, what: string) => void;
}

export interface Ingest extends IngestOptions {
  readonly authenticator: NodeAuthenticator;
  readonly heartbeats: NodeHeartbeats;
  readonly gather: Gather;
  readonly seriesOfNodes: SeriesMemories;
  readonly recorder: Recorder;
  readonly metrics: IngestMetrics;
  readonly batchesOfNode: Buckets;
  readonly tracesOfNode: Buckets;
  readonly jobsOfNode: Buckets;
  readonly wrongKeysOfAddress: Buckets;
  /** Bytes of batches that are being read or wait to be committed. */
  waitingBytes: number;
  isStopping: boolean;
}

export function openIngest(options: IngestOptions): Ingest {
  const { platform, limits, onError } = options;
  const nowMs = () => platform.now().getTime();
  const recorder = createRecorder({ nowMs });
  const metrics = ingestMetrics(recorder, () => ingest.waitingBytes);
  const commit = async (batches: readonly ReceivedBatch[]): Promise<void> => {
    const startedMs = performance.now();
    await options.accept(batches);
    metrics.committed(batches.length, (performance.now() - startedMs) / 1000);
  };
  const ingest: Ingest = {
    ...options,
    authenticator: createNodeAuthenticator(platform),
    heartbeats: startNodeHeartbeats(platform, (error) =>
      onError(error, "when nodes were seen is not written"),
    ),
    gather: new Gather({ commit, ...limits }),
    seriesOfNodes: new SeriesMemories(limits.seriesRememberedMax),
    recorder,
    metrics,
    batchesOfNode: createBuckets(limits.batchesPerNode, nowMs),
    tracesOfNode: createBuckets(limits.tracesPerNode, nowMs),
    jobsOfNode: createBuckets(limits.jobsPerNode, nowMs),
    wrongKeysOfAddress: createBuckets(limits.wrongKeysPerAddress, nowMs),
    waitingBytes: 0,
    isStopping: false,
  };
  return ingest;
}

export function addressOf(ingest: Ingest, request: IncomingMessage): string {
  const peer = request.socket.remoteAddress ?? "unknown";
  return clientAddress(peer, request.headers["x-forwarded-for"], ingest.trustedProxies);
}
