/**
 * Enrols the nodes of `npm start`'s vault through the public enrolment, with tokens created here for nodes without a
 * key, or with one that is invalid here.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { NodeRole } from "@stashlight/contracts/node";
import { type Core, openCore } from "../core.ts";
import { issueToken } from "./create-token.ts";
import { authenticateNode } from "./reporting/authenticate.ts";

export interface LocalNode {
  name: string;
  role: NodeRole;
  /** Key in its key file; null if there is none. */
  key: string | null;
}

export interface InstallationAccess {
  databaseUrl: string;
  secret: string;
  publicUrl: string;
}

export interface LocalVault {
  vault: string;
  nodes: readonly LocalNode[];
}

export type EnsureLocalNodesOptions = InstallationAccess & LocalVault;

export interface LocalEnrolment {
  /** One per role that has a node without a valid key. */
  tokens: Partial<Record<NodeRole, string>>;
  /** Nodes without a valid key, whose key files must be removed so that their agents enrol. */
  missing: string[];
}

const starter = { id: null, name: "npm start" };

export async function ensureLocalNodes(options: EnsureLocalNodesOptions): Promise<LocalEnrolment> {
  const { vault, nodes, ...opening } = options;
  const platform = openCore({ kind: "tool", dataDirectory: null, ...opening });
  try {
    return await ensureVault(platform, { vault, nodes }, false);
  } finally {
    await platform.close();
  }
}

/**
 * Enrols the nodes of the fleet simulator's vaults, marked as simulated, and returns the enrolments in the order of the
 * vaults.
 */
export async function ensureSimulatedNodes({
  vaults,
  ...opening
}: InstallationAccess & { vaults: readonly LocalVault[] }): Promise<LocalEnrolment[]> {
  const platform = openCore({ kind: "tool", dataDirectory: null, ...opening });
  try {
    const enrolments: LocalEnrolment[] = [];
    for (const vault of vaults) enrolments.push(await ensureVault(platform, vault, true));
    return enrolments;
  } finally {
    await platform.close();
  }
}

async function ensureVault(
  platform: Core,
  { vault, nodes }: LocalVault,
  isSimulated: boolean,
): Promise<LocalEnrolment> {
  const wantsKey = await Promise.all(nodes.map((node) => needsKey(platform, node)));
  const missing = nodes.filter((_, index) => wantsKey[index]);
  const tokens = await issueTokens(platform, vault, missing, isSimulated);
  return { tokens, missing: missing.map(({ name }) => name) };
}

/** A node that an admin revoked stays revoked: a restart does not bring it back. */
async function needsKey(platform: Core, { name, key }: LocalNode): Promise<boolean> {
  if (key === null) {
    const node = await platform.db.node.findUnique({ where: { name }, select: { status: true } });
    return node?.status !== "revoked";
  }
  try {
    await authenticateNode(platform, key);
    return false;
  } catch (error) {
    if (!(error instanceof StashlightError)) throw error;
    return error.code === "unauthenticated";
  }
}

async function issueTokens(
  platform: Core,
  vault: string,
  missing: readonly LocalNode[],
  isSimulated: boolean,
): Promise<LocalEnrolment["tokens"]> {
  const ctx = { platform, principal: null, origin: { ipAddress: "local", userAgent: "npm start" } };
  const tokens: LocalEnrolment["tokens"] = {};
  const byRole = Map.groupBy(missing, ({ role }) => role);
  await platform.db.$transaction(async (tx) => {
    await tx.enrolmentToken.updateMany({
      where: { vault, createdById: null, createdByName: starter.name, revokedAt: null },
      data: { revokedAt: platform.now() },
    });
    for (const [role, nodes] of byRole) {
      const terms = {
        vault,
        role,
        useCountMax: nodes.length,
        lifetimeHours: 1,
        isAutoApproved: true,
        mayReplace: true,
        isSimulated,
      };
      const { token } = await issueToken(tx, ctx, terms, starter);
      tokens[role] = token;
    }
  });
  return tokens;
}
