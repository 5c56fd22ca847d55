import { StashlightError } from "@stashlight/contracts/errors";
import { type ObjectName, objectQuestionVaultsMax } from "@stashlight/contracts/object-location";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";

/** Asks every vault with a coordinator, because a bucket's name does not identify its vault. */
export async function locateObject({ ctx, input }: Verb<ObjectName>): Promise<{ askId: string }> {
  const { userId } = requireRole(ctx, "operator");
  const { bucket, key } = input;
  const askId = newId();
  await ctx.platform.db.$transaction(async (tx) => {
    const coordinators = await tx.node.findMany({
      where: { role: "coordinator", status: "active", isSimulated: false },
      distinct: ["vault"],
      orderBy: { vault: "asc" },
      take: objectQuestionVaultsMax,
      select: { vault: true },
    });
    if (coordinators.length === 0) {
      throw new StashlightError(
        "precondition_failed",
        "No coordinator has enrolled that could answer. Enrol one under Nodes first.",
      );
    }
    const askedAt = ctx.platform.now();
    await tx.objectQuestion.createMany({
      data: coordinators.map(({ vault }) => ({
        id: newId(),
        askId,
        vault,
        bucket,
        key,
        askedById: userId,
        askedAt,
      })),
    });
    await writeAudit(tx, ctx, {
      action: "object.located",
      target: { kind: "object", id: askId, name: `${bucket}/${key}` },
      after: { vaults: coordinators.map(({ vault }) => vault) },
    });
  });
  return { askId };
}
