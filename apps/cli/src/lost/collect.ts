/** Collects the lost objects that the coordinators of vaults have found. */
import { type LostObjects, uniteLostObjects } from "@stashlight/contracts/lost-object";
import { type AskAdmin, askLost } from "@stashlight/node-runtime/durability";
import type { VaultAccess } from "../vault/access.ts";

export interface CollectedLost extends LostObjects {
  /** Reasons that coordinators did not answer, one sentence each; objects known only to them are missing. */
  readonly silences: readonly string[];
}

/** Never rejects. */
export async function collectLost(
  vaults: readonly Pick<VaultAccess, "file" | "admin">[],
  ask?: AskAdmin,
): Promise<CollectedLost> {
  const silences: string[] = [];
  const perVault = await Promise.all(
    vaults.map(async ({ file, admin: access }) => {
      const coordinators = file.nodes.filter(({ role }) => role === "coordinator");
      const answers = await Promise.all(
        coordinators.map(async (node) => {
          const answer = await askLost(node, { access, ask });
          if (answer.type === "answered") return answer.lost;
          silences.push(`${node.id} did not list its lost objects (${answer.reason}).`);
          return [];
        }),
      );
      return uniteLostObjects(answers.flat());
    }),
  );
  const objects = perVault.flatMap((each) => each.objects).sort((a, b) => b.sinceMs - a.sinceMs);
  return { total: perVault.reduce((sum, { total }) => sum + total, 0), objects, silences };
}
