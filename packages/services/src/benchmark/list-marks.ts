import type { BenchmarkMark, listBenchmarkMarksInput } from "@stashlight/contracts/benchmark";
import { localVaultName } from "@stashlight/contracts/vault";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { statementsIn } from "../statements-in.ts";

/**
 * Leaves out slots that were planned more than a day before the range. The condition is on the planned time because
 * that column is indexed, and a plan keeps its slots for years.
 */
const marksSql = `
  SELECT p.id AS "planId", p.name AS "planName", s.planned_at AS "plannedAt", s.started_at AS "startedAt",
         s.finished_at AS "finishedAt", array_agg(DISTINCT r.endpoint_id) AS "endpointIds"
    FROM schedule_run AS s
    JOIN benchmark_plan AS p ON p.schedule_id = s.schedule_id
    JOIN benchmark_run AS r ON r.plan_id = p.id AND r.slot_at = s.planned_at AND r.state = 'succeeded'
                           AND r.endpoint_id = ANY($4::uuid[])
   WHERE s.state = 'succeeded' AND s.planned_at >= $1::timestamptz - interval '1 day'
     AND s.started_at < $2::timestamptz AND s.finished_at >= $1::timestamptz
   GROUP BY p.id, s.schedule_id, s.planned_at
   ORDER BY s.started_at DESC, p.id LIMIT $3::integer`;

/** Lists successful slots of a time range that loaded a vault, newest first: they may explain the vault's figures. */
export async function listBenchmarkMarks({
  ctx,
  input,
}: Verb<typeof listBenchmarkMarksInput>): Promise<BenchmarkMark[]> {
  requireRole(ctx, "viewer");
  const { fromMs, toMs, pageSize } = input;
  const vaultsOf = await findVaultsOfEndpoints(ctx.platform);
  if (vaultsOf.size === 0) return [];
  const rows = await statementsIn(ctx.platform.db).query<
    Omit<BenchmarkMark, "vaults"> & { endpointIds: string[] }
  >(marksSql, [new Date(fromMs), new Date(toMs), pageSize, [...vaultsOf.keys()]]);
  return rows.map(({ endpointIds, ...slot }) => ({
    ...slot,
    vaults: [...new Set(endpointIds.flatMap((id) => vaultsOf.get(id) ?? []))],
  }));
}

/**
 * Maps endpoints to the names of their vaults: built-in ones to the local vault, and those of any kind at an S3 address
 * that a coordinator reports to that coordinator's vault. Endpoints of kind "vault" at other addresses have no names.
 */
async function findVaultsOfEndpoints({ db }: Pick<Core, "db">): Promise<Map<string, string[]>> {
  const [endpoints, coordinators] = await Promise.all([
    db.endpoint.findMany({ select: { id: true, kind: true, url: true, builtInKey: true } }),
    db.node.findMany({
      where: { role: "coordinator", status: "active", s3Url: { not: null } },
      select: { vault: true, s3Url: true },
    }),
  ]);
  const byPlace = Map.groupBy(coordinators, ({ s3Url }) => urlHost(s3Url ?? ""));
  return new Map(
    endpoints.flatMap(({ id, kind, url, builtInKey }): [string, string[]][] => {
      const served = byPlace.get(urlHost(url)) ?? [];
      const vaults = new Set(served.map(({ vault }) => vault));
      if (builtInKey !== null) vaults.add(localVaultName);
      return vaults.size > 0 || kind === "vault" ? [[id, [...vaults]]] : [];
    }),
  );
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "[::1]", "127.0.0.1"]);

/** Returns host and port, the same for all names of this machine; null if the address is not a URL, as for drives. */
function urlHost(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname, port, protocol } = new URL(url);
  return `${LOOPBACK_NAMES.has(hostname) ? "loopback" : hostname}:${port || protocol}`;
}
