/** A node that holds drives: pods, or stash devices. */
import { setTimeout as delay } from "node:timers/promises";
import type { PageMemory } from "@stashlight/paged-memory";
import type { Recorder } from "@stashlight/telemetry";
import type { Address, SavedPod, VaultConfig } from "@stashlight/write-path";
import type { Logger } from "pino";
import { adminDoor } from "../admin/access.ts";
import { type AdminAction, startAdminServer } from "../admin/admin-server.ts";
import { certificateActions, certificatePages } from "../admin/certificates.ts";
import { DrillFaults, setFault } from "../admin/drill-faults.ts";
import { epochActions, epochPages } from "../admin/epoch-pages.ts";
import { scrubActions, scrubPages } from "../admin/scrub-pages.ts";
import {
  type PodNode,
  type StashNode,
  toVaultConfig,
  VaultFileError,
  type VaultNode,
} from "../config/index.ts";
import type { DeviceWatch } from "../device/device-watch.ts";
import { nextBootId } from "../drive/boot-id.ts";
import { DriveHost } from "../drive/drive-host.ts";
import type { DriveObservation } from "../drive/drive-host-options.ts";
import type { DriveMachine } from "../drive/drive-machine.ts";
import { DriveRefusedError } from "../drive/drive-refused.ts";
import { checkFreshDrive } from "../drive/format-permit.ts";
import { processIndexMemory } from "../drive/heap-index-memory.ts";
import { monotonicNowMs } from "../host/clock.ts";
import { Switchboard } from "../host/message-router.ts";
import { createTransportLog } from "../host/transport-log.ts";
import { followCertificates } from "../metrics/certificate-metrics.ts";
import { watchDevice } from "../metrics/device-metrics.ts";
import { DriveMetrics } from "../metrics/drive-metrics.ts";
import { countRefusals, createNodeRecorder, metricsPage } from "../metrics/node-metrics.ts";
import { type NodeContext, type RunningNode, STOP_WITHIN_MS } from "../process/run-agent.ts";
import { startReporting } from "../report/start-reporting.ts";
import { uploadsPage } from "../uploads-page.ts";

type AnyDriveNode = PodNode | StashNode;

export interface DriveNodeOptions<Node extends AnyDriveNode> extends Omit<NodeContext, "devices"> {
  readonly node: Node;
  readonly devices: Pick<DeviceWatch, "at" | "diskAt">;
  readonly policy: "ring" | "extents";
  readonly addressOf: (drive: Node["drives"][number]) => Address;
  /** Creates a boot of this drive's machine. */
  readonly machineOf: (
    drive: Node["drives"][number],
    config: VaultConfig,
    bootId: number,
    memory: PageMemory | null,
    saved: SavedPod | null,
  ) => DriveMachine;
}

export async function startDriveNode<Node extends AnyDriveNode>(
  options: DriveNodeOptions<Node>,
): Promise<RunningNode> {
  const { file, node, links, logger, credentials, epochs, restart } = options;
  const bootId = await nextBootId(node.stateFolder, Date.now());
  const observe = createTransportLog(logger, monotonicNowMs);
  // A machine requests the append of a shard while it processes the message, and the log copies the bytes at once, so
  // payloads may be lent.
  const switchboard = new Switchboard({
    file,
    node,
    bootId,
    credentials,
    links,
    arePayloadsLent: true,
    observe,
  });
  const recorder = createNodeRecorder(node.role, switchboard);
  followCertificates(recorder, credentials, Date.now);
  const faults = options.isDrill ? new DrillFaults() : null;
  const drives = (node.drives as readonly Node["drives"][number][]).map((drive) =>
    createDriveHost(drive, switchboard, recorder, { ...options, faults }),
  );
  const admin = await startAdminServer(adminDoor(file, node, credentials), {
    refused: countRefusals(recorder),
    health: () => ({
      ...healthReport(node.id, bootId, epochs.current.epoch, drives, switchboard),
      clockMs: Date.now(),
      certificates: credentials.state(),
    }),
    unreadiness: () => restart.unreadiness ?? describeUnreadiness(drives),
    metrics: metricsPage(recorder),
    pages: new Map<string, (query: URLSearchParams) => object | Promise<object>>([
      ...certificatePages(credentials),
      ["/uploads", (query) => uploadsPage(drives, query)],
      ...scrubPages(drives),
      ...epochPages(epochs),
      ...restart.pages(),
    ]),
    actions: new Map<string, AdminAction>([
      ...certificateActions(credentials),
      ...scrubActions(drives),
      ["/drill/faults", (body) => setFault(faults, body)],
      ...epochActions(epochs),
      ...restart.actions(),
    ]),
  });
  try {
    await startDrives(drives);
    await switchboard.start();
  } catch (error) {
    // Open drives keep their indexes for the next boot.
    const stopped = Promise.all(drives.map((drive) => drive.stop()));
    await Promise.race([stopped, delay(STOP_WITHIN_MS)]);
    throw error;
  }
  const unfollow = followEpochs(options, drives, switchboard);
  const reporter = startReporting({ ...options, bootId, recorder });
  logger.info({ bootId, driveCount: drives.length, port: node.port }, "started");
  return {
    stop: async () => {
      unfollow();
      await switchboard.close();
      await Promise.all([reporter?.stop(), ...drives.map((drive) => drive.stop())]);
      admin.close();
      admin.closeAllConnections();
    },
  };
}

