import { StashlightError } from "@stashlight/contracts/errors";
import type { AuthenticatedNode } from "@stashlight/contracts/node";

/** Refuses all nodes but approved coordinators; `task` completes the sentence "only those are asked ...". */
export function requireCoordinator({ name, role, status }: AuthenticatedNode, task: string): void {
  if (role === "coordinator" && status === "active") return;
  throw new StashlightError(
    "forbidden",
    `${name} is not an approved coordinator; only those are asked ${task}.`,
  );
}
