/** What makes a plan one that can run: checked before it is written. */
import { isS3Kind } from "@stashlight/contracts/benchmark/endpoint-kind";
import type { createBenchmarkPlanInput } from "@stashlight/contracts/benchmark/plan";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import type { z } from "zod";
import { statementsIn } from "../statements-in.ts";
import { completeMethod, requiresS3, slotCostOf, titleOf } from "./method.ts";
import { dollars } from "./money.ts";
import { checkRecurrence } from "./recurrence.ts";
import { whyVantageIsUnusable } from "./vantage.ts";

type PlanFields = z.output<typeof createBenchmarkPlanInput>;

/** Returns the method with every parameter filled in, as it is kept. */
export async function checkPlan(
  tx: Pick<Transaction, "endpoint" | "$queryRawUnsafe">,
  input: PlanFields,
  now: Date,
): Promise<PlanFields["method"]> {
  checkRecurrence(input, now);
  const method = completeMethod(input.method);
  const found = await tx.endpoint.findMany({
    where: { id: { in: input.endpointIds } },
    select: { id: true, name: true, kind: true, priceList: true },
  });
  if (found.length < input.endpointIds.length) {
    throw new StashlightError("not_found", "One of the endpoints is gone; choose again.", {
      field: "endpointIds",
    });
  }
  const other = found.find(({ id, kind }) => !isS3Kind(endpointColumns.kind.read(kind, id)));
  if (other !== undefined && requiresS3(method)) {
    throw new StashlightError(
      "invalid_input",
      `"${titleOf(method)}" measures stores that speak S3, and "${other.name}" does not; choose another method or leave that endpoint out.`,
      { field: "method.name" },
    );
  }
  checkMoney(input, method, found);
  const reason = await whyVantageIsUnusable(statementsIn(tx), input.vantageNodeId);
  if (reason !== null) throw new StashlightError("invalid_input", reason, { field: "vantageNodeId" });
  return method;
}

/** A limit that nothing could be held to is refused, and so is one that not even the first slot would keep. */
function checkMoney(
  { budgetPerMonth, costPerSlotMax }: PlanFields,
  method: PlanFields["method"],
  endpoints: readonly { id: string; name: string; priceList: unknown }[],
): void {
  const unpriced = endpoints.find(({ priceList }) => priceList === null);
  if (budgetPerMonth !== null && unpriced !== undefined) {
    throw new StashlightError(
      "invalid_input",
      `A budget needs prices, and the endpoint "${unpriced.name}" has no price list; give it one, or leave the budget empty.`,
      { field: "budgetPerMonth" },
    );
  }
  if (costPerSlotMax === null) return;
  const field = "costPerSlotMax";
  if (unpriced !== undefined) {
    throw new StashlightError(
      "invalid_input",
      `The limit per slot cannot be checked for the endpoint "${unpriced.name}", which has no price list; give it one, or leave the limit empty.`,
      { field },
    );
  }
  const cost = slotCostOf(method, endpoints);
  if (cost === null || cost <= costPerSlotMax) return;
  throw new StashlightError(
    "invalid_input",
    `One slot is estimated to cost ${dollars(cost)}, and at most ${dollars(costPerSlotMax)} is allowed; raise the limit, or measure less.`,
    { field },
  );
}
