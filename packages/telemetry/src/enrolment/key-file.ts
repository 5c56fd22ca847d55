/** Stores a node's key on its disk: JSON that only its owner may read, written completely or not at all. */
import { chmod, open, readFile, rename } from "node:fs/promises";
import { StashlightError } from "@stashlight/contracts/errors";
import type { EnrolledIdentity } from "./enrol.ts";

const MODE = 0o600;

/** Returns null if there is no such file. */
export async function readKeyFile(path: string): Promise<EnrolledIdentity | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const identity = parse(text);
  if (identity !== null) return identity;
  throw new StashlightError(
    "precondition_failed",
    `${path} holds no node key; remove it and enrol again with a token.`,
  );
}

/** Resolves when the file is durable: the key is sent only once and must survive a power cut. */
export async function writeKeyFile(path: string, identity: EnrolledIdentity): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", MODE);
  try {
    // The mode above applies to a new file; one left behind by a crash keeps its mode.
    await chmod(temporary, MODE);
    await file.writeFile(`${JSON.stringify(identity, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

function parse(text: string): EnrolledIdentity | null {
  try {
    const { nodeId, name, vault, key } = JSON.parse(text) as Record<string, unknown>;
    const isWhole = [nodeId, name, vault, key].every((each) => typeof each === "string" && each !== "");
    return isWhole ? ({ nodeId, name, vault, key } as EnrolledIdentity) : null;
  } catch {
    return null;
  }
}
