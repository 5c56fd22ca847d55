/** Starts the reporting of a vault's node. Its key, spool and quarantine are in a separate folder beside its state. */
import { postTraces, type Recorder, type TraceSnapshot } from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { VaultFile, VaultNode } from "../config/index.ts";
import { AGENT_VERSION } from "../metrics/node-metrics.ts";
import { reportedNodeName, telemetryKeyPath } from "./identity.ts";
import { openDelivery } from "./open-delivery.ts";
import { Reporter, type WindowTaker } from "./reporter.ts";
import { TraceSender } from "./trace-sender.ts";

export interface ReportingOptions {
  readonly file: VaultFile;
  readonly node: VaultNode;
  readonly bootId: number;
  readonly recorder: Recorder;
  /** Returns all uploads whose traces are kept; new ones are sent with each window. */
  readonly keptTraces?: () => readonly TraceSnapshot[];
  readonly enrolmentTokenFile: string | null;
  readonly logger: Logger;
}

/** Returns null for a vault without telemetry. */
export function startReporting(options: ReportingOptions): Reporter | null {
  const { file, recorder, logger } = options;
  if (file.telemetry === undefined) return null;
  return new Reporter({
    recorder,
    windowMs: file.telemetry.windowSeconds * 1000,
    open: (signal) => openNode(options, file.telemetry as NonNullable<VaultFile["telemetry"]>, signal),
    nowMs: Date.now,
    random: Math.random,
    logger,
  });
}

async function openNode(
  { file, node, bootId, recorder, keptTraces, enrolmentTokenFile, logger }: ReportingOptions,
  { ingest, ca }: NonNullable<VaultFile["telemetry"]>,
  signal: AbortSignal,
): Promise<WindowTaker> {
  const { delivery, asNode } = await openDelivery({
    ingest,
    caFile: ca ?? null,
    enrolmentTokenFile,
    bootId,
    logger,
    signal,
    keyFile: telemetryKeyPath(node),
    identity: { name: reportedNodeName(file, node), role: node.role, agentVersion: AGENT_VERSION },
  });
  if (keptTraces === undefined) return delivery;
  const post = (traces: readonly TraceSnapshot[]) => postTraces(asNode, traces);
  const sender = new TraceSender({ kept: keptTraces, post, recorder, nowMs: Date.now });
  return {
    take: async (window) => {
      await delivery.take(window);
      await sender.send();
    },
    status: () => delivery.status(),
  };
}
