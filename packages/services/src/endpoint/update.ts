import {
  isS3Kind,
  type PriceList,
  type StoreKind,
  type updateEndpointInput,
} from "@stashlight/contracts/endpoint";
import { StashlightError } from "@stashlight/contracts/errors";
import { Prisma, type Transaction } from "@stashlight/db";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { refuseTakenName } from "../taken-name.ts";
import { endpointAudit, lockEndpoint, refuseBadCertificates, refuseBuiltIn } from "./stored-endpoint.ts";
import type { StoredEndpoint } from "./target.ts";

const placeFields = ["url", "region", "bucket", "prefix", "addressing", "caPem"] as const;

/**
 * Updates everything except the access key. The result of a connection test is deleted if the endpoint now leads to
 * another place.
 */
export async function updateEndpoint({ ctx, input }: Verb<typeof updateEndpointInput>): Promise<void> {
  requireRole(ctx, "admin");
  const { endpointId, priceList, ...rest } = input;
  const fields = { ...rest, url: new URL(rest.url).origin };
  refuseBadCertificates(fields.caPem);
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await lockEndpoint(tx, endpointId);
    refuseBuiltIn(before);
    refuseOtherHost(before, fields);
    await refuseTakenName(tx.endpoint, "An endpoint", fields.name, endpointId);
    await refuseLostPrices(tx, endpointId, priceList);
    const isElsewhere = placeFields.some((field) => before[field] !== fields[field]);
    const after = await tx.endpoint.update({
      where: { id: endpointId },
      data: {
        ...fields,
        priceList: priceList === null ? Prisma.DbNull : endpointColumns.priceList.write(priceList),
        ...(isElsewhere ? { lastCheck: Prisma.DbNull } : {}),
        updatedAt: ctx.platform.now(),
      },
    });
    await writeAudit(tx, ctx, {
      action: "endpoint.changed",
      target: { kind: "endpoint", id: endpointId, name: after.name },
      before: endpointAudit(before),
      after: endpointAudit(after),
    });
  });
}

/**
 * A shared access signature and an access token are sent as they are, so a new host would receive them. Only S3
 * endpoints can therefore change their kind or address.
 */
function refuseOtherHost(
  before: StoredEndpoint,
  { kind, url }: { readonly kind: StoreKind; readonly url: string },
): void {
  const isSame = before.kind === kind && before.url === url;
  if (isSame || (isS3Kind(kind) && isS3Kind(endpointColumns.storeKind.read(before.kind, before.id)))) return;
  throw new StashlightError(
    "conflict",
    "The kind and the address of an Azure or Google endpoint stay as they are, because its secret would be sent to the new one; add another endpoint.",
    { field: before.kind === kind ? "url" : "kind" },
  );
}

/** Without prices, spending would not count against any limit. */
async function refuseLostPrices(
  tx: Pick<Transaction, "benchmarkPlan">,
  endpointId: string,
  priceList: PriceList | null,
): Promise<void> {
  if (priceList !== null) return;
  const plan = await tx.benchmarkPlan.findFirst({
    where: {
      OR: [{ budgetPerMonth: { not: null } }, { costPerSlotMax: { not: null } }],
      endpoints: { some: { endpointId } },
    },
    select: { name: true, budgetPerMonth: true },
  });
  if (plan === null) return;
  const what = plan.budgetPerMonth === null ? "limit per slot" : "budget";
  throw new StashlightError(
    "conflict",
    `The schedule "${plan.name}" has a ${what}, which needs prices; keep the price list, or remove the ${what}.`,
    { field: "priceList" },
  );
}
