import { StashlightError } from "@stashlight/contracts/errors";
import type { markDriveInput } from "@stashlight/contracts/failure-rate";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Marks a drive as failed, which counts as a failure of its model, as retired, which does not, or as in use again.
 * Repeating a mark changes nothing.
 */
export async function markDrive({
  ctx,
  input: { drive, state },
}: Verb<typeof markDriveInput>): Promise<{ driveId: string }> {
  const { name } = requireRole(ctx, "operator");
  const { db, now } = ctx.platform;
  return db.$transaction(async (tx) => {
    const found = await tx.fleetDrive.findMany({
      where: UUID.test(drive) ? { id: drive } : { serial: drive },
      take: 2,
    });
    const [first, second] = found;
    if (first === undefined) {
      throw new StashlightError(
        "not_found",
        `No drive of the fleet has the serial number ${drive}. HDDs are recorded once an hour, while their machines report them.`,
        { field: "drive" },
      );
    }
    if (second !== undefined) {
      throw new StashlightError(
        "conflict",
        `Drives of several models have the serial number ${drive}; mark the one that you mean by its id.`,
        { field: "drive" },
      );
    }
    if (first.state === state) return { driveId: first.id };
    await tx.fleetDrive.update({
      where: { id: first.id },
      data: { state, markedBy: name, markedAt: now() },
    });
    await writeAudit(tx, ctx, {
      action: "drive.marked",
      target: { kind: "drive", id: first.id, name: `${first.model} ${first.serial}`.trim() },
      before: { state: first.state },
      after: { state },
    });
    return { driveId: first.id };
  });
}
