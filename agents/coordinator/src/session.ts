/** A coordinator's session with one vault: its connections, state machine, pages and reports. */

import type { CoordinatorSpace } from "@stashlight/contracts/health";
import {
  type AdminAction,
  adminDoor,
  certificateActions,
  certificatePages,
  countRefusals,
  createNodeRecorder,
  createTransportLog,
  epochActions,
  epochPages,
  followCertificates,
  metricsPage,
  monotonicNowMs,
  type NodeContext,
  type NodeCredentials,
  nextBootId,
  type PlannedRestart,
  readAdminAccess,
  retiredAuditActions,
  Switchboard,
  startAdminServer,
  startReporting,
  type VaultEpochs,
  vaultCapacityBytes,
} from "@stashlight/node-runtime";
import {
  type CoordinatorNode,
  nodeAddresses,
  rebuildRate,
  toVaultConfig,
  type VaultFile,
} from "@stashlight/node-runtime/config";
import type { Recorder } from "@stashlight/telemetry";
import { type Address, quorumsOf } from "@stashlight/write-path";
import { Admission } from "./admission/admission.ts";
import { sealedSize } from "./encryption/sealed-blocks.ts";
import { type EncryptionPart, startEncryption } from "./encryption/start.ts";
import { VaultKeyring } from "./encryption/vault-keyring.ts";
import { EpochSpreader } from "./epoch/epoch-spreader.ts";
import { previewLifecycle } from "./lifecycle/preview.ts";
import { startLocating } from "./locate/start.ts";
import { openAuditLog } from "./lost/audit-log.ts";
import { clientBucketOf } from "./lost/describe.ts";
import { type LostPart, startLost } from "./lost/start.ts";
import { AcknowledgedSample } from "./margin/acknowledged-sample.ts";
import { MarginSampler } from "./margin/margin-sampler.ts";
import { piecesPage } from "./store/pieces-page.ts";
import { UploadWatch } from "./vault/upload-watch.ts";
import { Vault } from "./vault/vault.ts";
import type { VaultVerbs } from "./vault/verbs.ts";

export interface SessionOptions {
  readonly epochs: VaultEpochs;
  readonly node: CoordinatorNode;
  readonly context: Pick<NodeContext, "links" | "logger" | "enrolmentTokenFile" | "credentials" | "restart">;
  /** Admits the uploads of all vaults behind the endpoint; without one the session has its own. */
  readonly gate?: Admission;
}

export interface VaultSession {
  readonly file: VaultFile;
  readonly node: CoordinatorNode;
  readonly bootId: number;
  readonly recorder: Recorder;
  readonly gate: Admission;
  readonly vault: Vault;
  measureSpace(): CoordinatorSpace;
  /** The key of this vault; an endpoint uses that of its first vault. */
  readonly keyring: VaultKeyring;
  /** Makes the pages report everything known to the endpoint. */
  serve(endpoint: EndpointPages): void;
  /** All coordinators of the epoch in force. */
  coordinatorIds(): string[];
  /** Stops answering requests. */
  stop(): Promise<void>;
}

export interface EndpointPages {
  /** All vaults behind the endpoint as one. */
  readonly verbs: VaultVerbs;
  readonly keyring: VaultKeyring;
  readonly lostVaults: readonly Pick<Vault, "lostObjects" | "forgetLost">[];
  /** Reason why the endpoint rejects all requests; null while it serves them. */
  readonly trouble: () => string | null;
  /** `/vaults`: the vaults behind the endpoint; null if there is only one. */
  readonly vaults: (() => object) | null;
}

export async function openSession(options: SessionOptions): Promise<VaultSession> {
  const { epochs, node, context } = options;
  const { file } = epochs;
  const { links, logger, enrolmentTokenFile, credentials, restart } = context;
  const bootId = await nextBootId(node.stateFolder, Date.now());
  const log = createTransportLog(logger, monotonicNowMs);
  const observe = (event: Parameters<typeof log>[0]) => {
    log(event);
    if (event.type === "disconnected") vault.lost(addressesOfNode(epochs.file, event.nodeId));
  };
  const switchboard = new Switchboard({ file, node, bootId, credentials, links, observe });
  const [address] = nodeAddresses(file, node) as [Address];
  const recorder = createNodeRecorder("coordinator", switchboard);
  followCertificates(recorder, credentials, Date.now);
  const sample = new AcknowledgedSample({ nowMs: monotonicNowMs, random: Math.random });
  const watch = watchUploads(file, recorder, sample);
  const gate = options.gate ?? createGate(file, recorder);
  const vault = createVault(file, { address, switchboard, watch, gate });
  const keyring = new VaultKeyring({ file, nowMs: monotonicNowMs });
  let endpoint = pagesOfLoneVault(vault, keyring);
  const lost = startLost({ vault, stateFolder: node.stateFolder, logger, endpoint: () => endpoint });
  const encryption = startEncryption({ stateFolder: node.stateFolder, logger, endpoint: () => endpoint });
  const margin: KnownMargin = { shardCount: null };
  const own = { node, bootId, epochs, margin, vault, switchboard, gate };
  const sources = { ...own, credentials, encryption, restart, logger };
  const admin = await startAdmin(file, sources, { watch, recorder, lost, endpoint: () => endpoint });
  await switchboard.start();
  vault.start();
  const stopEpochs = followEpochs(sources, file, logger);
  followRefusals(recorder, address, vault);
  followSpace(recorder, epochs, vault);
  lost.follow(recorder);
  const marginSampler = startMarginSampler(epochs, recorder, sample, margin);
  const access = readAdminAccess(file);
  const stopLocating = await startLocating(
    file,
    node,
    { file: () => epochs.file, vault, access },
    lost.reports,
  );
  const keptTraces = () => keptTracesOf(watch);
  const reporter = startReporting({ file, node, bootId, recorder, keptTraces, enrolmentTokenFile, logger });
  return {
    file,
    node,
    bootId,
    recorder,
    gate,
    vault,
    measureSpace: () => measureSpace(epochs, vault),
    keyring,
    coordinatorIds: () => epochs.file.nodes.flatMap(({ id, role }) => (role === "coordinator" ? [id] : [])),
    serve: (pages) => {
      endpoint = pages;
    },
    stop: async () => {
      marginSampler.stop();
      stopLocating();
      lost.stop();
      encryption.stop();
      stopEpochs();
      vault.stop();
      await Promise.all([switchboard.close(), reporter?.stop()]);
      admin.close();
      admin.closeAllConnections();
    },
  };
}

