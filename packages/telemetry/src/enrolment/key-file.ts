/** Stores a node's key on its disk, as JSON. */
import { StashlightError } from "@stashlight/contracts/errors";
import type { EnrolledIdentity } from "./enrol.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/** Returns null if there is no such file. */
export async function readKeyFile(path: string): Promise<EnrolledIdentity | null> {
  const text = await readPrivateFile(path);
  if (text === null) return null;
  const identity = parse(text);
  if (identity !== null) return identity;
  throw new StashlightError(
    "precondition_failed",
    `${path} holds no node key; remove it and enrol again with a token.`,
  );
}

/** Resolves when the file is durable: the key is sent only once and must survive a power cut. */
export const writeKeyFile = (path: string, identity: EnrolledIdentity): Promise<void> =>
  writePrivateFile(path, `${JSON.stringify(identity, null, 2)}\n`);

function parse(text: string): EnrolledIdentity | null {
  try {
    const { nodeId, name, vault, key } = JSON.parse(text) as Record<string, unknown>;
    const isWhole = [nodeId, name, vault, key].every((each) => typeof each === "string" && each !== "");
    return isWhole ? ({ nodeId, name, vault, key } as EnrolledIdentity) : null;
  } catch {
    return null;
  }
}
