import { StashlightError } from "@stashlight/contracts/errors";
import type { ProbeDrive } from "@stashlight/contracts/probe";
import type { Transaction } from "@stashlight/db";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";

/** Age after which a request expires, so that a dead or absent probe does not block new measurements. */
const givenUpAfterMs = 600_000;

/** Requests a measurement, which the probe takes with its next poll, within seconds if it is alive. */
export async function requestFsyncProbe({ ctx, input }: Verb<ProbeDrive>): Promise<{ probeId: string }> {
  const { userId, name } = requireRole(ctx, "operator");
  const { platform } = ctx;
  return platform.db.$transaction(async (tx) => {
    const vault = await lockNode(tx, input.node);
    const now = platform.now();
    await giveUpOld(tx, input, now);
    const underWay = await tx.fsyncProbe.count({
      where: { nodeName: input.node, device: input.device, state: { in: ["queued", "running"] } },
    });
    if (underWay > 0) {
      throw new StashlightError("conflict", `${input.device} on ${input.node} is already being measured.`);
    }
    const serving = await tx.probeDrive.findFirst({
      where: { nodeName: input.node, device: input.device, probeNode: { vault, status: "active" } },
      orderBy: { probeNode: { lastSeenAt: { sort: "desc", nulls: "last" } } },
      select: { probeNode: { select: { id: true, name: true } } },
    });
    if (serving === null) {
      throw new StashlightError(
        "precondition_failed",
        `No probe writes to ${input.device} of ${input.node}; start one on its machine that names the drive with --drives.`,
      );
    }
    const id = newId();
    const { probeNode } = serving;
    await tx.fsyncProbe.create({
      data: {
        id,
        vault,
        nodeName: input.node,
        device: input.device,
        state: "queued",
        probeNodeId: probeNode.id,
        probeName: probeNode.name,
        requestedById: userId,
        requestedByName: name,
        requestedAt: now,
      },
    });
    await writeAudit(tx, ctx, {
      action: "fsync_probe.requested",
      target: { kind: "drive", id, name: `${input.node}/${input.device}` },
      after: { probe: probeNode.name },
    });
    return { probeId: id };
  });
}

/** Serialises requests for drives of one node, so that no drive is measured twice at a time. */
async function lockNode(tx: Transaction, name: string): Promise<string> {
  const [node] = await tx.$queryRaw<{ vault: string }[]>`
    SELECT vault FROM node WHERE name = ${name} FOR UPDATE`;
  if (node === undefined) throw new StashlightError("not_found", `There is no node ${name}.`);
  return node.vault;
}

async function giveUpOld(tx: Transaction, { node, device }: ProbeDrive, now: Date): Promise<void> {
  await tx.fsyncProbe.updateMany({
    where: {
      nodeName: node,
      device,
      state: { in: ["queued", "running"] },
      requestedAt: { lt: new Date(now.getTime() - givenUpAfterMs) },
    },
    data: { state: "failed", endedAt: now, sentence: "The probe did not report within 10 minutes." },
  });
}
