/**
 * Prisma's schema engine as WebAssembly, over node-postgres. It compares schemas, applies migrations and keeps
 * `_prisma_migrations`, so that `prisma migrate deploy` finds what it expects.
 */
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";
import type { Migration } from "./migrations.ts";

const noFilter = { externalTables: [], externalEnums: [] };

/**
 * The adapter's own executeScript cuts a script at every semicolon and runs the parts one by one, which breaks
 * function bodies and leaves a failed migration half applied. One simple query keeps the script whole, and
 * Postgres runs it as one transaction.
 */
class WholeScriptPg extends PrismaPg {
  scriptError: unknown;

  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script: string) => {
      try {
        await adapter.underlyingDriver().query(script);
      } catch (error) {
        this.scriptError = error;
        throw error;
      }
    };
    return adapter;
  }
}

function migrationsList(baseDir: string, migrations: Migration[]) {
  return {
    baseDir,
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value: sql } },
    })),
  };
}

const internalCharOid = 18;
const textOid = 25;

/** One connection, whose catalog columns of the internal type "char" read as text: the adapter knows no "char". */
function openCatalogPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 });
  const query = pool.query.bind(pool) as (config: string | pg.QueryConfig) => Promise<pg.QueryResult>;
  return Object.assign(pool, {
    query: async (config: string | pg.QueryConfig) => {
      const result = await query(config);
      for (const field of result.fields ?? []) {
        if (field.dataTypeID === internalCharOid) field.dataTypeID = textOid;
      }
      return result;
    },
  });
}

async function withEngine<Result>(
  connectionString: string,
  datamodel: string | undefined,
  use: (engine: SchemaEngine, adapter: WholeScriptPg) => Promise<Result>,
): Promise<Result> {
  const pool = openCatalogPool(connectionString);
  const adapter = new WholeScriptPg(pool);
  const engine = await SchemaEngine.new(
    { datamodels: datamodel === undefined ? undefined : [["schema.prisma", datamodel]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
  try {
    return await use(engine, adapter);
  } finally {
    engine.free();
    await pool.end();
  }
}

/** Applies what is pending and returns the names. Throws the database's own error when a script fails. */
export async function applyMigrations(
  connectionString: string,
  directory: string,
  migrations: Migration[],
): Promise<string[]> {
  return withEngine(connectionString, undefined, async (engine, adapter) => {
    try {
      const { appliedMigrationNames } = await engine.applyMigrations({
        migrationsList: migrationsList(directory, migrations),
        filters: noFilter,
      });
      return appliedMigrationNames;
    } catch (error) {
      throw adapter.scriptError ?? error;
    }
  });
}

/** The SQL that leads from a database's present state to `datamodel`; empty when they agree. */
export async function diffDatabaseToDatamodel(connectionString: string, datamodel: string): Promise<string> {
  return withEngine(connectionString, datamodel, async (engine) => {
    const file = { path: "schema.prisma", content: datamodel };
    const { stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files: [file], configDir: "." },
      to: { tag: "schemaDatamodel", files: [file] },
      script: true,
      exitCode: null,
      filters: noFilter,
    });
    return (stdout ?? "").replace(/^-- This is an empty migration\.\s*$/m, "").trim();
  });
}
