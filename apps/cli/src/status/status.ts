/** `vault status`: queries the state of every node. */
import type { VaultNode } from "@stashlight/node-runtime/config";
import { type AskAdmin, askAdmin } from "@stashlight/node-runtime/durability";
import type { z } from "zod";
import { consoleIn } from "../console-api.ts";
import { collectLost } from "../lost/collect.ts";
import { openVault } from "../vault/access.ts";
import type { StatusCommand } from "./arguments.ts";
import { askNodes, type NodePages } from "./ask-nodes.ts";
import { takeConsoleDurability } from "./console-durability.ts";
import { readEndpoint, renderEndpoint } from "./endpoint.ts";
import { coordinatorHealthSchema, driveHealthSchema, identitySchema, readinessSchema } from "./health.ts";
import type { NodeIdentity } from "./machines.ts";
import { renderStatus } from "./render.ts";
import { buildStatusReport, type NodeAnswer, type StatusReport } from "./report.ts";

interface StatusSurroundings {
  readonly say: (line: string) => void;
  /** Names the console, if the console should be queried. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Resolves to the exit code. */
export async function showStatus(
  { config, furtherConfigs = [], isJson }: StatusCommand,
  { say, environment }: StatusSurroundings,
): Promise<number> {
  const endpoint = furtherConfigs.length === 0 ? null : await readEndpoint(config);
  const seen = await Promise.all([config, ...furtherConfigs].map((each) => readStatus(each)));
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

export async function readStatus(config: string, ask: AskAdmin = askAdmin): Promise<StatusReport> {
  const { file, admin } = openVault(config);
  const [{ total: lostObjectCount }, pages] = await Promise.all([
    collectLost([{ file, admin }]),
    askNodes(file.nodes, admin, ask),
  ]);
  const answersOf = <Schema extends z.ZodType>(isAsked: (node: VaultNode) => boolean, schema: Schema) =>
    new Map(
      file.nodes
        .filter(isAsked)
        .flatMap((node) => pages.get(node.id) ?? [])
        .map((asked) => [asked.nodeId, parsePages(asked, schema)] as const),
    );
  const answers = {
    coordinators: answersOf(({ role }) => role === "coordinator", coordinatorHealthSchema),
    drives: answersOf(
      ({ role }) => role !== "coordinator",
      driveHealthSchema.transform(({ drives }) => drives),
    ),
  };
  return buildStatusReport(file, answers, { nowMs: Date.now(), lostObjectCount });
}

function parsePages<Schema extends z.ZodType>(
  { health, readiness, askedAtMs, answeredAtMs }: NodePages,
  schema: Schema,
): NodeAnswer<z.output<Schema>> {
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

/** Null for an earlier agent. The offset is known only to within the duration of the request. */
function identityIn(body: unknown, askedAtMs: number, answeredAtMs: number): NodeIdentity | null {
  const parsed = identitySchema.safeParse(body);
  if (!parsed.success) return null;
  const { clockMs, certificates } = parsed.data;
  const skewMs = clockMs < askedAtMs ? clockMs - askedAtMs : Math.max(0, clockMs - answeredAtMs);
  const untilMs = [certificates.validUntilMs, certificates.edgeValidUntilMs].flatMap((each) => each ?? []);
  return { skewMs, validUntilMs: untilMs.length === 0 ? null : Math.min(...untilMs) };
}
