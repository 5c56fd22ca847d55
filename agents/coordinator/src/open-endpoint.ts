/** Opens the backend of the S3 edge: one vault, or several that share the keys. */

import { followCredentials, type NodeContext, ProcessLinks } from "@stashlight/node-runtime";
import { type CoordinatorNode, type VaultFile, VaultFileError } from "@stashlight/node-runtime/config";
import { S3Error } from "@stashlight/s3";
import type { Endpoint } from "./endpoint.ts";
import { newPieceId } from "./records/pieces.ts";
import { openSession, type VaultSession } from "./session.ts";
import { troubleOfLoneVault } from "./several-vaults/membership.ts";
import { startSpread } from "./several-vaults/spread.ts";
import { addSpaces } from "./space/store-space.ts";
import { VaultError } from "./vault/errors.ts";
import { s3ErrorOf } from "./vault/s3-error.ts";

export async function openEndpoint(node: CoordinatorNode, context: NodeContext): Promise<Endpoint> {
  const { epochs, furtherEpochs, furtherTokenFiles, logger } = context;
  const first = await openSession({ epochs, node, context });
  const others: VaultSession[] = [];
  for (const [at, further] of furtherEpochs.entries()) {
    const there = coordinatorIn(further.file, node.id);
    const links = new ProcessLinks([]);
    const childLogger = logger.child({ vault: further.file.name });
    const credentials = followCredentials(further.file, there, childLogger);
    const enrolmentTokenFile = furtherTokenFiles[at] ?? null;
    const ofVault = { ...context, links, logger: childLogger, credentials, enrolmentTokenFile };
    others.push(await openSession({ epochs: further, node: there, context: ofVault, gate: first.gate }));
  }
  return others.length === 0 ? loneEndpoint(first, logger) : startSpread([first, ...others], logger);
}

function coordinatorIn(file: VaultFile, nodeId: string): CoordinatorNode {
  const node = file.nodes.find(({ id, role }) => id === nodeId && role === "coordinator");
  if (node?.role === "coordinator") return node;
  throw new VaultFileError(
    `--config: the vault ${file.name} has no coordinator ${nodeId}; a coordinator of several vaults has the same name in each of their files.`,
  );
}

const LOOK_EVERY_MS = 1000;

/** A vault that shares an endpoint with others must not be served alone. */
function loneEndpoint(session: VaultSession, logger: NodeContext["logger"]): Endpoint {
  const { vault } = session;
  let trouble: string | null = null;
  let isChecked = false;
  const look = async (): Promise<void> => {
    trouble = await troubleOfLoneVault(vault);
    if (trouble !== null) logger.error({ trouble }, "this vault is not served");
    isChecked = trouble === null;
    clearInterval(timer);
  };
  // Makes readiness report problems before the first client request.
  const timer = setInterval(() => {
    if (vault.settledPodCount >= vault.neededPodCount) void look().catch(() => {});
  }, LOOK_EVERY_MS);
  const { keyring } = session;
  session.serve({ verbs: vault, keyring, lostVaults: [vault], trouble: () => trouble, vaults: null });
  return {
    sessions: [session],
    first: session,
    verbs: vault,
    room: vault,
    findSpace: () => addSpaces([session.measureSpace()]),
    newId: newPieceId,
    get isChecked() {
      return isChecked;
    },
    check: async () => {
      if (trouble === null) await refusing(look);
      if (trouble !== null) throw new S3Error("SlowDown", undefined, { cause: new Error(trouble) });
    },
    stop: () => {
      clearInterval(timer);
      return session.stop();
    },
  };
}

async function refusing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof VaultError ? s3ErrorOf(error, 0) : error;
  }
}