function createGate({ smallUploadBytesMax, pieceBytes }: VaultFile, recorder: Recorder): Admission {
  return new Admission({ recorder, nowMs: monotonicNowMs, smallUploadBytesMax, pieceBytes });
}

function createVault(
  file: VaultFile,
  parts: Pick<ConstructorParameters<typeof Vault>[0], "address" | "switchboard" | "watch" | "gate">,
): Vault {
  const { smallUploadBytesMax, isStashEnabled } = file;
  const stashedBytesMax = sealedSize(smallUploadBytesMax);
  return new Vault({ ...parts, config: toVaultConfig(file), stashedBytesMax, isStashEnabled });
}

function pagesOfLoneVault(vault: Vault, keyring: VaultKeyring): EndpointPages {
  return { verbs: vault, keyring, lostVaults: [vault], trouble: () => null, vaults: null };
}

function watchUploads(file: VaultFile, recorder: Recorder, sample: AcknowledgedSample): UploadWatch {
  const { acknowledge, shardCount } = quorumsOf(file.scheme);
  return new UploadWatch({
    recorder,
    nowMs: monotonicNowMs,
    acknowledge,
    shardCount,
    smallUploadBytesMax: sealedSize(file.smallUploadBytesMax),
    clientBucketOf,
    acknowledged: ({ uploadId, kind, bucket, key, order }) =>
      sample.add({ uploadId, kind, bucket, key, order }),
  });
}

function keptTracesOf({ traces }: UploadWatch) {
  const { recent, slowest } = traces.snapshot();
  return [...recent, ...slowest];
}

/** Applies each later epoch, and sends it to the other nodes. */
function followEpochs(
  {
    node,
    epochs,
    vault,
    switchboard,
    credentials,
  }: Pick<HealthSources, "node" | "epochs" | "vault" | "switchboard" | "credentials">,
  file: VaultFile,
  logger: NodeContext["logger"],
): () => void {
  const spreader = new EpochSpreader({
    ownNodeId: node.id,
    epochs,
    access: readAdminAccess(epochs.file),
    onTrouble: (other, sentence) => logger.warn({ other, sentence }, "an epoch of the vault was not taken"),
  });
  const unfollow = epochs.follow(
    {
      nodeId: node.id,
      adopt: (file, own) => {
        logger.info({ epoch: file.epoch }, "another epoch of the vault is in force");
        credentials.adopt(file, own);
        switchboard.adopt(file);
        vault.configure(toVaultConfig(file));
        void spreader.round();
      },
    },
    file,
  );
  spreader.start();
  return () => {
    unfollow();
    spreader.stop();
  };
}

/** Least number of shards that acknowledged uploads can spare, as of the last round; null before the first. */
interface KnownMargin {
  shardCount: number | null;
}

function addressesOfNode(file: VaultFile, nodeId: string): readonly Address[] {
  const node = file.nodes.find(({ id }) => id === nodeId);
  return node === undefined ? [] : nodeAddresses(file, node);
}

