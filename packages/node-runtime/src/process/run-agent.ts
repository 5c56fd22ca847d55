/**
 * Life cycle of an agent's process: reads the vault's file, starts its nodes, reports that to a supervisor if it has
 * one, and stops them gracefully on SIGTERM, on SIGINT and when the supervisor is gone. It ends at once on an
 * unexpected error, because recovery is the normal way to start.
 */

import { setTimeout as delay } from "node:timers/promises";
import {
  boundHeap,
  lineOutput,
  onSupervisorGone,
  reportFailed,
  reportReady,
} from "@stashlight/contracts/process";
import { type Logger, pino } from "pino";
import { type DriveConfig, type VaultFile, VaultFileError, type VaultNode } from "../config/index.ts";
import type { NodeCredentials } from "../credentials/credentials.ts";
import { followCredentials } from "../credentials/follow.ts";
import { readQueueMs } from "../device/block-device.ts";
import { DeviceWatch } from "../device/device-watch.ts";
import { DriveRefusedError } from "../drive/drive-refused.ts";
import type { IndexPagesOptions } from "../drive/index-pages.ts";
import { ScrubDisks } from "../drive/scrub-disk.ts";
import { describeDeparture, VaultEpochs } from "../epochs/vault-epochs.ts";
import { monotonicNowMs } from "../host/clock.ts";
import { ProcessLinks } from "../host/process-links.ts";
import { DEPARTED_EXIT_CODE, RESTART_EXIT_CODE } from "../launch.ts";
import { AGENT_USAGE, parseAgentArguments } from "./arguments.ts";
import { PlannedRestart } from "./planned-restart.ts";

export interface RunningNode {
  stop(): Promise<void>;
}

/** Everything that a node needs to start, apart from its own entry in the vault's file. */
export interface NodeContext {
  readonly file: VaultFile;
  /** Current epoch of the vault, shared by all nodes of the process. */
  readonly epochs: VaultEpochs;
  /** Epochs of the further vaults behind a coordinator's endpoint. */
  readonly furtherEpochs: readonly VaultEpochs[];
  readonly mayFormat: boolean;
  readonly isDrill: boolean;
  /** Memory that the index of the process's pods may fill; null for as much as the machine has. */
  readonly indexMemoryBytes: number | null;
  readonly indexPages: IndexPagesOptions;
  /** File in which `npm start` keeps the state of its processes, if it started this one. */
  readonly partsFile: string | null;
  /** File with the token with which a node without a key enrols for telemetry. */
  readonly enrolmentTokenFile: string | null;
  /** Token files for each further vault. */
  readonly furtherTokenFiles: readonly (string | null)[];
  readonly logger: Logger;
  readonly credentials: NodeCredentials;
  /** Devices of all nodes of the process. */
  readonly devices: DeviceWatch;
  /** Disks that the scrubs of the process share. */
  readonly scrubDisks: ScrubDisks;
  readonly links: ProcessLinks;
  readonly restart: PlannedRestart;
}

/** Functions by role that start a node, and resolve when it serves. */
export type NodeStarters = {
  readonly [Role in VaultNode["role"]]: (
    node: Extract<VaultNode, { role: Role }>,
    context: NodeContext,
  ) => Promise<RunningNode>;
};

/** Time after which the process ends with unfinished work, which recovery handles. */
export const STOP_WITHIN_MS = 15_000;
/** Time that a planned restart gives to requests in progress before it stops the drives. */
const HAND_OVER_WITHIN_MS = 120_000;