/** Opens replaced drives while the others continue; drive/format-permit.ts decides which may be formatted. */
function followEpochs<Node extends AnyDriveNode>(
  { node: first, epochs, addressOf, file: firstFile, logger, credentials }: DriveNodeOptions<Node>,
  hosts: readonly DriveHost[],
  switchboard: Switchboard,
): () => void {
  const { segmentBytes, segmentCount } = first.role === "pod" ? firstFile.podVolume : firstFile.stashVolume;
  const pairs = (node: VaultNode) =>
    ((node as Node).drives as readonly Node["drives"][number][]).map((drive) => {
      const host = hosts.find(({ address }) => address === addressOf(drive));
      if (host !== undefined) return { drive, host };
      throw new VaultFileError(
        `The node ${first.id} has no drive at ${addressOf(drive)}; restart its agent to add one.`,
      );
    });
  const replaced = (node: VaultNode) =>
    pairs(node).filter(({ drive, host }) => drive.driveId !== host.drive.driveId);
  return epochs.follow(
    {
      nodeId: first.id,
      check: (node) => {
        for (const { drive } of replaced(node)) checkFreshDrive(drive, segmentBytes * segmentCount);
      },
      adopt: (file, node) => {
        logger.info({ epoch: file.epoch }, "another epoch of the vault is in force");
        const config = toVaultConfig(file);
        credentials.adopt(file, node);
        switchboard.adopt(file);
        for (const { drive, host } of pairs(node)) host.adopt(drive, config);
      },
    },
    firstFile,
  );
}

/** A drive without its folder must not keep the others from serving; a folder that is another drive's is a mistake. */
async function startDrives(drives: readonly DriveHost[]): Promise<void> {
  const refused: { readonly drive: DriveHost; readonly error: DriveRefusedError }[] = [];
  const start = async (drive: DriveHost): Promise<void> => {
    try {
      await drive.start();
    } catch (error) {
      if (!(error instanceof DriveRefusedError)) throw error;
      refused.push({ drive, error });
    }
  };
  await Promise.all(drives.map(start));
  const mistake = refused.find(({ error }) => !error.isMissing);
  const fatal = mistake ?? (refused.length === drives.length ? refused[0] : undefined);
  if (fatal !== undefined) throw fatal.error;
  await Promise.all(refused.map(({ drive, error }) => drive.waitForFolder(error)));
}

