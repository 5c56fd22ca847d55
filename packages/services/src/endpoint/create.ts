import type { createEndpointInput } from "@stashlight/contracts/endpoint";
import { Prisma } from "@stashlight/db";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { refuseTakenName } from "../taken-name.ts";
import { sealSecretAccessKey } from "./credentials.ts";
import { endpointAudit, refuseBadCertificates } from "./stored-endpoint.ts";

/** Creates an endpoint. Sends nothing to it; the connection test does that. */
export async function createEndpoint({
  ctx,
  input,
}: Verb<typeof createEndpointInput>): Promise<{ endpointId: string }> {
  requireRole(ctx, "admin");
  const { credentials, priceList, ...fields } = input;
  refuseBadCertificates(fields.caPem);
  const endpointId = newId();
  const now = ctx.platform.now();
  await ctx.platform.db.$transaction(async (tx) => {
    await refuseTakenName(tx.endpoint, "An endpoint", fields.name, null);
    const endpoint = await tx.endpoint.create({
      data: {
        id: endpointId,
        ...fields,
        url: new URL(fields.url).origin,
        priceList: priceList === null ? Prisma.DbNull : endpointColumns.priceList.write(priceList),
        accessKeyId: credentials.accessKeyId,
        ...sealSecretAccessKey(ctx.platform.options.secret, endpointId, credentials.secretAccessKey),
        createdAt: now,
        updatedAt: now,
      },
    });
    await writeAudit(tx, ctx, {
      action: "endpoint.created",
      target: { kind: "endpoint", id: endpointId, name: endpoint.name },
      after: endpointAudit(endpoint),
    });
  });
  return { endpointId };
}
