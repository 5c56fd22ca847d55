import { StashlightError } from "@stashlight/contracts/errors";
import type { LiveInputs, LiveInputsQuestion } from "@stashlight/contracts/planner";
import { requireRole, type Verb } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { type NodesOf, readAddVault } from "./live/add-vault.ts";
import { readFsyncRate } from "./live/fsync-rate.ts";
import { type Scope, unknown } from "./live/metric-sources.ts";
import { readScheme } from "./live/scheme.ts";
import { readPool, readResidence, readShardsPerCommit, readWriteAmplification } from "./live/stash.ts";
import {
  meanUploadsPerSecond,
  peakFactor,
  readMix,
  readUploads,
  readYearlyGrowth,
} from "./live/upload-load.ts";

/**
 * Reads the fields of a plan that a vault's metrics determine: each figure with its source, or the reason why there is
 * none.
 */
export async function liveInputs({ ctx, input }: Verb<LiveInputsQuestion, WithMerger>): Promise<LiveInputs> {
  requireRole(ctx, "viewer");
  const { fromMs, toMs } = input;
  const nodes = await ctx.platform.db.node.findMany({
    where: { status: { not: "revoked" } },
    select: { id: true, vault: true, role: true, isSimulated: true, lastSeenAt: true },
  });
  const byVault = Map.groupBy(nodes, ({ vault }) => vault);
  const vaults = [...byVault]
    .map(([name, members]) => ({
      name,
      isSimulated: members.every(({ isSimulated }) => isSimulated),
      rolesHeardOf: rolesHeard(members, fromMs),
    }))
    .sort(
      (a, b) =>
        Number(a.isSimulated) - Number(b.isSimulated) ||
        b.rolesHeardOf - a.rolesHeardOf ||
        (a.name < b.name ? -1 : 1),
    )
    .map(({ name, isSimulated }) => ({ name, isSimulated }));
  const vault = input.vault ?? vaults[0]?.name;
  const answeredAtMs = () => ctx.platform.now().getTime();
  if (vault === undefined) return { ...nothing, vaults, fromMs, toMs, answeredAtMs: answeredAtMs() };
  const nodeIds = byVault.get(vault)?.map(({ id }) => id);
  if (nodeIds === undefined) throw new StashlightError("not_found", `There is no vault "${vault}".`);
  const nodesOf: NodesOf = (name) => byVault.get(name)?.map(({ id }) => id) ?? [];
  const figures = await readAll({ ctx, nodeIds, fromMs, toMs }, vault, nodesOf);
  return { vault, vaults, fromMs, toMs, answeredAtMs: answeredAtMs(), ...figures };
}

/** A plan needs both sides: uploads come from coordinators, the pool and its purges from stash servers. */
function rolesHeard(
  members: readonly { readonly role: string; readonly lastSeenAt: Date | null }[],
  fromMs: number,
): number {
  const isRoleHeard = (wanted: string) =>
    members.some(({ role, lastSeenAt }) => role === wanted && (lastSeenAt?.getTime() ?? 0) >= fromMs);
  return Number(isRoleHeard("coordinator")) + Number(isRoleHeard("stash"));
}

type Figures = Omit<LiveInputs, "vault" | "vaults" | "fromMs" | "toMs" | "answeredAtMs">;

async function readAll(scope: Scope, vault: string, nodesOf: NodesOf): Promise<Figures> {
  // Sequential, because each of these queries several metrics of a day, and concurrent ones would take every connection
  // of the pool.
  const { uploads, residence, ...rest } = {
    uploads: await readUploads(scope),
    residence: await readResidence(scope),
    growthPerYear: await readYearlyGrowth(scope),
    objects: await readMix(scope),
    fsyncPerSecond: await readFsyncRate(scope, vault),
    shardsPerCommit: await readShardsPerCommit(scope),
    logWriteAmplification: await readWriteAmplification(scope),
    scheme: await readScheme(scope),
    installed: await readPool(scope),
    addVault: await readAddVault(scope, vault, nodesOf),
  };
  return {
    uploadsPerSecond: meanUploadsPerSecond(scope, uploads),
    peakFactor: peakFactor(scope, uploads),
    ...residence,
    ...rest,
  };
}

const noNode = "No node has enrolled yet.";
const nothing: Figures & Pick<LiveInputs, "vault"> = {
  vault: null,
  uploadsPerSecond: unknown(noNode),
  peakFactor: unknown(noNode),
  growthPerYear: unknown(noNode),
  objects: unknown(noNode),
  residenceSecondsMean: unknown(noNode),
  residenceSecondsP99: unknown(noNode),
  fsyncPerSecond: unknown(noNode),
  shardsPerCommit: unknown(noNode),
  logWriteAmplification: unknown(noNode),
  scheme: unknown(noNode),
  installed: unknown(noNode),
  addVault: unknown(noNode),
};
