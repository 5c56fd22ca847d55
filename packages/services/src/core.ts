/** The base and the database, which most verbs need. `openPlatform` adds the needs of pages and benchmarks. */
import { type Database, openDatabase } from "@stashlight/db";
import { type Base, type BaseOptions, openBase } from "./base.ts";

export interface Core extends Base {
  readonly db: Database;
}

const connectionsMax = { console: 6, worker: 4, ingest: 4, tool: 2, bench: 6 };

export function openCore(options: BaseOptions): Core {
  const base = openBase(options);
  const { kind, databaseUrl } = options;
  const db = openDatabase({
    url: databaseUrl,
    purpose: kind,
    applicationName: `stashlight-${kind}`,
    connectionsMax: connectionsMax[kind],
  });
  const close = async () => {
    await Promise.all([base.close(), db.$disconnect()]);
  };
  return { ...base, db, close };
}
