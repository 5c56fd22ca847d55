/** A Postgres cluster that archives to a repository of pgBackRest in a bucket. */
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Job } from "../tool.ts";

/** Debian's pgBackRest supports no later version. */
const PROGRAMS = "/usr/lib/postgresql/15/bin";
/** Postgres refuses to run as root. */
const USER = "postgres";
const STANZA = "job";
const TABLE = "CREATE TABLE IF NOT EXISTS entry (id bigserial PRIMARY KEY, name text, body text)";
const LOOK_EVERY_MS = 200;

export class PostgresCluster {
  readonly #job: Pick<Job, "run" | "vault" | "bucket">;
  readonly #folder: string;

  /** `folder` is empty, and its path is short, because it holds a socket. */
  constructor(job: Pick<Job, "run" | "vault" | "bucket">, folder: string) {
    this.#job = job;
    this.#folder = folder;
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  get #backrestOptions(): string[] {
    return [`--config=${join(this.#folder, "pgbackrest.conf")}`, `--stanza=${STANZA}`];
  }

  async create(): Promise<void> {
    await this.#writeBackrestConfig();
    await this.#handOver();
    const locale = ["--encoding=UTF8", "--no-locale"];
    await this.#run(join(PROGRAMS, "initdb"), ["--auth=trust", ...locale, `--pgdata=${this.#data}`]);
    const archiving = ["pgbackrest", ...this.#backrestOptions, "archive-push", "%p"].join(" ");
    const settings = [
      "listen_addresses = ''",
      `unix_socket_directories = '${this.#folder}'`,
      "fsync = off",
      "archive_mode = on",
      `archive_command = '${archiving}'`,
    ];
    await appendFile(join(this.#data, "postgresql.conf"), `\n${settings.join("\n")}\n`);
    await this.start();
    await this.#query(TABLE);
  }

  async #writeBackrestConfig(): Promise<void> {
    const { vault, bucket } = this.#job;
    const [host = "", port = ""] = vault.host.split(":");
    const authority = join(this.#folder, "authority.pem");
    await writeFile(authority, vault.authority ?? "");
    const settings = {
      "repo1-type": "s3",
      "repo1-path": "/repository",
      "repo1-s3-bucket": bucket,
      "repo1-s3-endpoint": host,
      "repo1-s3-region": vault.region,
      "repo1-s3-key": vault.accessKeyId,
      "repo1-s3-key-secret": vault.secretAccessKey,
      "repo1-s3-uri-style": "path",
      "repo1-storage-port": port,
      "repo1-storage-ca-file": authority,
      "repo1-retention-full": "2",
      "compress-type": "none",
      "start-fast": "y",
      "process-max": "2",
      "log-level-file": "off",
      "lock-path": join(this.#folder, "lock"),
      "spool-path": join(this.#folder, "spool"),
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const cluster = [`[${STANZA}]`, `pg1-path=${this.#data}`, `pg1-socket-path=${this.#folder}`];
    await writeFile(join(this.#folder, "pgbackrest.conf"), ["[global]", ...lines, ...cluster, ""].join("\n"));
  }

  async start(): Promise<void> {
    const log = join(this.#folder, "postgres.log");
    await this.#control("start", `--log=${log}`, "--wait", "--timeout=300");
    // One long query would be cancelled when the recovery replays a clean-up.
    while ((await this.#query("SELECT pg_is_in_recovery()")) !== "f") await delay(LOOK_EVERY_MS);
  }

  /** Stops the server, which archives the rest of its log first. */
  async stop(): Promise<void> {
    await this.#control("stop", "--mode=fast", "--wait", "--timeout=300");
  }

  /** Deletes the data folder, so that only the repository is left. */
  async lose(): Promise<void> {
    await rm(this.#data, { recursive: true });
    await mkdir(this.#data, { mode: 0o700 });
    await this.#handOver();
  }

  async backrest(...args: readonly string[]): Promise<void> {
    await this.#run("pgbackrest", [...this.#backrestOptions, ...args]);
  }

  async addRows(name: string, count: number): Promise<void> {
    const body = Array.from({ length: 6 }, () => "md5(random()::text)").join(" || ");
    await this.#query(
      `INSERT INTO entry (name, body) SELECT '${name}', ${body} FROM generate_series(1, ${count})`,
    );
  }

  /** The number of rows, and a hash of all of them. */
  async readRows(): Promise<string> {
    return await this.#query(
      "SELECT count(*) || ' ' || md5(string_agg(name || body, ' ' ORDER BY id)) FROM entry",
    );
  }

  async #query(sql: string): Promise<string> {
    const options = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"];
    const args = [...options, `--host=${this.#folder}`, "--dbname=postgres", `--command=${sql}`];
    return (await this.#run(join(PROGRAMS, "psql"), args)).trim();
  }

  #control(...args: readonly string[]): Promise<string> {
    return this.#run(join(PROGRAMS, "pg_ctl"), [`--pgdata=${this.#data}`, ...args]);
  }

  async #handOver(): Promise<void> {
    if (isRoot()) await this.#job.run("chown", ["--recursive", `${USER}:`, this.#folder]);
  }

  #run(command: string, args: readonly string[]): Promise<string> {
    const { run } = this.#job;
    const options = { folder: this.#folder };
    return isRoot()
      ? run("runuser", ["--user", USER, "--", command, ...args], options)
      : run(command, args, options);
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
