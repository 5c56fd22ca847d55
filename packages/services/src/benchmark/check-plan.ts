/** What makes a plan one that can run: checked before it is written. */
import { isS3Kind } from "@stashlight/contracts/benchmark/endpoint-kind";
import type { createBenchmarkPlanInput } from "@stashlight/contracts/benchmark/plan";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import type { z } from "zod";
import { statementsIn } from "../statements-in.ts";
import { completeMethod, requiresS3, titleOf } from "./method.ts";
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
  const unpriced = found.find(({ priceList }) => priceList === null);
  if (input.budgetPerMonth !== null && unpriced !== undefined) {
    throw new StashlightError(
      "invalid_input",
      `A budget needs prices, and the endpoint "${unpriced.name}" has no price list; give it one, or leave the budget empty.`,
      { field: "budgetPerMonth" },
    );
  }
  const reason = await whyVantageIsUnusable(statementsIn(tx), input.vantageNodeId);
  if (reason !== null) throw new StashlightError("invalid_input", reason, { field: "vantageNodeId" });
  return method;
}
