import { StashlightError } from "@stashlight/contracts/errors";
import type { Database, Transaction } from "@stashlight/db";

export async function findSimulation(db: Database | Transaction, id: string) {
  const simulation = await db.simulationRun.findUnique({ where: { id } });
  if (simulation === null) {
    throw new StashlightError("not_found", "There is no such simulation; it may have been deleted.");
  }
  return simulation;
}
