import type { FsyncProbes, ProbeDrive } from "@stashlight/contracts/probe";
import { requireRole, type Verb } from "../context.ts";
import { toFsyncProbeRow } from "./fsync-probe-row.ts";

const listedMax = 20;

/** Lists a drive's measurements, and the probes that can measure it. */
export async function listFsyncProbes({ ctx, input }: Verb<ProbeDrive>): Promise<FsyncProbes> {
  requireRole(ctx, "viewer");
  const { db } = ctx.platform;
  const drive = { nodeName: input.node, device: input.device };
  const [serving, probes] = await Promise.all([
    db.probeDrive.findMany({
      where: { ...drive, probeNode: { status: "active" } },
      select: { probeNode: { select: { name: true } } },
    }),
    db.fsyncProbe.findMany({ where: drive, orderBy: { requestedAt: "desc" }, take: listedMax }),
  ]);
  return {
    servedBy: serving.map(({ probeNode }) => probeNode.name).sort(),
    probes: probes.map(toFsyncProbeRow),
  };
}
