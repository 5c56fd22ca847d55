import { StashlightError } from "@stashlight/contracts/errors";
import { Prisma, type Transaction } from "@stashlight/db";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { openSecretAccessKey, sealSecretAccessKey } from "./credentials.ts";
import { endpointAudit, lockEndpoint, refuseBuiltIn } from "./stored-endpoint.ts";
import type { StoredEndpoint } from "./target.ts";

const NAME_LENGTH_MAX = 100;
/** Limited because more duplicates of an endpoint have no use. */
const DUPLICATES_MAX = 9;

/**
 * Gives an endpoint's store a second name, with the same address and access key, so that a schedule can measure one
 * store against itself. Returns an existing second name.
 */
export async function duplicateEndpoint({
  ctx,
  input: { endpointId },
}: Verb<{ endpointId: string }>): Promise<{ endpointId: string }> {
  requireRole(ctx, "admin");
  const { db, now, options } = ctx.platform;
  return db.$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId);
    refuseBuiltIn(endpoint);
    const known = await findDuplicate(tx, endpoint);
    if (known !== null) return { endpointId: known.id };
    const id = newId();
    const { kind, url, region, bucket, prefix, addressing, caPem, priceList, label, accessKeyId } = endpoint;
    const duplicate = await tx.endpoint.create({
      data: {
        id,
        name: await freeName(tx, endpoint.name),
        kind,
        url,
        region,
        bucket,
        prefix,
        addressing,
        caPem,
        label,
        accessKeyId,
        priceList: priceList ?? Prisma.DbNull,
        ...sealSecretAccessKey(options.secret, id, openSecretAccessKey(options.secret, endpoint)),
        createdAt: now(),
        updatedAt: now(),
      },
    });
    await writeAudit(tx, ctx, {
      action: "endpoint.created",
      target: { kind: "endpoint", id, name: duplicate.name },
      after: endpointAudit(duplicate),
    });
    return { endpointId: id };
  });
}

const findDuplicate = (tx: Transaction, { id, kind, url, bucket, prefix, accessKeyId }: StoredEndpoint) =>
  tx.endpoint.findFirst({
    where: { id: { not: id }, kind, url, bucket, prefix, accessKeyId, builtInKey: null },
    orderBy: { createdAt: "asc" },
    select: { id: true },
  });

async function freeName(tx: Transaction, name: string): Promise<string> {
  for (let number = 1; number <= DUPLICATES_MAX; number += 1) {
    const end = number === 1 ? " (again)" : ` (again ${number})`;
    const free = `${name.slice(0, NAME_LENGTH_MAX - end.length)}${end}`;
    if ((await tx.endpoint.findUnique({ where: { name: free }, select: { id: true } })) === null) return free;
  }
  throw new StashlightError(
    "conflict",
    `There are already ${DUPLICATES_MAX} endpoints named "${name} (again)"; rename or delete one of them.`,
  );
}
