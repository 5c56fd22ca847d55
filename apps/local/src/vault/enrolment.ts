/**
 * Tokens with which the vault's nodes enrol for telemetry, by the door that all others use. Only nodes without a key
 * that works in this installation's database get one: after the first start nobody does.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keyFileOf, nameOf } from "@stashlight/agent";
import type { VaultFile, VaultNode } from "@stashlight/agent/config";
import { ensureLocalNodes } from "@stashlight/services";

export type EnrolmentTokenFiles = Partial<Record<VaultNode["role"], string>>;

export interface InstallationAccess {
  readonly databaseUrl: string;
  readonly secret: string;
  readonly publicUrl: string;
}

const roles = ["pod", "stash", "coordinator"] as const;

/** `path` is that of the vault's file; the tokens' files lie beside it. */
export async function prepareEnrolment(
  path: string,
  file: VaultFile,
  access: InstallationAccess,
): Promise<EnrolmentTokenFiles> {
  const nodes = file.nodes.map((node) => ({
    name: nameOf(file, node),
    role: node.role,
    keyFile: keyFileOf(node),
    key: keyIn(keyFileOf(node)),
  }));
  const { tokens, missing } = await ensureLocalNodes({ ...access, vault: file.name, nodes });
  for (const { name, keyFile } of nodes) if (missing.includes(name)) rmSync(keyFile, { force: true });
  const files: EnrolmentTokenFiles = {};
  for (const role of roles) {
    const tokenFile = join(dirname(path), `enrolment-${role}.token`);
    const token = tokens[role];
    if (token === undefined) rmSync(tokenFile, { force: true });
    else {
      writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
      files[role] = tokenFile;
    }
  }
  return files;
}

/** Null where there is none that can be read: the node then enrols again. */
function keyIn(keyFile: string): string | null {
  try {
    const { key } = JSON.parse(readFileSync(keyFile, "utf8")) as { key?: unknown };
    return typeof key === "string" ? key : null;
  } catch {
    return null;
  }
}
