/** `vault encryption`: manages the vault's key and its versions, and the bucket keys that it wraps. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  addEncryptionKey,
  createEncryptionKeys,
  dropEncryptionKeys,
  ENCRYPTION_KEY_FILE,
  loadVaultFile,
  readEncryptionKeys,
  readRawVaultFile,
  type VaultFile,
  VaultFileError,
  type VaultNode,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import {
  type AskAdmin,
  askEncryption,
  changeEncryption,
  type EncryptionAnswer,
  type EncryptionPage,
  type EncryptionRequest,
} from "@stashlight/node-runtime/durability";
import { operatorName } from "../operator-name.ts";
import { counted } from "../units.ts";
import { openVault, type VaultAccess } from "../vault/access.ts";
import type { EncryptionCommand } from "./arguments.ts";

export interface EncryptionSurroundings {
  readonly say: (line: string) => void;
  /** Null without a terminal for the confirmation. */
  readonly confirm: ((question: string) => Promise<string>) | null;
  readonly nowMs: () => number;
  readonly ask?: AskAdmin;
}

/** Deadline for coordinators to have a new version; those on this machine read the file again within a second. */
const KNOWN_WITHIN_MS = 3000;
const LOOK_EVERY_MS = 250;

/** Resolves to the exit code. Rejects with a VaultFileError. */
export async function runEncryption(
  command: EncryptionCommand,
  surroundings: EncryptionSurroundings,
): Promise<number> {
  const { config, action } = command;
  if (action.type === "enable") return enable(config, action.newBuckets, surroundings);
  const vault = openVault(config);
  switch (action.type) {
    case "show":
      return await show(vault, surroundings);
    case "rotate":
      return await rotate(vault, surroundings);
    case "drop-old-keys":
      return await dropOldKeys(vault, surroundings);
    case "destroy-key":
      return await destroyKey(vault, { ...command, bucket: action.bucket }, surroundings);
  }
}

function enable(
  config: string,
  newBuckets: "AES256" | "none",
  { say, nowMs }: EncryptionSurroundings,
): number {
  const file = loadVaultFile(config);
  if (file.encryption !== undefined) {
    throw new VaultFileError(`${config} already names an encryption key: ${file.encryption.keyFile}.`);
  }
  const keyFile = join(dirname(config), ENCRYPTION_KEY_FILE);
  // An existing file was created by an interrupted call.
  if (existsSync(keyFile)) readEncryptionKeys(keyFile, file.clusterId);
  else createEncryptionKeys(keyFile, file.clusterId, nowMs());
  const encryption = { keyFile: ENCRYPTION_KEY_FILE, newBuckets };
  writeVaultFile(config, { ...readRawVaultFile(config), encryption });
  say(`The vault's encryption key is in ${keyFile}. Keep a copy apart from the drives:`);
  say("without it, no encrypted object can be read again.");
  say("Restart the coordinators. To encrypt an existing bucket, call PutBucketEncryption.");
  return 0;
}

function requireKeyFile({ path, file }: VaultAccess): string {
  if (file.encryption !== undefined) return file.encryption.keyFile;
  throw new VaultFileError(`${path} names no encryption key; vault encryption enable creates one.`);
}

const coordinatorNodes = ({ nodes }: VaultFile): VaultNode[] =>
  nodes.filter(({ role }) => role === "coordinator");

function requireAnswer<Answer>(node: VaultNode, answer: EncryptionAnswer<Answer>): Answer {
  if (answer.type === "answered") return answer.answer;
  throw new VaultFileError(
    answer.type === "refused" ? answer.sentence : `${node.id} does not answer (${answer.reason}).`,
  );
}

async function show(vault: VaultAccess, { say, ask }: EncryptionSurroundings): Promise<number> {
  const { admin: access, file } = vault;
  let isWell = true;
  for (const node of coordinatorNodes(file)) {
    const page = requireAnswer(node, await askEncryption(node, { access, ask }));
    for (const line of describePage(node, page, file)) say(line);
    isWell &&= page.problem === null;
  }
  return isWell ? 0 : 1;
}

function describePage(
  { id }: Pick<VaultNode, "id">,
  { problem, encryptsNewBuckets, versions, buckets }: EncryptionPage,
  { encryption }: Pick<VaultFile, "encryption">,
): string[] {
  const { total, encryptedByDefault, byVersion, destroyed } = buckets;
  const wraps = new Map(byVersion.map(({ version, count }) => [version, count]));
  return [
    `${id}: ${encryptedByDefault} of ${counted(total, "bucket")} encrypted by default; new buckets are ${encryptsNewBuckets ? "encrypted" : "not encrypted"}.`,
    ...(problem === null ? [] : [`  ! ${problem}`]),
    ...(encryption === undefined ? ["  The vault has no key; vault encryption enable creates one."] : []),
    ...versions.map(
      ({ version, createdAt }) =>
        `  version ${version} of ${createdAt.slice(0, 10)} wraps the keys of ${counted(wraps.get(version) ?? 0, "bucket")}`,
    ),
    ...(destroyed === 0 ? [] : [`  the keys of ${counted(destroyed, "bucket")} were destroyed`]),
  ];
}

