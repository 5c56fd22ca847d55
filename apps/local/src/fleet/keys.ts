/** Keys of the simulated nodes, which enrol like all others and keep their keys in one file. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { FLEET_AGENT_VERSION, type FleetNode } from "@stashlight/fleet";
import { ensureSimulatedNodes, type InstallationAccess } from "@stashlight/services/node";
import { enrol } from "@stashlight/telemetry";

export interface NodeAccess {
  readonly nodeId: string;
  readonly key: string;
}

/** Keyed by node name. */
type Keys = Record<string, NodeAccess>;

const ENROL_AT_ONCE = 4;
const TIMEOUT_MS = 30_000;

export const fleetKeysPath = (dataDirectory: string): string => join(dataDirectory, "fleet", "keys.json");

export interface ObtainKeysOptions extends InstallationAccess {
  readonly file: string;
  readonly ingest: string;
  readonly nodes: readonly FleetNode[];
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Obtains a key for every node that no admin has revoked. */
export async function obtainKeys(options: ObtainKeysOptions): Promise<Keys> {
  const { file, nodes, say, signal, databaseUrl, secret, publicUrl } = options;
  const keys = readKeys(file);
  const vaults = [...Map.groupBy(nodes, ({ vault }) => vault)].map(([vault, members]) => ({
    vault,
    nodes: members.map(({ name, role }) => ({ name, role, key: keys[name]?.key ?? null })),
  }));
  const enrolments = await ensureSimulatedNodes({ databaseUrl, secret, publicUrl, vaults });
  const missing = new Map<string, string>();
  for (const [i, { tokens, missing: names }] of enrolments.entries()) {
    for (const { name, role } of vaults[i]?.nodes ?? []) {
      const token = tokens[role];
      if (token !== undefined && names.includes(name)) missing.set(name, token);
    }
  }
  const rest = nodes.filter(({ name }) => missing.has(name)).values();
  const work = async (): Promise<void> => {
    for (const node of rest) {
      keys[node.name] = await enrolOne(options, node, missing.get(node.name) ?? "");
      signal.throwIfAborted();
    }
  };
  try {
    await Promise.all(Array.from({ length: ENROL_AT_ONCE }, work));
  } finally {
    writeKeys(file, keys);
  }
  if (missing.size > 0) say(`Enrolled ${missing.size} simulated nodes.`);
  return keys;
}

async function enrolOne(
  { ingest, signal }: ObtainKeysOptions,
  { name, role }: FleetNode,
  token: string,
): Promise<NodeAccess> {
  const identity = { name, role, agentVersion: FLEET_AGENT_VERSION };
  for (;;) {
    const result = await enrol({ origin: ingest, timeoutMs: TIMEOUT_MS }, token, identity);
    if (result.type === "enrolled") {
      const { nodeId, key } = result.identity;
      return { nodeId, key };
    }
    if (result.type === "refused") throw new Error(`${name} could not enrol: ${result.reason}`);
    await delay(result.afterMs, undefined, { signal });
  }
}

function readKeys(file: string): Keys {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Keys) : {};
}

function writeKeys(file: string, keys: Keys): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(keys)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

export const removeKeys = (dataDirectory: string): void =>
  rmSync(dirname(fleetKeysPath(dataDirectory)), { recursive: true, force: true });