export async function runAgent(starters: NodeStarters): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
    process.stdout.write(AGENT_USAGE);
    return;
  }
  boundHeap();
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, lineOutput());
  const drives = new Map<string, RunningNode>();
  const coordinators = new Map<string, RunningNode>();
  let isStopping = false;
  const stop = async (reason: string, code = 0, requestsWithinMs = 0): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, "stopping");
    setTimeout(() => end(logger, 1, "did not stop in time"), STOP_WITHIN_MS + requestsWithinMs).unref();
    // Requests that are in progress at a coordinator are still answered, for which it needs the drives.
    const requests = stopAll(coordinators);
    await (requestsWithinMs === 0 ? requests : Promise.race([requests, delay(requestsWithinMs)]));
    await stopAll(drives);
    end(logger, code, "stopped");
  };
  const dismiss = async (nodeId: string, sentence: string): Promise<void> => {
    logger.warn(sentence);
    const running = drives.get(nodeId) ?? coordinators.get(nodeId);
    for (const nodes of [drives, coordinators]) nodes.delete(nodeId);
    await running?.stop();
    if (drives.size + coordinators.size === 0) await stop(sentence, DEPARTED_EXIT_CODE);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  onSupervisorGone(() => void stop("the supervisor requested it or is gone"));
  process.on("uncaughtException", (error) => endUnexpectedly(logger, error));
  try {
    const { nodes, departed, enrolmentTokenFileOf, path, furtherPaths, furtherFiles, isSupervised, ...args } =
      parseAgentArguments(process.argv.slice(2));
    for (const id of departed) logger.warn(describeDeparture(id));
    if (nodes.length === 0) end(logger, DEPARTED_EXIT_CODE, "ended: none of its nodes is part of the vault");
    const dismissed = (nodeId: string, sentence: string) => void dismiss(nodeId, sentence);
    const restart = new PlannedRestart({
      nodeIds: () => [...drives.keys(), ...coordinators.keys()],
      isSupervised,
      restart: () => stop("requested by vault restart", RESTART_EXIT_CODE, HAND_OVER_WITHIN_MS),
    });
    const devices = startDeviceWatch(nodes);
    const shared = {
      ...args,
      restart,
      devices,
      scrubDisks: new ScrubDisks((disk) => readQueueMs("/sys", disk), monotonicNowMs),
      epochs: new VaultEpochs({ path, file: args.file, dismissed }),
      furtherEpochs: furtherFiles.map(
        (file, at) => new VaultEpochs({ path: furtherPaths[at] as string, file, dismissed }),
      ),
    };
    const links = new ProcessLinks(nodes.map(({ id }) => id));
    const start = async (node: VaultNode, running: Map<string, RunningNode>): Promise<void> => {
      const enrolmentTokenFile = enrolmentTokenFileOf(node.role);
      const nodeLogger = logger.child({ role: node.role, node: node.id });
      const credentials = followCredentials(shared.file, node, nodeLogger);
      const context = { ...shared, enrolmentTokenFile, logger: nodeLogger, credentials, links };
      running.set(node.id, await startNode(starters, node, context));
    };
    const isCoordinator = ({ role }: VaultNode): boolean => role === "coordinator";
    await Promise.all(nodes.filter((node) => !isCoordinator(node)).map((node) => start(node, drives)));
    await Promise.all(nodes.filter(isCoordinator).map((node) => start(node, coordinators)));
    if (!isStopping) reportReady();
  } catch (error) {
    await failToStart(logger, drives, error as Error);
  }
}

const stopAll = (nodes: ReadonlyMap<string, RunningNode>): Promise<unknown> =>
  Promise.all([...nodes.values()].map((node) => node.stop()));

function startNode(starters: NodeStarters, node: VaultNode, context: NodeContext): Promise<RunningNode> {
  switch (node.role) {
    case "pod":
      return starters.pod(node, context);
    case "stash":
      return starters.stash(node, context);
    case "coordinator":
      return starters.coordinator(node, context);
  }
}

function drivePaths(nodes: readonly VaultNode[]): string[] {
  const drives = nodes.flatMap((node): readonly DriveConfig[] =>
    node.role === "coordinator" ? [] : node.drives,
  );
  return drives.map(({ path }) => path);
}

async function failToStart(
  logger: Logger,
  drives: ReadonlyMap<string, RunningNode>,
  error: Error,
): Promise<void> {
  await Promise.race([stopAll(drives), delay(STOP_WITHIN_MS)]);
  // Needs an operator: a restart does not help.
  const isMistake = error instanceof VaultFileError || error instanceof DriveRefusedError;
  if (!isMistake) logger.fatal({ err: error }, `did not start: ${error.message}`);
  if (process.connected) {
    reportFailed(isMistake ? error.message : `The agent did not start: ${error.message}`);
  } else {
    if (isMistake) process.stderr.write(`${error.message}\n`);
    end(logger, isMistake ? 2 : 1, "ended");
  }
}

function endUnexpectedly(logger: Logger, error: Error): void {
  logger.fatal({ err: error }, "ended by an unexpected error");
  end(logger, 70, "ended");
}

function end(logger: Logger, code: number, text: string): void {
  logger.info({ code }, text);
  process.exit(code);
}

function startDeviceWatch(nodes: readonly VaultNode[]): DeviceWatch {
  const devices = new DeviceWatch({ paths: drivePaths(nodes) });
  devices.start();
  return devices;
}
