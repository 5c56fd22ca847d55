/**
 * Makes the vault of `npm start` a benchmark target: an endpoint per upload path, and a plan that compares them, so
 * that a newcomer sees a comparison without any account.
 */
import type { Transaction } from "@stashlight/db";
import { benchmarkPlanColumns } from "@stashlight/db/columns/benchmark";
import { writeAudit } from "../audit/write.ts";
import { type Core, openCore } from "../core.ts";
import { openSecretAccessKey, sealSecretAccessKey } from "../endpoint/credentials.ts";
import { newId } from "../ids.ts";
import { completeMethod } from "./method.ts";
import { findPlan, planAudit, planScheduleName } from "./stored-plan.ts";

export interface LocalVaultKey {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface EnsureLocalBenchmarkOptions {
  databaseUrl: string;
  secret: string;
  publicUrl: string;
  /** The address of the vault's S3 endpoint. */
  url: string;
  region: string;
  bucket: string;
  /** Kind of the vault's drives: real or modelled. */
  label: "measured" | "modelled";
  /** Uploads to the first endpoint go through the stash; those to the second bypass it. */
  keys: { stash: LocalVaultKey; direct: LocalVaultKey };
}

const starter = { id: null, name: "npm start", role: null };
const endpointNames = { stash: "This vault: stash path", direct: "This vault: direct path" };
const paths = ["stash", "direct"] as const;
/** The vault is created after the plan, and may first have to allocate gigabytes of drives. */
const firstSlotAfterMs = 180_000;
const planKey = "local-stash-direct";
const plan = {
  name: "Stash against direct on this machine",
  description:
    "Uploads of 256 kB and 1 MB to the vault of this machine: answered when they are on the stash, or when they are on the pods' drives.",
  cron: "*/15 * * * *",
  // 60 samples are enough for a 95th percentile, and all fit into the vault at once.
  method: { name: "small-uploads", parameters: { repetitionCount: 60, pingCount: 20 } },
};

/**
 * Updates the endpoints at each startup. The plan is created only together with them, so that a deleted one stays
 * deleted.
 */
export async function ensureLocalBenchmark(options: EnsureLocalBenchmarkOptions): Promise<void> {
  const { databaseUrl, secret, publicUrl } = options;
  const platform = openCore({
    kind: "tool",
    dataDirectory: null,
    databaseUrl,
    secret,
    publicUrl,
  });
  try {
    await platform.db.$transaction(async (tx) => {
      const before = await tx.endpoint.count({ where: { builtInKey: { not: null } } });
      const endpointIds: string[] = [];
      for (const path of paths) endpointIds.push(await ensureEndpoint(tx, platform, path, options));
      if (before === 0) await createPlan(tx, platform, endpointIds);
    });
  } finally {
    await platform.close();
  }
}

async function ensureEndpoint(
  tx: Transaction,
  platform: Core,
  path: (typeof paths)[number],
  { url, region, bucket, label, keys }: EnsureLocalBenchmarkOptions,
): Promise<string> {
  const builtInKey = `local-${path}`;
  const found = await tx.endpoint.findUnique({ where: { builtInKey } });
  const id = found?.id ?? newId();
  const now = platform.now();
  const { accessKeyId, secretAccessKey } = keys[path];
  const named = { url, region, bucket, label, accessKeyId };
  const isUnchanged =
    found !== null &&
    found.url === url &&
    found.region === region &&
    found.bucket === bucket &&
    found.label === label &&
    found.accessKeyId === accessKeyId &&
    storedSecret(platform, found) === secretAccessKey;
  // A start without changes keeps `updatedAt`, because measurements since then prove that the endpoint can be used.
  const place = {
    ...named,
    ...sealSecretAccessKey(platform.options.secret, id, secretAccessKey),
    updatedAt: isUnchanged ? found.updatedAt : now,
  };
  await tx.endpoint.upsert({
    where: { id },
    create: {
      id,
      builtInKey,
      name: endpointNames[path],
      kind: "vault",
      prefix: "",
      addressing: "path",
      caPem: "",
      createdAt: now,
      ...place,
    },
    update: place,
  });
  return id;
}

/** Null if it was sealed with another secret of the installation. */
function storedSecret({ options }: Core, endpoint: { id: string; secretAccessKey: string }): string | null {
  try {
    return openSecretAccessKey(options.secret, endpoint);
  } catch {
    return null;
  }
}

async function createPlan(tx: Transaction, platform: Core, endpointIds: string[]): Promise<void> {
  const { name, description, cron, method } = plan;
  const planId = newId();
  const now = platform.now();
  await tx.schedule.create({
    data: {
      id: planId,
      kind: "benchmark",
      name: planScheduleName(name),
      description,
      cron,
      missedPolicy: "skip",
      plannedUntil: new Date(now.getTime() + firstSlotAfterMs),
    },
  });
  await tx.scheduleRun.create({
    data: {
      scheduleId: planId,
      plannedAt: now,
      trigger: "schedule",
      startAfter: new Date(now.getTime() + firstSlotAfterMs),
    },
  });
  await tx.benchmarkPlan.create({
    data: {
      id: planId,
      scheduleId: planId,
      builtInKey: planKey,
      name,
      description,
      method: benchmarkPlanColumns.method.write(completeMethod(method)),
      createdAt: now,
      updatedAt: now,
      endpoints: { create: endpointIds.map((endpointId, position) => ({ endpointId, position })) },
    },
  });
  const origin = { ipAddress: "local", userAgent: "npm start" };
  await writeAudit(
    tx,
    { platform, principal: null, origin },
    {
      action: "benchmark.plan_created",
      actor: starter,
      target: { kind: "benchmark plan", id: planId, name },
      after: planAudit(await findPlan(tx, planId)),
    },
  );
}
