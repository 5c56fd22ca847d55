import { StashlightError } from "@stashlight/contracts/errors";
import type { startSimulationInput } from "@stashlight/contracts/planner";
import { simulationRunColumns } from "@stashlight/db/columns/simulation";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { toScenarioOptions } from "./options.ts";

/** A longer queue would be a mistake. */
const WAITING_COUNT_MAX = 10;
const KEPT_COUNT = 200;

/** Queues a scenario for the next free worker. */
export async function startSimulation({
  ctx,
  input,
}: Verb<typeof startSimulationInput>): Promise<{ simulationId: string }> {
  const { userId, name: requestedByName } = requireRole(ctx, "operator");
  const { name, scenario, measured } = input;
  toScenarioOptions(scenario);
  const simulationId = newId();
  await ctx.platform.db.$transaction(async (tx) => {
    const waitingCount = await tx.simulationRun.count({ where: { state: "queued" } });
    if (waitingCount >= WAITING_COUNT_MAX) {
      throw new StashlightError(
        "conflict",
        `${waitingCount} simulations are already waiting; let them run, or cancel some.`,
      );
    }
    await tx.simulationRun.create({
      data: {
        id: simulationId,
        name,
        scenario: simulationRunColumns.scenario.write(scenario),
        ...(measured === null ? {} : { measured: simulationRunColumns.measured.write(measured) }),
        requestedById: userId,
        requestedByName,
        createdAt: ctx.platform.now(),
      },
    });
    const tooOld = await tx.simulationRun.findMany({
      where: { state: { notIn: ["queued", "running"] } },
      orderBy: { createdAt: "desc" },
      skip: KEPT_COUNT - 1,
      select: { id: true },
    });
    await tx.simulationRun.deleteMany({ where: { id: { in: tooOld.map(({ id }) => id) } } });
    await writeAudit(tx, ctx, {
      action: "simulation.started",
      target: { kind: "simulation", id: simulationId, name },
      after: { seed: scenario.seed, durationSeconds: scenario.durationSeconds },
    });
  });
  return { simulationId };
}