function createDriveHost<Node extends AnyDriveNode>(
  drive: Node["drives"][number],
  switchboard: Switchboard,
  recorder: Recorder,
  {
    file,
    node,
    mayFormat,
    logger,
    policy,
    addressOf,
    machineOf,
    devices,
    scrubDisks,
    faults,
    epochs,
    indexMemoryBytes,
    indexPages,
  }: DriveNodeOptions<Node> & { readonly faults: DrillFaults | null },
): DriveHost {
  const address = addressOf(drive);
  const driveLogger = logger.child({ address, drive: drive.driveId });
  const { id: nodeId, role: tier } = node;
  const names = { nodeId, tier, device: address, modelled: drive.model };
  const metrics = new DriveMetrics({ recorder, ...names, nowMs: monotonicNowMs, wallMs: Date.now });
  const failures = recorder.counter("stashlight_drive_failures_total", {
    tier,
    device: address,
    modelled: drive.model,
  });
  const host = new DriveHost({
    meter: metrics,
    watch: metrics,
    file,
    drive,
    address,
    stateFolder: `${node.stateFolder}/${address}`,
    policy,
    mayFormat,
    isDraining: () => isDraining(epochs.file.nodes.find(({ id }) => id === nodeId)),
    switchboard,
    scrubDiskAt: (path) => {
      const disk = devices.diskAt(path);
      return disk === null ? null : scrubDisks.of(disk);
    },
    ...(tier === "pod" && { indexMemory: processIndexMemory(indexMemoryBytes), indexPages }),
    ...(faults && { wrapDisk: faults.wrap(address) }),
    boot: async (inPlace, memory, saved) => {
      const bootId = await nextBootId(`${node.stateFolder}/${address}`, Date.now());
      const config = toVaultConfig(epochs.file);
      return machineOf(inPlace as Node["drives"][number], config, bootId, memory, saved);
    },
    observe: (event) => {
      if (event.type === "failed") failures.add();
      logDrive(driveLogger, event);
    },
  });
  metrics.watchGauges(host);
  watchDevice({
    recorder,
    labels: { tier, device: address, modelled: drive.model },
    // Only for a running drive, because the folder of an unmounted drive is on another device.
    reading: () => (host.state.type === "running" ? devices.at(host.drive.path) : null),
  });
  return host;
}

function logDrive(logger: Logger, { type, ...details }: DriveObservation): void {
  switch (type) {
    case "opened":
      logger.info(details, "drive opened");
      return;
    case "indexSaved":
      logger.info(details, "the index of the drive is saved for the next start");
      return;
    case "indexNotSaved":
      logger.warn(
        details,
        "the index of the drive is not saved at this stop; the next start uses the last checkpoint, if there is one",
      );
      return;
    case "indexNotCheckpointed":
      logger.info(details, "a checkpoint of the drive's index failed; it is retried");
      return;
    case "failed":
      logger.error(details, "drive failed");
      return;
    case "damaged":
      logger.error(details, "records of the drive fail their checksum, or its reads fail");
      return;
    case "damageCorrelated":
      logger.error(
        details,
        "many records fail their checksum at once, so each repair waits for minutes: check cables, controller and memory",
      );
      return;
    case "toleratesUnreadablePages":
      logger.warn(
        details,
        "the drive could not be opened for 10 minutes, so it is opened without the pages that cannot be read",
      );
      return;
    case "reserveLost":
      logger.error(
        details,
        "the drive can be read but accepts no writes, because it lost writes that it had acknowledged or its last segment is damaged: replace it with vault replace-drive",
      );
      return;
    case "indexStays":
      logger.warn(
        details,
        "the file of the drive's index cannot be written, so that the index stays in memory: free space on its file system",
      );
      return;
    case "scrubNotSaved":
      logger.warn(
        details,
        "the position of the scrub could not be saved, so a restart begins its round again",
      );
  }
}

const isDraining = (node: VaultNode | undefined): boolean =>
  node?.role === "stash" && node.isDraining === true;

function healthReport(
  nodeId: string,
  bootId: number,
  epoch: number,
  drives: readonly DriveHost[],
  switchboard: Switchboard,
): object {
  return {
    nodeId,
    bootId,
    epoch,
    drives: drives.map((host) => {
      const { driveId, path, model } = host.drive;
      const refusals = Object.fromEntries(host.refusals());
      return {
        address: host.address,
        driveId,
        path,
        modelledAs: model ?? null,
        state: host.state,
        log: logReport(host),
        index: host.index(),
        indexPages: host.indexPages(),
        missing: host.missing(),
        draining: host.draining(),
        quarantine: host.quarantine(),
        refusals,
        damage: host.damage(),
        scrub: host.scrubReport(),
      };
    }),
    connectedNodeIds: switchboard.connectedNodeIds(),
  };
}

function logReport(host: DriveHost): object | null {
  const stats = host.logStats();
  // Version 0.2.0 of the command line requires the field, and accepts null.
  return stats === null ? null : { ...stats, growth: null };
}

function describeUnreadiness(drives: readonly DriveHost[]): string | null {
  for (const { address, state } of drives) {
    if (state.type !== "running") return `The drive of ${address} is ${state.type}.`;
    if (!READY_LIFECYCLES.has(state.lifecycle)) return `The drive of ${address} is ${state.lifecycle}.`;
  }
  return null;
}

/** A pod is ready once it has settled, a stash device once it serves. */
const READY_LIFECYCLES: ReadonlySet<string> = new Set(["settled", "serving"]);