/**
 *     no bucket needs an older version --> a version is added --> all coordinators have it --> buckets are rewrapped
 *     '--one does: a rotation was interrupted ----------------------------^
 */
async function rotate(vault: VaultAccess, surroundings: EncryptionSurroundings): Promise<number> {
  const { admin: access, file } = vault;
  const { say, ask, nowMs } = surroundings;
  const keyFile = requireKeyFile(vault);
  const [first] = coordinatorNodes(file) as [VaultNode];
  const before = requireAnswer(first, await askEncryption(first, { access, ask }));
  if (before.problem !== null) throw new VaultFileError(before.problem);
  let newest = readEncryptionKeys(keyFile, file.clusterId).at(-1)?.version ?? 0;
  const isUnderWay =
    before.versions.every(({ version }) => version < newest) ||
    before.buckets.byVersion.some(({ version }) => version < newest);
  if (isUnderWay) say(`The rotation to version ${newest} continues.`);
  else {
    newest = addEncryptionKey(keyFile, file.clusterId, nowMs());
    say(`Version ${newest} was added to ${keyFile}; update your backup of the file.`);
  }
  const lacking = await coordinatorsWithout(newest, vault, surroundings);
  if (lacking.length > 0) {
    say(`${lacking.join(", ")} do not have version ${newest} yet, so no key was wrapped with it.`);
    say(
      "Copy the file to them (with vault bundle and vault join, or by hand), and run vault encryption rotate again.",
    );
    return 1;
  }
  const request: EncryptionRequest = { action: { type: "rewrap" }, operator: operatorName() };
  const { changedCount } = requireAnswer(first, await changeEncryption(first, request, { access, ask }));
  say(`The keys of ${counted(changedCount, "bucket")} were wrapped with version ${newest}.`);
  say("Older versions stay in the file until vault encryption drop-old-keys removes them.");
  return 0;
}

async function coordinatorsWithout(
  version: number,
  { admin: access, file }: VaultAccess,
  { ask }: EncryptionSurroundings,
): Promise<string[]> {
  const endMs = performance.now() + KNOWN_WITHIN_MS;
  for (;;) {
    const lacking: string[] = [];
    for (const node of coordinatorNodes(file)) {
      const { versions } = requireAnswer(node, await askEncryption(node, { access, ask }));
      if (!versions.some((each) => each.version === version)) lacking.push(node.id);
    }
    if (lacking.length === 0 || performance.now() >= endMs) return lacking;
    await delay(LOOK_EVERY_MS);
  }
}

async function dropOldKeys(vault: VaultAccess, { say, ask }: EncryptionSurroundings): Promise<number> {
  const { admin: access, file } = vault;
  const keyFile = requireKeyFile(vault);
  const needed = new Set<number>();
  for (const node of coordinatorNodes(file)) {
    const { problem, buckets } = requireAnswer(node, await askEncryption(node, { access, ask }));
    if (problem !== null) throw new VaultFileError(problem);
    for (const { version } of buckets.byVersion) needed.add(version);
  }
  const dropped = dropEncryptionKeys(keyFile, file.clusterId, needed);
  say(
    dropped.length === 0
      ? "All versions are needed; vault encryption rotate wraps the keys of buckets with the newest."
      : `Dropped from ${keyFile}: ${counted(dropped.length, "version")} (${dropped.join(", ")}). Destroy copies of the file as well.`,
  );
  return 0;
}

async function destroyKey(
  { admin: access, file }: VaultAccess,
  { bucket, isConfirmed }: Pick<EncryptionCommand, "isConfirmed"> & { readonly bucket: string },
  { say, confirm, ask }: EncryptionSurroundings,
): Promise<number> {
  if (!isConfirmed) {
    if (confirm === null) {
      throw new VaultFileError("Confirmation needs a terminal; add --yes to destroy the key for good.");
    }
    const question = `No encrypted object of ${bucket} can be read again. Type the name of the bucket to destroy its key: `;
    if ((await confirm(question)).trim() !== bucket) {
      say("The name does not match. Nothing was changed.");
      return 1;
    }
  }
  const [first] = coordinatorNodes(file) as [VaultNode];
  const request: EncryptionRequest = { action: { type: "destroy", bucket }, operator: operatorName() };
  const { changedCount } = requireAnswer(first, await changeEncryption(first, request, { access, ask }));
  say(
    changedCount === 0 ? `The key of ${bucket} was already destroyed.` : `The key of ${bucket} is destroyed.`,
  );
  say(`${first.id} has recorded it in audit.log in its state folder.`);
  say(
    "Drives hold the wrapped key until they are compacted: rotate the vault's key and drop old keys as well.",
  );
  return 0;
}
