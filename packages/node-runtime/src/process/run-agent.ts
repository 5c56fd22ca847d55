/**
 * The life of an agent's process: reads the vault's file, starts its nodes, says so to a supervisor if it has one, stops
 * them gracefully on SIGTERM, on SIGINT and when the supervisor is gone, and ends at once on whatever should not happen,
 * because starting again by recovery is the normal way to start.
 */
import { onSupervisorGone, reportFailed, reportReady } from "@stashlight/contracts/process";
import { boundHeap } from "@stashlight/contracts/process/heap";
import { lineOutput } from "@stashlight/contracts/process/standard-output";
import { type Logger, pino } from "pino";
import { type DriveConfig, VaultFileError, type VaultNode } from "../config/index.ts";
import { DeviceWatch } from "../device/device-watch.ts";
import { DriveRefusedError } from "../drive/drive-refused.ts";
import { type AgentArguments, parseAgentArguments } from "./arguments.ts";

export interface RunningNode {
  stop(): Promise<void>;
}

export interface AgentOptions<Role extends VaultNode["role"]> {
  readonly role: Role;
  readonly start: (
    node: Extract<VaultNode, { role: Role }>,
    context: Omit<AgentArguments<Extract<VaultNode, { role: Role }>>, "nodes"> & {
      readonly logger: Logger;
      /** The devices of all nodes of the process. */
      readonly devices: DeviceWatch;
    },
  ) => Promise<RunningNode>;
}

/** After this the process ends with whatever is left undone, which recovery copes with. */
const STOP_WITHIN_MS = 15_000;

export async function runAgent<Role extends VaultNode["role"]>({
  role,
  start,
}: AgentOptions<Role>): Promise<void> {
  boundHeap();
  const logger = pino({ base: { role }, timestamp: pino.stdTimeFunctions.isoTime }, lineOutput());
  const running: RunningNode[] = [];
  let isStopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, "stopping");
    setTimeout(() => end(logger, 1, "did not stop in time"), STOP_WITHIN_MS).unref();
    await Promise.all(running.map((node) => node.stop()));
    end(logger, 0, "stopped");
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  onSupervisorGone(() => void stop("the supervisor asked or is gone"));
  process.on("uncaughtException", (error) => {
    logger.fatal({ err: error }, "ended by an error that nobody expected");
    end(logger, 70, "ended");
  });
  try {
    const { nodes, ...context } = parseAgentArguments(process.argv.slice(2), role);
    const devices = new DeviceWatch({ paths: drivePathsOf(nodes) });
    devices.start();
    for (const node of nodes) {
      running.push(await start(node, { ...context, devices, logger: logger.child({ node: node.id }) }));
    }
    if (!isStopping) reportReady();
  } catch (error) {
    failToStart(logger, error as Error);
  }
}

function drivePathsOf(nodes: readonly VaultNode[]): string[] {
  const drives = nodes.flatMap((node): readonly DriveConfig[] =>
    node.role === "coordinator" ? [] : node.drives,
  );
  return drives.map(({ path }) => path);
}

function failToStart(logger: Logger, error: Error): void {
  // For a person to mend: starting again changes nothing.
  const isMistake = error instanceof VaultFileError || error instanceof DriveRefusedError;
  if (!isMistake) logger.fatal({ err: error }, `did not start: ${error.message}`);
  if (process.connected) {
    reportFailed(isMistake ? error.message : `The agent did not start: ${error.message}`);
  } else {
    if (isMistake) process.stderr.write(`${error.message}\n`);
    end(logger, isMistake ? 2 : 1, "ended");
  }
}

function end(logger: Logger, code: number, text: string): void {
  logger.info({ code }, text);
  process.exit(code);
}
