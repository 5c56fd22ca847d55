/** Reads the vault's fill from its coordinators, because the demo load has no database. */
import { fillOfCoordinators, parseCoordinatorSpace } from "@stashlight/contracts/health";
import type { VaultFile } from "@stashlight/node-runtime/config";
import type { AdminAccess, AskAdmin } from "@stashlight/node-runtime/durability";

export interface FillQuestion {
  readonly file: VaultFile;
  readonly access: AdminAccess;
  readonly ask: AskAdmin;
}

/** Null if no coordinator reports it. */
export async function readFillShare({ file, access, ask }: FillQuestion): Promise<number | null> {
  const nodes = file.nodes.filter(({ role }) => role === "coordinator");
  const answers = await Promise.all(nodes.map((node) => ask(node, "/healthz", { access })));
  const spaces = answers.flatMap((answer) =>
    answer.type === "answered" && answer.status === 200 ? (parseCoordinatorSpace(answer.body) ?? []) : [],
  );
  return fillOfCoordinators(spaces, Date.now())?.share ?? null;
}
