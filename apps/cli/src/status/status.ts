/** `vault status`: queries the state of every node. */
import type { VaultNode } from "@stashlight/node-runtime/config";
import { type AdminAccess, askAdmin } from "@stashlight/node-runtime/durability";
import type { z } from "zod";
import { consoleIn } from "../console-api.ts";
import { collectLost } from "../lost/collect.ts";
import { openVault } from "../vault/access.ts";
import type { StatusCommand } from "./arguments.ts";
import { takeConsoleDurability } from "./console-durability.ts";
import { readEndpoint, renderEndpoint } from "./endpoint.ts";
import { coordinatorHealthSchema, driveHealthSchema, identitySchema, readinessSchema } from "./health.ts";
import type { NodeIdentity } from "./machines.ts";
import { renderStatus } from "./render.ts";
import { buildStatusReport, type NodeAnswer, type StatusReport } from "./report.ts";

interface StatusSurroundings {
  readonly say: (line: string) => void;
  /** Names the console, if it is to be asked. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Resolves to the exit code. */
export async function showStatus(
  { config, furtherConfigs = [], isJson }: StatusCommand,
  { say, environment }: StatusSurroundings,
): Promise<number> {
  const endpoint = furtherConfigs.length === 0 ? null : await readEndpoint(config);
  const seen = await Promise.all([config, ...furtherConfigs].map(readStatus));
  const reports = await takeConsoleDurability(seen, consoleIn(environment));
  const isInOrder = endpoint === null || endpoint.problems.length === 0;
  if (isJson) say(JSON.stringify(endpoint === null ? reports[0] : { endpoint, vaults: reports }, null, 2));
  else {
    const parts = reports.map(renderStatus);
    if (endpoint !== null) parts.unshift(renderEndpoint(endpoint));
    for (const [at, lines] of parts.entries())
      for (const line of at === 0 ? lines : ["", ...lines]) say(line);
  }
  return isInOrder && reports.every(({ isReady }) => isReady) ? 0 : 1;
}

export async function readStatus(config: string): Promise<StatusReport> {
  const { file, admin } = openVault(config);
  const coordinators = file.nodes.filter(({ role }) => role === "coordinator");
  const holders = file.nodes.filter(({ role }) => role !== "coordinator");
  const [{ total: lostObjectCount }, coordinatorAnswers, driveAnswers] = await Promise.all([
    collectLost([{ file, admin }]),
    askAll(coordinators, admin, coordinatorHealthSchema),
    askAll(
      holders,
      admin,
      driveHealthSchema.transform(({ drives }) => drives),
    ),
  ]);
  const answers = { coordinators: coordinatorAnswers, drives: driveAnswers };
  return buildStatusReport(file, answers, { nowMs: Date.now(), lostObjectCount });
}

async function askAll<Schema extends z.ZodType>(
  nodes: readonly VaultNode[],
  access: AdminAccess,
  schema: Schema,
): Promise<Map<string, NodeAnswer<z.output<Schema>>>> {
  return new Map(
    await Promise.all(nodes.map(async (node) => [node.id, await ask(node, access, schema)] as const)),
  );
}

async function ask<Schema extends z.ZodType>(
  node: VaultNode,
  access: AdminAccess,
  schema: Schema,
): Promise<NodeAnswer<z.output<Schema>>> {
  const first = await askPages(node, access);
  // Asks silent nodes once more, because a busy node answers late, and operators take silence for a loss.
  const { askedAtMs, answeredAtMs, health, readiness } =
    first.health.type === "silent" || first.readiness.type === "silent"
      ? await askPages(node, access, PATIENT_TIMEOUT_MS)
      : first;
  if (health.type === "silent") return health;
  if (readiness.type === "silent") return readiness;
  const parsedHealth = schema.safeParse(health.body);
  const parsedReadiness = readinessSchema.safeParse(readiness.body);
  if (!parsedHealth.success || !parsedReadiness.success) {
    return { type: "silent", reason: "another program answers on its port" };
  }
  const identity = identityIn(health.body, askedAtMs, answeredAtMs);
  return { type: "up", unreadiness: parsedReadiness.data.reason, health: parsedHealth.data, identity };
}

/** For the second question to a node that did not answer the first in time. */
const PATIENT_TIMEOUT_MS = 10_000;

async function askPages(node: VaultNode, access: AdminAccess, timeoutMs?: number) {
  const options = timeoutMs === undefined ? { access } : { access, timeoutMs };
  const askedAtMs = Date.now();
  const [[health, answeredAtMs], readiness] = await Promise.all([
    askAdmin(node, "/healthz", options).then((answer) => [answer, Date.now()] as const),
    askAdmin(node, "/readyz", options),
  ]);
  return { askedAtMs, answeredAtMs, health, readiness };
}

/** Null for an earlier agent. The clock is known only to within the answer's duration. */
function identityIn(body: unknown, askedAtMs: number, answeredAtMs: number): NodeIdentity | null {
  const parsed = identitySchema.safeParse(body);
  if (!parsed.success) return null;
  const { clockMs, certificates } = parsed.data;
  const skewMs = clockMs < askedAtMs ? clockMs - askedAtMs : Math.max(0, clockMs - answeredAtMs);
  const untilMs = [certificates.validUntilMs, certificates.edgeValidUntilMs].flatMap((each) => each ?? []);
  return { skewMs, validUntilMs: untilMs.length === 0 ? null : Math.min(...untilMs) };
}
