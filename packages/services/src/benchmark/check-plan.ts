/** Checks that a plan can run, before it is written. */

import type { createBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import { isS3Kind, type StoreKind } from "@stashlight/contracts/endpoint";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import type { z } from "zod";
import { statementsIn } from "../statements-in.ts";
import { completeMethod, estimatedSlotCost, measuresDrives, methodTitle, requiresS3 } from "./method.ts";
import { dollars } from "./money.ts";
import { checkRecurrence } from "./recurrence.ts";
import { whyVantageIsUnusable } from "./vantage.ts";

type PlanFields = z.output<typeof createBenchmarkPlanInput>;

/** Returns the method with every parameter filled in, as it is stored. */
export async function checkPlan(
  tx: Pick<Transaction, "endpoint" | "$queryRawUnsafe">,
  input: PlanFields,
  now: Date,
): Promise<PlanFields["method"]> {
  checkRecurrence(input, now);
  const method = completeMethod(input.method);
  const found = await tx.endpoint.findMany({
    where: { id: { in: input.endpointIds } },
    select: { id: true, name: true, kind: true, priceList: true, probeNodeId: true },
  });
  if (found.length < input.endpointIds.length) {
    throw new StashlightError("not_found", "One of the endpoints no longer exists; choose again.", {
      field: "endpointIds",
    });
  }
  const stores = refuseMixture(method, found);
  if (measuresDrives(method)) {
    refuseMoneyLimits(input);
    await refuseOtherVantage(tx, input.vantageNodeId, found);
    const unusable = await whyVantageIsUnusable(statementsIn(tx), input.vantageNodeId);
    if (unusable !== null) throw new StashlightError("invalid_input", unusable, { field: "vantageNodeId" });
    return method;
  }
  if (input.writtenBytesPerMonth !== null) {
    throw new StashlightError(
      "invalid_input",
      `A limit of written bytes is for drives, and "${methodTitle(method)}" measures object stores; leave it empty.`,
      { field: "writtenBytesPerMonth" },
    );
  }
  const other = stores.find(({ kind }) => !isS3Kind(kind));
  if (other !== undefined && requiresS3(method)) {
    throw new StashlightError(
      "invalid_input",
      `"${methodTitle(method)}" measures stores that speak S3, and "${other.name}" does not; choose another method or leave that endpoint out.`,
      { field: "method.name" },
    );
  }
  checkMoney(input, method, found);
  const reason = await whyVantageIsUnusable(statementsIn(tx), input.vantageNodeId);
  if (reason !== null) throw new StashlightError("invalid_input", reason, { field: "vantageNodeId" });
  return method;
}

type FoundEndpoint = Readonly<{ id: string; name: string; kind: string; probeNodeId: string | null }>;

/** Returns the stores among the endpoints: all of them or none, because a method measures either stores or drives. */
function refuseMixture(
  method: PlanFields["method"],
  found: readonly FoundEndpoint[],
): { name: string; kind: StoreKind }[] {
  const stores = found.flatMap(({ id, name, kind: stored }) => {
    const kind = endpointColumns.kind.read(stored, id);
    return kind === "drive" ? [] : [{ name, kind }];
  });
  const wantsDrives = measuresDrives(method);
  const wrong = wantsDrives
    ? stores[0]
    : found.find(({ name }) => stores.every((store) => store.name !== name));
  if (wrong === undefined) return stores;
  const [wanted, given] = wantsDrives ? ["drives", "an object store"] : ["object stores", "a drive"];
  throw new StashlightError(
    "invalid_input",
    `"${methodTitle(method)}" measures ${wanted}, but "${wrong.name}" is ${given}; choose another method or leave it out.`,
    { field: "method.name" },
  );
}

/** Measuring a drive costs no requests, so its limit is on bytes written. */
function refuseMoneyLimits({ budgetPerMonth, costPerSlotMax }: PlanFields): void {
  if (budgetPerMonth === null && costPerSlotMax === null) return;
  throw new StashlightError(
    "invalid_input",
    "Requests to a drive cost nothing; leave the budget empty and limit the written bytes.",
    { field: budgetPerMonth === null ? "costPerSlotMax" : "budgetPerMonth" },
  );
}

/** A drive is measured only by the probe on its own machine. */
async function refuseOtherVantage(
  tx: Pick<Transaction, "$queryRawUnsafe">,
  vantageNodeId: string | null,
  found: readonly FoundEndpoint[],
): Promise<void> {
  const other = found.find(({ probeNodeId }) => probeNodeId !== vantageNodeId);
  if (other === undefined) return;
  const [probe] = await statementsIn(tx).query<{ name: string }>(
    "SELECT name FROM node WHERE id = $1::uuid",
    [other.probeNodeId],
  );
  throw new StashlightError(
    "invalid_input",
    probe === undefined
      ? `The probe that measured "${other.name}" is gone, so nothing measures this drive; leave it out.`
      : `"${other.name}" is measured by the probe ${probe.name} on the same machine; choose that vantage point, and a separate schedule for each.`,
    { field: "vantageNodeId" },
  );
}

/** Refuses a limit that cannot be enforced, and one that not even the first slot would stay within. */
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
  const cost = estimatedSlotCost(method, endpoints);
  if (cost === null || cost <= costPerSlotMax) return;
  throw new StashlightError(
    "invalid_input",
    `One slot is estimated to cost ${dollars(cost)}, and at most ${dollars(costPerSlotMax)} is allowed; raise the limit, or measure less.`,
    { field },
  );
}
