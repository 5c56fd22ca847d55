import type { rotateEndpointCredentialsInput } from "@stashlight/contracts/endpoint";
import { Prisma } from "@stashlight/db";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { refuseOtherCredentials, sealSecretAccessKey } from "./credentials.ts";
import { endpointKeyAudit, lockEndpoint, refuseBuiltIn } from "./stored-endpoint.ts";

/** Replaces an endpoint's credentials. A run in progress continues with the key that it began with. */
export async function rotateEndpointCredentials({
  ctx,
  input,
}: Verb<typeof rotateEndpointCredentialsInput>): Promise<void> {
  requireRole(ctx, "admin");
  const { endpointId, credentials } = input;
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await lockEndpoint(tx, endpointId);
    refuseBuiltIn(before);
    refuseOtherCredentials(endpointColumns.storeKind.read(before.kind, endpointId), credentials);
    const after = await tx.endpoint.update({
      where: { id: endpointId },
      data: {
        accessKeyId: credentials.accessKeyId,
        ...sealSecretAccessKey(ctx.platform.options.secret, endpointId, credentials.secretAccessKey),
        lastCheck: Prisma.DbNull,
        updatedAt: ctx.platform.now(),
      },
    });
    await writeAudit(tx, ctx, {
      action: "endpoint.credentials_rotated",
      target: { kind: "endpoint", id: endpointId, name: after.name },
      before: endpointKeyAudit(before),
      after: endpointKeyAudit(after),
    });
  });
}