function startMarginSampler(
  epochs: VaultEpochs,
  recorder: Recorder,
  sample: AcknowledgedSample,
  known: KnownMargin,
): MarginSampler {
  const { scheme } = epochs.file;
  const { acknowledge } = quorumsOf(scheme);
  const margin = recorder.gauge("stashlight_durable_margin_shards", {});
  const missing = recorder.gauge("stashlight_durable_missing_shards", {});
  const sampler = new MarginSampler({
    nodes: () => epochs.file.nodes,
    access: readAdminAccess(epochs.file),
    sample,
    guaranteedCount: acknowledge,
    onRound: (leastCount) => {
      known.shardCount = leastCount === null ? null : leastCount - scheme.dataShardCount;
      margin.set(known.shardCount);
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

/** Space as used for the admission of uploads. */
function measureSpace(epochs: VaultEpochs, vault: Vault): CoordinatorSpace {
  const capacityBytes = vaultCapacityBytes(epochs.file);
  return { takenBytes: vault.takenBytes(capacityBytes), capacityBytes };
}

function followSpace(recorder: Recorder, epochs: VaultEpochs, vault: Vault): void {
  const taken = recorder.gauge("stashlight_vault_taken_bytes", {});
  const capacity = recorder.gauge("stashlight_vault_capacity_bytes", {});
  recorder.onRead(() => {
    const space = measureSpace(epochs, vault);
    taken.set(space.takenBytes);
    capacity.set(space.capacityBytes);
  });
  followScheme(recorder, epochs, vault);
}

/** Records the inputs of the durability estimate: scheme, rebuild limit and settled pods. */
function followScheme(recorder: Recorder, epochs: VaultEpochs, vault: Vault): void {
  const data = recorder.gauge("stashlight_vault_data_shards", {});
  const parity = recorder.gauge("stashlight_vault_parity_shards", {});
  const rebuildLimit = recorder.gauge("stashlight_vault_rebuild_limit_bytes", {});
  recorder.onRead(() => {
    const { scheme } = epochs.file;
    data.set(scheme.dataShardCount);
    parity.set(scheme.parityShardCount);
    rebuildLimit.set(rebuildRate(epochs.file));
    for (const [pod, isSettled] of vault.settledPods().entries()) {
      recorder.gauge("stashlight_vault_pod_settled", { pod: `p${pod}` }).set(isSettled ? 1 : 0);
    }
  });
}

function unreadinessOf(vault: Vault): string | null {
  const { settledPodCount, neededPodCount } = vault;
  if (settledPodCount >= neededPodCount) return null;
  const settled = settledPodCount === 1 ? "1 pod has" : `${settledPodCount} pods have`;
  return `${settled} settled; uploads need ${neededPodCount}.`;
}

interface AdminSources {
  readonly watch: UploadWatch;
  readonly recorder: Recorder;
  readonly lost: LostPart;
  readonly endpoint: () => EndpointPages;
}

function startAdmin(
  file: VaultFile,
  sources: HealthSources,
  { watch, recorder, lost, endpoint }: AdminSources,
): ReturnType<typeof startAdminServer> {
  const { node, vault, credentials, encryption, restart } = sources;
  const audit = openAuditLog(node.stateFolder);
  return startAdminServer(adminDoor(file, node, credentials), {
    refused: countRefusals(recorder),
    health: () => healthOf(sources),
    unreadiness: () => restart.unreadiness ?? unreadinessOf(vault) ?? endpoint().trouble(),
    metrics: metricsPage(recorder),
    pages: new Map<string, (query: URLSearchParams) => object | Promise<object>>([
      ...certificatePages(credentials),
      ["/traces", () => watch.traces.snapshot()],
      ["/pieces", (query) => piecesPage(endpoint().verbs, query)],
      ["/vaults", () => endpoint().vaults?.() ?? { vaults: [] }],
      ...lost.pages,
      ...encryption.pages,
      ...epochPages(sources.epochs),
      ...restart.pages(),
    ]),
    actions: new Map<string, AdminAction>([
      ...certificateActions(credentials),
      ...lost.actions,
      ...encryption.actions,
      ...epochActions(sources.epochs, audit),
      ...retiredAuditActions,
      ...restart.actions(),
      [
        "/lifecycle/preview",
        (body) =>
          previewLifecycle({ vault: endpoint().verbs, wallMs: Date.now, steadyMs: monotonicNowMs }, body),
      ],
    ]),
  });
}

interface HealthSources {
  readonly node: CoordinatorNode;
  readonly bootId: number;
  readonly epochs: VaultEpochs;
  readonly margin: Readonly<KnownMargin>;
  readonly vault: Vault;
  readonly switchboard: Switchboard;
  readonly gate: Admission;
  readonly credentials: NodeCredentials;
  readonly encryption: EncryptionPart;
  readonly restart: PlannedRestart;
  readonly logger: NodeContext["logger"];
}

function healthOf({
  node,
  bootId,
  epochs,
  margin,
  vault,
  switchboard,
  gate,
  credentials,
  encryption,
}: HealthSources): object {
  return {
    nodeId: node.id,
    bootId,
    epoch: epochs.current.epoch,
    clockMs: Date.now(),
    certificates: credentials.state(),
    settledPodCount: vault.settledPodCount,
    unsettledPods: vault.settledPods().flatMap((isSettled, pod) => (isSettled ? [] : [pod])),
    neededPodCount: vault.neededPodCount,
    openRequestCount: vault.openRequestCount,
    freeBytes: vault.freeBytes,
    space: measureSpace(epochs, vault),
    durableMarginShardCount: margin.shardCount,
    waitingRequestCount: gate.waitingCount,
    heldBodyBytes: gate.heldBytes,
    encryption: { problem: encryption.problem() },
    refusals: Object.fromEntries(vault.refusals()),
    connectedNodeIds: switchboard.connectedNodeIds(),
  };
}
