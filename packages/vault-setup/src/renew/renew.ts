/**
 * Renews the certificates of the running nodes of a vault, and their keys if requested. A node reports its key, or
 * generates its next one, over a connection that its present certificate authenticates; the authority signs; the node
 * uses the new certificate for new connections. A private key never leaves its machine, and open connections continue.
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import { loadVaultFile, type VaultNode } from "@stashlight/node-runtime/config";
import { type AdminAccess, askAdmin, readAdminAccess } from "@stashlight/node-runtime/durability";
import { z } from "zod";
import { issueCertificate } from "../authority/authority.ts";
import { edgeHosts, type SetupFolder, vaultFileIn } from "../create.ts";

export interface RenewalOutcome {
  readonly nodeId: string;
  /** Null if the renewal failed; `reason` explains why in a sentence. */
  readonly validUntilMs: number | null;
  readonly reason: string | null;
}

export interface RenewOptions {
  readonly hasNewKeys: boolean;
  readonly nowMs: () => number;
  readonly renewed: (outcome: RenewalOutcome) => void;
}

const stateSchema = z.object({ publicKey: z.string().nullable(), edgePublicKey: z.string().nullable() });
const renewedSchema = z.object({ validUntilMs: z.number() });

/** Renews one node after another, and reports each outcome. Resolves to true if all were renewed. */
export async function renewVault(setup: SetupFolder, options: RenewOptions): Promise<boolean> {
  const { nodes, ...file } = loadVaultFile(vaultFileIn(setup.folder));
  const access = readAdminAccess({ ...file, nodes });
  let areAll = true;
  for (const node of nodes) {
    const outcome = await renewNode(setup, node, access, options);
    areAll &&= outcome.validUntilMs !== null;
    options.renewed(outcome);
  }
  return areAll;
}

async function renewNode(
  setup: SetupFolder,
  node: VaultNode,
  access: AdminAccess,
  { hasNewKeys, nowMs }: RenewOptions,
): Promise<RenewalOutcome> {
  const failed = (reason: string): RenewalOutcome => ({ nodeId: node.id, validUntilMs: null, reason });
  const asked = hasNewKeys
    ? await askAdmin(node, "/certificates/keys", { access, post: {} })
    : await askAdmin(node, "/certificates", { access });
  if (asked.type === "silent") return failed(`${node.id} does not answer (${asked.reason}).`);
  const state = stateSchema.safeParse(asked.body);
  if (asked.status !== 200 || !state.success || state.data.publicKey === null) {
    return failed(
      typeof asked.body === "string" ? asked.body : `${node.id} cannot be renewed while it runs.`,
    );
  }
  const { publicKey, edgePublicKey } = state.data;
  const issue = (key: string, hosts: readonly string[]) =>
    issueCertificate(setup.authority, { name: node.id, publicKey: keyIn(key), hosts, nowMs: nowMs() });
  const post = {
    certificate: await issue(publicKey, [node.host]),
    ...(edgePublicKey !== null && { edgeCertificate: await issue(edgePublicKey, edgeHosts(setup, node)) }),
  };
  const answer = await askAdmin(node, "/certificates", { access, post });
  if (answer.type === "silent") return failed(`${node.id} does not answer (${answer.reason}).`);
  const renewed = renewedSchema.safeParse(answer.body);
  if (!renewed.success) return failed(typeof answer.body === "string" ? answer.body : `${node.id} refused.`);
  return { nodeId: node.id, validUntilMs: renewed.data.validUntilMs, reason: null };
}

function keyIn(spki: string): KeyObject {
  return createPublicKey({ key: Buffer.from(spki, "base64"), format: "der", type: "spki" });
}
