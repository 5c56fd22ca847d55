/**
 * Prisma's schema engine as WebAssembly, over node-postgres. It compares schemas, applies migrations and maintains
 * `_prisma_migrations` in the form that `prisma migrate deploy` expects.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlResultSet,
} from "@prisma/driver-adapter-utils";
import * as engineBindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { migrationConnection } from "../session-limits.ts";
import type { Migration } from "./migrations.ts";
import { splitStatements } from "./statements.ts";

type SchemaEngine = engineBindings.SchemaEngine;

const noFilter = { externalTables: [], externalEnums: [] };

/** The engine marks a migration as finished one query after its script; this marks it inside the script. */
const markFinished =
  "UPDATE _prisma_migrations SET finished_at = clock_timestamp() WHERE finished_at IS NULL AND rolled_back_at IS NULL";

/**
 * The adapter's own executeScript cuts a script at every semicolon and runs the parts one by one, which breaks function
 * bodies and leaves a failed migration half applied. One simple query keeps the script whole, and Postgres runs it as
 * one transaction, together with the mark that it is finished: if this process or the server ends at any point, a
 * migration that is not marked has changed nothing.
 */
class WholeScriptPg extends PrismaPg {
  failure: { migrationName: string | undefined; error: unknown } | undefined;
  readonly #nameByScript: Map<string, string>;
  readonly #isOneByOne: boolean;

  constructor(pool: pg.Pool, migrations: Migration[], isOneByOne: boolean) {
    super(pool);
    this.#isOneByOne = isOneByOne;
    this.#nameByScript = new Map(migrations.map(({ name, sql }) => [sql, name]));
  }

  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script: string) => {
      const migrationName = this.#nameByScript.get(script);
      try {
        const whole = migrationName === undefined ? script : `${script}\n;\n${markFinished};`;
        const pool = adapter.underlyingDriver();
        await (this.#isOneByOne ? inOneTransaction(pool, splitStatements(whole)) : pool.query(whole));
      } catch (error) {
        this.failure = { migrationName, error };
        throw error;
      }
    };
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => asCharacters(await queryRaw(query));
    return adapter;
  }
}

async function inOneTransaction(pool: pg.Pool, statements: readonly string[]): Promise<void> {
  try {
    for (const statement of ["BEGIN", ...statements, "COMMIT"]) await pool.query(statement);
  } catch (error) {
    // The pool has one connection. If that was lost, it has rolled back already.
    await pool.query("ROLLBACK").catch(() => {});
    throw error;
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
const uuidOid = 2950;

/**
 * Opens one connection that presents catalog columns of the internal type "char" as UUIDs, which catalogs do not use:
 * the adapter does not know "char" and refuses it. `asCharacters` converts them to the form that the engine expects.
 */
function openCatalogPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ ...migrationConnection(connectionString), max: 1 });
  const query = pool.query.bind(pool) as (config: string | pg.QueryConfig) => Promise<pg.QueryResult>;
  return Object.assign(pool, {
    query: async (config: string | pg.QueryConfig) => {
      const result = await query(config);
      for (const field of result.fields ?? []) {
        if (field.dataTypeID === internalCharOid) field.dataTypeID = uuidOid;
      }
      return result;
    },
  });
}

function asCharacters(result: SqlResultSet): SqlResultSet {
  const columnTypes = result.columnTypes.map((type) =>
    type === ColumnTypeEnum.Uuid ? ColumnTypeEnum.Character : type,
  );
  return { ...result, columnTypes };
}

/** The part used here of a global that every Node has, but that TypeScript declares only in its DOM library. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, Record<string, unknown>>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** A panic is visible only here, because the promise of the call that caused it never settles. */
function throwPanic(message: string): never {
  throw new Error(`Prisma's schema engine gave up: ${message}`);
}

let isEngineLoaded = false;

/** The package's own entry imports the .wasm file as a module, which makes Node print a warning. */
async function loadEngine(): Promise<typeof engineBindings.SchemaEngine> {
  if (!isEngineLoaded) {
    const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
    const { instance } = await WebAssembly.instantiate(
      await readFile(join(dirname(entry), "schema_engine_bg.wasm")),
      { "./schema_engine_bg.js": { ...engineBindings } },
    );
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: throwPanic } });
    engineBindings.__wbg_set_wasm(instance.exports);
    (instance.exports.__wbindgen_start as () => void)();
    isEngineLoaded = true;
  }
  return engineBindings.SchemaEngine;
}

async function withEngine<Result>(
  options: {
    connectionString: string;
    datamodel?: string;
    migrations?: Migration[];
    isOneByOne?: boolean;
  },
  use: (engine: SchemaEngine, adapter: WholeScriptPg) => Promise<Result>,
): Promise<Result> {
  const { connectionString, datamodel, migrations = [], isOneByOne = false } = options;
  const Engine = await loadEngine();
  const pool = openCatalogPool(connectionString);
  try {
    const adapter = new WholeScriptPg(pool, migrations, isOneByOne);
    const engine = await Engine.new(
      { datamodels: datamodel === undefined ? undefined : [["schema.prisma", datamodel]] },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(adapter),
    );
    try {
      return await use(engine, adapter);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

/** A script that the database refused; `cause` is the database's error. */
export class MigrationScriptError extends Error {
  override readonly name = "MigrationScriptError";
  readonly migrationName: string;

  constructor(migrationName: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.migrationName = migrationName;
  }
}

/**
 * Applies pending migrations and returns their names. Citus needs separate statements, because it passes a query's text
 * to its workers, which refuse several statements in one.
 */
export async function applyMigrations(
  connectionString: string,
  directory: string,
  migrations: Migration[],
  isOneByOne: boolean,
): Promise<string[]> {
  return withEngine({ connectionString, migrations, isOneByOne }, async (engine, adapter) => {
    try {
      const { appliedMigrationNames } = await engine.applyMigrations({
        migrationsList: migrationsList(directory, migrations),
        filters: noFilter,
      });
      return appliedMigrationNames;
    } catch (error) {
      if (adapter.failure === undefined) throw error;
      const { migrationName, error: cause } = adapter.failure;
      throw migrationName === undefined ? cause : new MigrationScriptError(migrationName, cause);
    }
  });
}

/** Returns the SQL that leads from a database's current state to `datamodel`; empty if they agree. */
export async function diffDatabaseToDatamodel(connectionString: string, datamodel: string): Promise<string> {
  return withEngine({ connectionString, datamodel }, async (engine) => {
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
