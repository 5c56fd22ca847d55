import { benchmarkBucket, demoBucket } from "@stashlight/contracts/upload";
import {
  type FirstStepName,
  type FirstSteps,
  firstStepNames,
  roleIncludes,
  roleOfFirstStep,
} from "@stashlight/contracts/user";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { findUploadElsewhere } from "@stashlight/db/metrics";
import { type Context, requireRole } from "../context.ts";
import type { Core } from "../core.ts";

/** Lists the steps that the reader can take, and which of them any user has completed. */
export async function readFirstSteps({ ctx }: { ctx: Context }): Promise<FirstSteps> {
  const { userId, role } = requireRole(ctx, "viewer");
  const { platform } = ctx;
  const { firstStepsHiddenAt } = await platform.db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { firstStepsHiddenAt: true },
  });
  const names = firstStepNames.filter((name) => roleIncludes(role, roleOfFirstStep[name]));
  const isHidden = firstStepsHiddenAt !== null;
  if (isHidden || names.length === 0) return { isHidden, steps: [], ownUploadId: null };
  const ownUploadId = await findOwnUpload(platform);
  const steps = await Promise.all(
    names.map(async (name) => ({ name, isDone: await isDone[name](platform, ownUploadId) })),
  );
  return { isHidden, steps, ownUploadId };
}

type IsDone = (platform: Core, ownUploadId: string | null) => Promise<boolean>;

const isDone: Record<FirstStepName, IsDone> = {
  vault: async ({ db }) =>
    (await db.node.count({
      where: {
        role: { in: ["coordinator", "pod", "stash"] },
        status: "active",
        isSimulated: false,
        lastSeenAt: { not: null },
      },
    })) > 0,
  upload: hasOwnUpload,
  endpoint: hasUsableEndpoint,
  benchmark: async ({ db }) =>
    (await db.scheduleRun.count({
      where: { state: "succeeded", trigger: "manual", schedule: { plan: { isNot: null } } },
    })) > 0 ||
    (await db.benchmarkRun.count({ where: { state: "succeeded", plan: { builtInKey: null } } })) > 0,
  channel: async ({ db }) => (await db.alertChannel.count({ where: { lastDeliveredAt: { not: null } } })) > 0,
  colleague: async ({ db }) =>
    (await db.user.count()) > 1 || (await db.oneTimeLink.count({ where: { purpose: "invitation" } })) > 0,
  plan: async ({ db }) => (await db.planScenario.count()) > 0,
};

/** A connection test without findings failed before it wrote anything. */
async function hasUsableEndpoint({ db }: Core): Promise<boolean> {
  const endpoints = await db.endpoint.findMany({
    where: { builtInKey: null, kind: { not: "drive" } },
    select: { id: true, lastCheck: true },
  });
  return endpoints.some(
    ({ id, lastCheck }) => (endpointColumns.lastCheck.readOrNull(lastCheck, id)?.findings.length ?? 0) > 0,
  );
}

/** Traces of uploads are kept only for days, so a completed step is recorded when first seen. */
async function hasOwnUpload({ db, now }: Core, ownUploadId: string | null): Promise<boolean> {
  if ((await db.firstStep.count({ where: { name: "upload" } })) > 0) return true;
  if (ownUploadId === null) return false;
  await db.firstStep.createMany({ data: { name: "upload", doneAt: now() }, skipDuplicates: true });
  return true;
}

/** The newest traced upload that is neither the demo's nor a benchmark's. */
async function findOwnUpload({ db, metrics }: Core): Promise<string | null> {
  const endpoints = await db.endpoint.findMany({ select: { bucket: true } });
  return findUploadElsewhere(metrics, [
    demoBucket,
    benchmarkBucket,
    ...endpoints.map(({ bucket }) => bucket),
  ]);
}
