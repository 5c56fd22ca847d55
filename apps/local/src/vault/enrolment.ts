/**
 * Tokens with which the nodes of the vault and its probe enrol, like all other nodes. Only nodes without a valid key in
 * this installation's database get one; after the first start there are usually none.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reportedNodeName, telemetryKeyPath } from "@stashlight/node-runtime";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { ensureLocalNodes } from "@stashlight/services/node";
import { type LocalProbe, probeKeyPath } from "./probe-drives.ts";

const roles = ["pod", "stash", "coordinator", "probe"] as const;

export type EnrolmentTokenFiles = Partial<Record<(typeof roles)[number], string>>;

export interface InstallationAccess {
  readonly databaseUrl: string;
  readonly secret: string;
  readonly publicUrl: string;
}

export interface LocalEnrolment {
  readonly tokenFiles: EnrolmentTokenFiles;
  /** False if an admin revoked the probe, which then stays revoked. */
  readonly mayProbe: boolean;
}

/** `path` is the vault's file, beside which the tokens' files are stored. */
export async function prepareEnrolment(
  path: string,
  file: VaultFile,
  probe: LocalProbe,
  access: InstallationAccess,
): Promise<LocalEnrolment> {
  const own = { name: probe.name, role: "probe" as const, keyFile: probeKeyPath(probe) };
  const ofFile = file.nodes.map((node) => ({
    name: reportedNodeName(file, node),
    role: node.role,
    keyFile: telemetryKeyPath(node),
  }));
  const nodes = [...ofFile, own].map((node) => ({ ...node, key: keyIn(node.keyFile) }));
  const { tokens, missing } = await ensureLocalNodes({ ...access, vault: file.name, nodes });
  for (const { name, keyFile } of nodes) if (missing.includes(name)) rmSync(keyFile, { force: true });
  const tokenFiles: EnrolmentTokenFiles = {};
  for (const role of roles) {
    const tokenFile = join(dirname(path), `enrolment-${role}.token`);
    const token = tokens[role];
    if (token === undefined) rmSync(tokenFile, { force: true });
    else {
      writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
      tokenFiles[role] = tokenFile;
    }
  }
  return { tokenFiles, mayProbe: tokenFiles.probe !== undefined || hasKey(probe) };
}

export const hasKey = (probe: LocalProbe): boolean => keyIn(probeKeyPath(probe)) !== null;

/** Null if there is no readable key; the node then enrols again. */
function keyIn(keyFile: string): string | null {
  try {
    const { key } = JSON.parse(readFileSync(keyFile, "utf8")) as { key?: unknown };
    return typeof key === "string" ? key : null;
  } catch {
    return null;
  }
}
