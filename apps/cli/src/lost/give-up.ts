/** `vault give-up`: deletes an unreadable object after a person's confirmation. */
import { describeShortage } from "@stashlight/contracts/lost-object";
import { VaultFileError, type VaultNode } from "@stashlight/node-runtime/config";
import { type AskAdmin, askGiveUp, type GiveUpAnswer } from "@stashlight/node-runtime/durability";
import { operatorName } from "../operator-name.ts";
import type { Screen } from "../screen.ts";
import { formatSize } from "../units.ts";
import { openVault, type VaultAccess } from "../vault/access.ts";
import type { GiveUpCommand } from "./arguments.ts";
import { printable } from "./render.ts";

export interface GiveUpSurroundings {
  readonly screen: Screen;
  /** Null without a terminal for the confirmation. */
  readonly confirm: ((question: string) => Promise<string>) | null;
  readonly vault?: Pick<VaultAccess, "file" | "admin">;
  readonly ask?: AskAdmin;
}

/** Resolves to the exit code. */
export async function runGiveUp(command: GiveUpCommand, surroundings: GiveUpSurroundings): Promise<number> {
  const { bucket, key, isConfirmed } = command;
  const { screen, confirm, vault = openVault(command.config), ask } = surroundings;
  const name = printable(`${bucket}/${key}`);
  if (!isConfirmed && confirm === null) {
    throw new VaultFileError(
      "Confirmation needs a terminal; run vault give-up with --yes to delete the object for good.",
    );
  }
  const operator = operatorName();
  const request = (node: VaultNode, uploadId: string | null): Promise<GiveUpAnswer> =>
    askGiveUp(node, { bucket, key, uploadId, operator }, { access: vault.admin, ask });
  const found = await firstToFind(vault, (node) => request(node, null));
  const { object, node } = found;
  screen.say(`${name}: ${formatSize(object.sizeBytes)}, ETag ${object.etag}; ${describeShortage(object)}.`);
  if (!isConfirmed && confirm !== null) {
    const answer = await confirm(
      `It is deleted for good, and no drive that comes back restores it. Type the key to give it up: `,
    );
    if (answer.trim() !== key.trim()) {
      screen.say("The key does not match. Nothing was deleted.");
      return 1;
    }
  }
  const done = await request(node, object.uploadId);
  if (done.type === "done") {
    screen.say(`${name} is given up. ${node.id} has recorded it in audit.log in its state folder.`);
    return 0;
  }
  if (done.type === "refused") throw new VaultFileError(done.sentence);
  throw new VaultFileError(
    `${node.id} did not answer (${done.reason}), so it is not known whether ${name} was deleted; run vault give-up again.`,
  );
}

/**
 * Asks coordinators in order, because only the one that found the lost piece of a large object may know of it. Throws a
 * VaultFileError.
 */
async function firstToFind(
  { file }: Pick<VaultAccess, "file">,
  look: (node: VaultNode) => Promise<GiveUpAnswer>,
) {
  let refusal: string | null = null;
  const silences: string[] = [];
  for (const node of file.nodes.filter(({ role }) => role === "coordinator")) {
    const answer = await look(node);
    if (answer.type === "done") return { node, object: answer.object };
    if (answer.type === "refused") refusal ??= describeRefusal(node, answer);
    else silences.push(`${node.id}: ${answer.reason}`);
  }
  throw new VaultFileError(refusal ?? `No coordinator answers (${silences.join("; ")}).`);
}

function describeRefusal(
  { id }: VaultNode,
  { status, sentence }: Extract<GiveUpAnswer, { type: "refused" }>,
): string {
  const isOld = status === 404 && sentence.startsWith("There is /healthz");
  return isOld || status === 405
    ? `${id} runs an agent version that cannot give up objects; update it.`
    : sentence;
}
