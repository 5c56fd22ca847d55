/** Sources of a forecast. Each is read separately, so a failure leaves only its own figure empty. */
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { StoreProfile } from "@stashlight/contracts/health";
import { HOUR_MS } from "@stashlight/contracts/time";
import {
  readRollUpLags,
  readRowRate,
  readStorageProfile,
  readTableSizes,
  type TableSizes,
} from "@stashlight/db/metrics";
import { allNamed } from "../../all-named.ts";
import type { Core } from "../../core.ts";
import { thrownCode } from "../../thrown.ts";
import type { ForecastInput, Lifetime } from "./forecast.ts";

export interface Nodes {
  readonly lifetimes: readonly Lifetime[];
  readonly simulatedCount: number;
}

/** Each source is null if it could not be read. */
export interface Sources {
  readonly profile: StoreProfile | null;
  readonly nodes: Nodes | null;
  readonly rate: { readonly rowsPerSecond: number; readonly nodeCount: number } | null;
  readonly sizes: TableSizes | null;
  readonly lagsSeconds: readonly number[] | null;
  /** Known only for the bundled Postgres, which is in this console's data folder; otherwise undefined. */
  readonly disk: ForecastInput["disk"] | undefined;
}

export function readSources(core: Core): Promise<Sources> {
  const { metrics, now } = core;
  const since = new Date(now().getTime() - HOUR_MS);
  const profile = orNull(readStorageProfile(metrics));
  return allNamed({
    profile,
    nodes: orNull(readNodes(core)),
    rate: orNull(readRowRate(metrics, since)),
    sizes: profile.then((read) => (read === null ? null : orNull(readTableSizes(metrics, read)))),
    lagsSeconds: orNull(readRollUpLags(metrics, since).then((lags) => lags.map((ms) => ms / 1000))),
    disk: diskOfPostgres(core),
  });
}

const orNull = <Read>(reading: Promise<Read>): Promise<Read | null> => reading.catch(() => null);

async function readNodes({ db, now }: Core): Promise<Nodes> {
  const nodes = await db.node.findMany({
    where: { status: { in: ["active", "revoked"] } },
    select: {
      isSimulated: true,
      status: true,
      createdAt: true,
      lastSeenAt: true,
      keys: { select: { revokedAt: true } },
    },
  });
  const lifetimes = nodes.flatMap(({ isSimulated, status, createdAt, lastSeenAt, keys }): Lifetime[] => {
    if (isSimulated) return [];
    const endsMs = keys.map(({ revokedAt }) => revokedAt?.getTime() ?? 0);
    const endMs = Math.max(createdAt.getTime(), lastSeenAt?.getTime() ?? 0, ...endsMs);
    // The database's clock may be ahead of this process's.
    const firstMs = Math.min(createdAt.getTime(), now().getTime());
    return [{ firstMs, endMs: status === "revoked" ? endMs : null }];
  });
  return { lifetimes, simulatedCount: nodes.filter(({ isSimulated }) => isSimulated).length };
}

async function diskOfPostgres({ options }: Core): Promise<Sources["disk"]> {
  if (options.dataDirectory === null) return;
  const folder = join(options.dataDirectory, "postgres");
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, capacityBytes: blocks * bsize };
  } catch (error) {
    return thrownCode(error) === "ENOENT" ? undefined : null;
  }
}
