/** A coordinator node: the S3 edge in front, the vault behind. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  createNodeRecorder,
  describeTransportEvent,
  metricsOf,
  monotonicNowMs,
  nextBootId,
  type RunningNode,
  Switchboard,
  startAdminServer,
  startReporting,
} from "@stashlight/agent";
import { addressesOf, type CoordinatorNode, type VaultFile, vaultConfigOf } from "@stashlight/agent/config";
import { type AccessKey, createS3Server, type ObservedRequest, type S3Server } from "@stashlight/s3";
import type { Recorder } from "@stashlight/telemetry";
import { type Address, quorumsOf } from "@stashlight/write-path";
import type { Logger } from "pino";
import { EdgeMetrics } from "./edge-metrics.ts";
import { AcknowledgedSample } from "./margin/acknowledged-sample.ts";
import { MarginSampler } from "./margin/margin-sampler.ts";
import { createObjectStore } from "./store/object-store.ts";
import { piecesPage } from "./store/pieces-page.ts";
import { sweep } from "./store/sweep.ts";
import { UploadWatch } from "./vault/upload-watch.ts";
import { Vault } from "./vault/vault.ts";

export interface CoordinatorNodeOptions {
  readonly file: VaultFile;
  readonly node: CoordinatorNode;
  readonly enrolmentTokenFile: string | null;
  readonly logger: Logger;
}

const CLOSE_IDLE_EVERY_MS = 50;
const SWEEP_EVERY_MS = 600_000;
const SWEEP_GRACE_MS = 3_600_000;

export async function startCoordinatorNode({
  file,
  node,
  enrolmentTokenFile,
  logger,
}: CoordinatorNodeOptions): Promise<RunningNode> {
  const bootId = await nextBootId(node.stateFolder, Date.now());
  const observe = (event: Parameters<typeof describeTransportEvent>[1]) =>
    describeTransportEvent(logger, event);
  const switchboard = new Switchboard({ file, node, bootId, observe });
  const [address] = addressesOf(file, node) as [Address];
  const { smallUploadBytesMax, isStashEnabled, pieceBytes } = file;
  const config = vaultConfigOf(file);
  const recorder = createNodeRecorder("coordinator", switchboard);
  const { acknowledge, shardCount } = quorumsOf(config.scheme);
  const sample = new AcknowledgedSample({ nowMs: monotonicNowMs, random: Math.random });
  const watch = new UploadWatch({
    recorder,
    nowMs: monotonicNowMs,
    acknowledge,
    shardCount,
    smallUploadBytesMax,
    acknowledged: ({ uploadId, kind, bucket, key, order }) =>
      sample.add({ uploadId, kind, bucket, key, order }),
  });
  const vault = new Vault({ address, config, switchboard, smallUploadBytesMax, isStashEnabled, watch });
  const admin = await startAdminServer(node.host, node.adminPort, {
    health: () => healthOf(node, bootId, vault, switchboard),
    unreadiness: () => unreadinessOf(vault),
    metrics: metricsOf(recorder),
    pages: new Map<string, (query: URLSearchParams) => object | Promise<object>>([
      ["/traces", () => watch.traces.snapshot()],
      ["/pieces", (query) => piecesPage(vault, query)],
    ]),
  });
  await switchboard.start();
  vault.start();
  const direct = new Set(
    file.accessKeys.filter(({ uploadPath }) => uploadPath === "direct").map(({ id }) => id),
  );
  const store = createObjectStore({
    vault,
    pieceBytes,
    isDirect: (accessKeyId) => direct.has(accessKeyId),
    nowMs: monotonicNowMs,
  });
  const metrics = new EdgeMetrics(recorder, monotonicNowMs);
  const edge = createS3Server({
    store,
    findAccessKey: accessKeyLookup(file),
    region: node.s3.region,
    nowMs: Date.now,
    newRequestId: randomUUID,
    observe: (request) => {
      metrics.count(request);
      logRequest(logger, request);
    },
  });
  const server = await listen(edge, node);
  const clients = recorder.gauge("stashlight_client_connections", {});
  recorder.onRead(() => server.getConnections((_error, count) => clients.set(count ?? null)));
  followRefusals(recorder, address, vault);
  const sweeper = startSweeper(vault, logger);
  const margin = startMarginSampler(file, recorder, sample);
  const keptTraces = () => {
    const { recent, slowest } = watch.traces.snapshot();
    return [...recent, ...slowest];
  };
  const reporter = startReporting({ file, node, bootId, recorder, keptTraces, enrolmentTokenFile, logger });
  logger.info({ bootId, s3: `${node.s3.host}:${node.s3.port}` }, "started");
  return {
    stop: async () => {
      clearInterval(sweeper);
      margin.stop();
      await closed(server);
      vault.stop();
      await Promise.all([switchboard.close(), reporter?.stop()]);
      admin.close();
      admin.closeAllConnections();
    },
  };
}

async function listen(edge: S3Server, { s3 }: CoordinatorNode): Promise<Server> {
  const server =
    s3.tls === undefined
      ? createServer(edge.httpOptions)
      : createTlsServer({
          ...edge.httpOptions,
          cert: readFileSync(s3.tls.cert),
          key: readFileSync(s3.tls.key),
          minVersion: "TLSv1.2",
        });
  edge.attachTo(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(s3.port, s3.host, resolve);
  });
  return server;
}

/** Requests under way are answered; connections that wait for another request are closed, and those that come to. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    server.close(() => {
      clearInterval(closeIdle);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function accessKeyLookup({ accessKeys }: VaultFile): (id: string) => AccessKey | null {
  const keys = new Map(accessKeys.map((key) => [key.id, key]));
  return (id) => keys.get(id) ?? null;
}

function startSweeper(vault: Vault, logger: Logger): NodeJS.Timeout {
  let isSweeping = false;
  return setInterval(async () => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      const result = await sweep({ vault, nowMs: monotonicNowMs, graceMs: SWEEP_GRACE_MS });
      if (result.bodiesCollected > 0) logger.info(result, "pieces without an object collected");
    } catch (error) {
      logger.warn({ err: error }, "the sweep for pieces without an object was broken off");
    } finally {
      isSweeping = false;
    }
  }, SWEEP_EVERY_MS);
}

function startMarginSampler(
  { nodes, scheme }: VaultFile,
  recorder: Recorder,
  sample: AcknowledgedSample,
): MarginSampler {
  const { acknowledge } = quorumsOf(scheme);
  const margin = recorder.gauge("stashlight_durable_margin_shards", {});
  const missing = recorder.gauge("stashlight_durable_missing_shards", {});
  const sampler = new MarginSampler({
    nodes,
    sample,
    onRound: (leastCount) => {
      margin.set(leastCount === null ? null : leastCount - scheme.dataShardCount);
      missing.set(leastCount === null ? null : Math.max(0, acknowledge - leastCount));
    },
  });
  sampler.start();
  return sampler;
}

function logRequest(logger: Logger, { error, ...request }: ObservedRequest): void {
  // That something is not implemented is no failure of ours: clients ask to find out.
  const isFailure = request.status >= 500 && request.status !== 501;
  if (isFailure) logger.error({ ...request, err: error?.cause ?? error }, "request failed");
  else logger.debug({ ...request, code: error?.code }, "request");
}

function followRefusals(recorder: Recorder, device: Address, vault: Vault): void {
  recorder.onRead(() => {
    for (const [reason, count] of vault.refusals()) {
      recorder.counter("stashlight_refusals_total", { tier: "coordinator", device, reason }).follow(count);
    }
  });
}

function unreadinessOf(vault: Vault): string | null {
  const { settledPodCount, neededPodCount } = vault;
  if (settledPodCount >= neededPodCount) return null;
  return `${settledPodCount} pods have settled; uploads need ${neededPodCount}.`;
}

function healthOf(node: CoordinatorNode, bootId: number, vault: Vault, switchboard: Switchboard): object {
  return {
    nodeId: node.id,
    bootId,
    settledPodCount: vault.settledPodCount,
    neededPodCount: vault.neededPodCount,
    openRequestCount: vault.openRequestCount,
    refusals: Object.fromEntries(vault.refusals()),
    connectedNodeIds: switchboard.connectedNodeIds(),
  };
}
