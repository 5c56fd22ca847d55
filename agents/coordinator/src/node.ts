/** A coordinator node: the S3 edge in front, the vault behind. */
import {
  adminAccessOf,
  adminDoorOf,
  countRefusals,
  createNodeRecorder,
  createTransportLog,
  metricsOf,
  monotonicNowMs,
  type NodeContext,
  nextBootId,
  type RunningNode,
  Switchboard,
  startAdminServer,
  startReporting,
} from "@stashlight/node-runtime";
import {
  addressesOf,
  type CoordinatorNode,
  type VaultFile,
  vaultConfigOf,
} from "@stashlight/node-runtime/config";
import type { Recorder } from "@stashlight/telemetry";
import { type Address, quorumsOf } from "@stashlight/write-path";
import type { Logger } from "pino";
import { Admission } from "./admission/admission.ts";
import { refuseWithoutRoom } from "./admission/room.ts";
import { startEdge } from "./edge.ts";
import { startAccessKeys } from "./keys/start.ts";
import { AcknowledgedSample } from "./margin/acknowledged-sample.ts";
import { MarginSampler } from "./margin/margin-sampler.ts";
import { followSpace } from "./space/metrics.ts";
import { createSpace, type RunningSpace, runSpace, type SpaceParts } from "./space/space.ts";
import { spaceTiming } from "./space/timing.ts";
import { createObjectStore } from "./store/object-store.ts";
import { piecesPage } from "./store/pieces-page.ts";
import { UploadWatch } from "./vault/upload-watch.ts";
import { Vault } from "./vault/vault.ts";

/** With more requests than this under way, or any waiting for admission, garbage is collected more slowly. */
const BUSY_REQUEST_COUNT = 32;

export async function startCoordinatorNode(
  node: CoordinatorNode,
  { file, enrolmentTokenFile, links, logger }: NodeContext,
): Promise<RunningNode> {
  const bootId = await nextBootId(node.stateFolder, Date.now());
  const log = createTransportLog(logger, monotonicNowMs);
  const observe = (event: Parameters<typeof log>[0]) => {
    log(event);
    if (event.type === "disconnected") vault.lost(addressesOfNode(file, event.nodeId));
  };
  const switchboard = new Switchboard({ file, node, bootId, links, observe });
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
  const gate = new Admission({ recorder, nowMs: monotonicNowMs, smallUploadBytesMax, pieceBytes });
  const vault = new Vault({ address, config, switchboard, smallUploadBytesMax, isStashEnabled, watch, gate });
  const admin = await startAdmin(file, { node, bootId, vault, switchboard, gate }, watch, recorder);
  await switchboard.start();
  vault.start();
  const direct = new Set(
    file.accessKeys.filter(({ uploadPath }) => uploadPath === "direct").map(({ id }) => id),
  );
  const { space, run } = prepareSpace({ file, vault, gate, recorder, logger });
  const store = createObjectStore({
    space,
    pieceBytes,
    coordinatorCount: config.coordinatorCount,
    freeBytes: () => vault.freeBytes,
    isDirect: (accessKeyId) => direct.has(accessKeyId),
    nowMs: monotonicNowMs,
  });
  const { keys, stop: stopKeys } = await startAccessKeys(file, node, logger);
  const edge = await startEdge({
    node,
    store,
    findAccessKey: (id) => keys.find(id),
    admit: async (request) => {
      await refuseWithoutRoom(vault, request);
      return await gate.admit(request);
    },
    recorder,
    logger,
  });
  followRefusals(recorder, address, vault);
  const runningSpace = run();
  const margin = startMarginSampler(file, recorder, sample);
  const keptTraces = () => {
    const { recent, slowest } = watch.traces.snapshot();
    return [...recent, ...slowest];
  };
  const reporter = startReporting({ file, node, bootId, recorder, keptTraces, enrolmentTokenFile, logger });
  logger.info({ bootId, s3: `${node.s3.host}:${node.s3.port}` }, "started");
  return {
    stop: async () => {
      margin.stop();
      stopKeys();
      await edge.stop();
      await runningSpace.stop();
      vault.stop();
      gate.stop();
      await Promise.all([switchboard.close(), reporter?.stop()]);
      admin.close();
      admin.closeAllConnections();
    },
  };
}

function addressesOfNode(file: VaultFile, nodeId: string): readonly Address[] {
  const node = file.nodes.find(({ id }) => id === nodeId);
  return node === undefined ? [] : addressesOf(file, node);
}

interface SpaceOfNode {
  readonly file: VaultFile;
  readonly vault: Vault;
  readonly gate: Admission;
  readonly recorder: Recorder;
  readonly logger: Logger;
}

function prepareSpace({ file, vault, gate, recorder, logger }: SpaceOfNode): {
  readonly space: SpaceParts["space"];
  readonly run: () => RunningSpace;
} {
  const timing = spaceTiming(file.collection);
  const onFailure = (error: unknown) => logger.warn({ err: error }, "garbage could not be collected");
  const isBusy = () => gate.waitingCount > 0 || vault.openRequestCount > BUSY_REQUEST_COUNT;
  const parts = createSpace({ vault, timing, nowMs: monotonicNowMs, isBusy, onFailure });
  followSpace(recorder, parts);
  return { space: parts.space, run: () => runSpace(parts, { timing, onFailure }) };
}

function startMarginSampler(file: VaultFile, recorder: Recorder, sample: AcknowledgedSample): MarginSampler {
  const { nodes, scheme } = file;
  const { acknowledge } = quorumsOf(scheme);
  const margin = recorder.gauge("stashlight_durable_margin_shards", {});
  const missing = recorder.gauge("stashlight_durable_missing_shards", {});
  const sampler = new MarginSampler({
    nodes,
    access: adminAccessOf(file),
    sample,
    onRound: (leastCount) => {
      margin.set(leastCount === null ? null : leastCount - scheme.dataShardCount);
      missing.set(leastCount === null ? null : Math.max(0, acknowledge - leastCount));
    },
  });
  sampler.start();
  return sampler;
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

function startAdmin(file: VaultFile, sources: HealthSources, { traces }: UploadWatch, recorder: Recorder) {
  const { node, vault } = sources;
  return startAdminServer(adminDoorOf(file, node), {
    refused: countRefusals(recorder),
    health: () => healthOf(sources),
    unreadiness: () => unreadinessOf(vault),
    metrics: metricsOf(recorder),
    pages: new Map<string, (query: URLSearchParams) => object | Promise<object>>([
      ["/traces", () => traces.snapshot()],
      ["/pieces", (query) => piecesPage(vault, query)],
    ]),
  });
}

interface HealthSources {
  readonly node: CoordinatorNode;
  readonly bootId: number;
  readonly vault: Vault;
  readonly switchboard: Switchboard;
  readonly gate: Admission;
}

function healthOf({ node, bootId, vault, switchboard, gate }: HealthSources): object {
  return {
    nodeId: node.id,
    bootId,
    settledPodCount: vault.settledPodCount,
    neededPodCount: vault.neededPodCount,
    openRequestCount: vault.openRequestCount,
    freeBytes: vault.freeBytes,
    waitingRequestCount: gate.waitingCount,
    heldBodyBytes: gate.heldBytes,
    refusals: Object.fromEntries(vault.refusals()),
    connectedNodeIds: switchboard.connectedNodeIds(),
  };
}
