import { StashlightError } from "@stashlight/contracts/errors";
import type { AskedPlan, ScenarioRow } from "@stashlight/contracts/planner";
import type { Prisma, Transaction } from "@stashlight/db";
import { planScenarioColumns } from "@stashlight/db/columns/plan-scenario";
import { checkRanges, checkStashPlanInput, type InputProblem } from "@stashlight/planner";

type Stored = Prisma.PlanScenarioGetPayload<object>;

export async function findScenario(
  tx: Pick<Transaction, "planScenario">,
  scenarioId: string,
): Promise<Stored> {
  const scenario = await tx.planScenario.findUnique({ where: { id: scenarioId } });
  if (scenario === null) throw new StashlightError("not_found", "There is no such plan.");
  return scenario;
}

/** Reads the scenario and locks it until the transaction ends, so that concurrent changes are serialised. */
export async function lockScenario(tx: Transaction, scenarioId: string): Promise<Stored> {
  await tx.$queryRaw`SELECT id FROM plan_scenario WHERE id = ${scenarioId}::uuid FOR UPDATE`;
  return findScenario(tx, scenarioId);
}

interface Asked {
  readonly input: unknown;
  readonly ranges: readonly unknown[];
  readonly aroundShare: number;
  readonly loadMeasuredSeconds: number | null;
  readonly note: string;
}

/** Checks the input as the page does before it computes, so that a stored scenario can be computed. */
export function checkedPlan({ input, ranges, aroundShare, loadMeasuredSeconds, note }: Asked) {
  const plan = checkStashPlanInput(input);
  if (plan.input === null) throw refused("input", plan.problems);
  const drawn = checkRanges(ranges);
  if (drawn.ranges === null) throw refused("ranges", drawn.problems);
  return {
    note,
    aroundShare,
    loadMeasuredSeconds,
    input: planScenarioColumns.input.write({ ...plan.input }),
    ranges: planScenarioColumns.ranges.write(drawn.ranges.map((range) => ({ ...range }))),
  };
}

function refused(name: string, [first]: readonly InputProblem[]): StashlightError {
  return new StashlightError("invalid_input", first?.message ?? "The plan could not be read.", {
    field: first === undefined || first.field === "" ? name : `${name}.${first.field}`,
  });
}

/** Returns the stored inputs, validated. */
export const toAskedPlan = ({ id, input, ranges, aroundShare, loadMeasuredSeconds }: Stored): AskedPlan => ({
  input: planScenarioColumns.input.read(input, id),
  ranges: planScenarioColumns.ranges.read(ranges, id),
  aroundShare,
  loadMeasuredSeconds,
});

export const toScenarioRow = (scenario: Omit<Stored, keyof AskedPlan | "createdById">): ScenarioRow => ({
  id: scenario.id,
  name: scenario.name,
  note: scenario.note,
  isDefault: scenario.isDefault,
  createdAt: scenario.createdAt,
  createdByName: scenario.createdByName,
  updatedAt: scenario.updatedAt,
  updatedByName: scenario.updatedByName,
});

export const scenarioTarget = ({ id, name }: Pick<Stored, "id" | "name">) => ({ kind: "plan", id, name });

/** Fields that are logged: all of them, under the names of the input. */
export const scenarioAudit = ({
  name,
  note,
  input,
  ranges,
  aroundShare,
  loadMeasuredSeconds,
}: Pick<Stored, "name" | "note" | keyof AskedPlan>) => ({
  name,
  note,
  input: JSON.stringify(input),
  ranges: JSON.stringify(ranges),
  aroundShare,
  loadMeasuredSeconds,
});
