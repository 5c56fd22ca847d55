import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import pg from "pg";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "./index.ts";

const startTimeoutMs = 60_000;

const directory = useSharedFolder();
let running: EmbeddedPostgres[] = [];

async function open(log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const opened = await openEmbeddedPostgres({ directory, durability: "none", ...(log && { log }) });
  running.push(opened);
  return opened;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const file = (name: string) => join(directory, name);
const pidFile = () => file("postgres/postmaster.pid");

beforeAll(async () => {
  const first = await open();
  await query(first.ownerUrl, "CREATE TABLE kept (value text); INSERT INTO kept VALUES ('survives')");
}, startTimeoutMs);

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
}, startTimeoutMs);

async function expectKept(postgres: EmbeddedPostgres): Promise<void> {
  expect(await query(postgres.ownerUrl, "SELECT value FROM kept")).toEqual([{ value: "survives" }]);
}

test("data, port and passwords survive a restart", { timeout: startTimeoutMs }, async () => {
  const first = await open();
  await first.stop();
  expect(await first.exited).toEqual({ code: 0, signal: null });
  const second = await open();
  expect(second.ownerUrl).toBe(first.ownerUrl);
  expect(second.runtimeUrl).toBe(first.runtimeUrl);
  await expectKept(second);
});

test("the server is Postgres 18 with checksums, UTF-8 and no socket", {
  timeout: startTimeoutMs,
}, async () => {
  const { ownerUrl, version } = await open();
  const names = ["data_checksums", "server_encoding", "listen_addresses"];
  const list = names.map((name) => `current_setting('${name}') AS ${name}`).join(", ");
  expect(
    await query(ownerUrl, `SELECT ${list}, datlocale FROM pg_database WHERE datname = 'stashlight'`),
  ).toEqual([
    {
      data_checksums: "on",
      server_encoding: "UTF8",
      listen_addresses: "127.0.0.1",
      datlocale: "C.UTF-8",
    },
  ]);
  expect(version).toMatch(/^18\./);
  const socketDirectoryLine = 4;
  expect(readFileSync(pidFile(), "utf8").split("\n")[socketDirectoryLine]).toBe("");
});

test("the owner can create databases and roles but is not a superuser, and the runtime login can neither read nor create tables", async () => {
  const { ownerUrl, runtimeUrl } = await open();
  const rights = "SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user";
  expect(await query(ownerUrl, rights)).toEqual([
    { rolsuper: false, rolcreatedb: true, rolcreaterole: true },
  ]);
  expect(await query(runtimeUrl, rights)).toEqual([
    { rolsuper: false, rolcreatedb: false, rolcreaterole: false },
  ]);
  await expect(query(runtimeUrl, "SELECT * FROM kept")).rejects.toThrow("permission denied");
  await expect(query(runtimeUrl, "CREATE TABLE mine (id int)")).rejects.toThrow("permission denied");
  expect(await query(runtimeUrl, "SELECT pg_has_role('stashlight_app', 'MEMBER') AS member")).toEqual([
    { member: true },
  ]);
});

test("a wrong password is refused, the superuser cannot connect at all, and only the owner can read the credentials", async () => {
  const { ownerUrl } = await open();
  const wrong = new URL(ownerUrl);
  wrong.password = "wrong";
  await expect(query(wrong.href, "SELECT 1")).rejects.toThrow("password authentication failed");
  wrong.username = "stashlight_superuser";
  await expect(query(wrong.href, "SELECT 1")).rejects.toThrow("pg_hba.conf rejects");
  expect(statSync(file("postgres-credentials.json")).mode & 0o777).toBe(0o600);
});

test("only the owner can read the files of the cluster and enter its folders", async () => {
  await open();
  const folder = file("postgres");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(["pg_hba.conf", "PG_VERSION"]));
  const modes = entries.map(({ parentPath, name }) => {
    const stats = statSync(join(parentPath, name), { throwIfNoEntry: false });
    return [name, (stats?.mode ?? 0) & 0o077];
  });
  expect(modes.filter(([, mode]) => mode !== 0)).toEqual([]);
});

test("after kill -9 of the server the next start recovers", { timeout: startTimeoutMs }, async () => {
  const first = await open();
  process.kill(first.pid, "SIGKILL");
  expect(await first.exited).toEqual({ code: null, signal: "SIGKILL" });
  expect(existsSync(pidFile())).toBe(true);
  await expectKept(await open());
});

test("a server that an earlier run left behind is stopped first", { timeout: startTimeoutMs }, async () => {
  const orphan = await open();
  const said: string[] = [];
  const second = await open((line) => said.push(line));
  expect(said).toEqual([`Stopping the Postgres that an earlier run left behind (process ${orphan.pid}).`]);
  expect(await orphan.exited).toEqual({ code: 0, signal: null });
  await expectKept(second);
});

test.each<[string, () => string]>([
  ["names another living process", () => `${process.pid}\n${file("postgres")}\n1700000000\n5432\n`],
  ["is empty", () => ""],
  ["is garbage", () => "\0\0not a pid"],
])("a pid file that %s does not prevent the start", { timeout: startTimeoutMs }, async (_, content) => {
  writeFileSync(pidFile(), content());
  await expectKept(await open());
});

test("if the port is taken, another one is chosen and kept", { timeout: startTimeoutMs }, async () => {
  const first = await open();
  await first.stop();
  const squatter = await listen(first.port);
  try {
    const second = await open();
    expect(second.port).not.toBe(first.port);
    await second.stop();
    expect((await open()).port).toBe(second.port);
  } finally {
    squatter.close();
  }
});

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

test.each<[string, () => void]>([
  ["lost", () => rmSync(file("postgres-credentials.json"))],
  ["broken", () => writeFileSync(file("postgres-credentials.json"), '{"port": 1')],
])(
  "a credentials file %s causes new passwords for the roles",
  { timeout: startTimeoutMs },
  async (_, harm) => {
    const first = await open();
    await first.stop();
    harm();
    const second = await open();
    expect(second.ownerUrl).not.toBe(first.ownerUrl);
    await expectKept(second);
  },
);

test("an unreadable credentials file is named in the error", async () => {
  const path = file("postgres-credentials.json");
  const content = readFileSync(path);
  rmSync(path);
  // A link to itself is unreadable for every user, even root.
  symlinkSync(path, path);
  try {
    await expect(open()).rejects.toThrow(path);
  } finally {
    rmSync(path);
    writeFileSync(path, content, { mode: 0o600 });
  }
});

test("data of another major version is refused and left unchanged", async () => {
  const path = file("postgres/PG_VERSION");
  writeFileSync(path, "17\n");
  await expect(open()).rejects.toMatchObject({
    code: "other_major_version",
    message: expect.stringContaining("was created by Postgres 17, but this Stashlight includes Postgres 18"),
  });
  writeFileSync(path, "18\n");
});

test("remains of an interrupted start do not prevent the next one, and the data folder's mode is restored to 0700", {
  timeout: startTimeoutMs,
}, async () => {
  writeFileSync(file("postgres.partial"), "an interrupted start");
  chmodSync(file("postgres"), 0o755);
  await expectKept(await open());
  expect(statSync(file("postgres")).mode & 0o777).toBe(0o700);
});

test("a folder that is not Postgres data is refused and left unchanged", async () => {
  const other = mkdtempSync(join(tmpdir(), "stashlight-postgres-other-"));
  try {
    mkdirSync(join(other, "postgres"));
    writeFileSync(join(other, "postgres/letter.txt"), "dear diary");
    await expect(openEmbeddedPostgres({ directory: other })).rejects.toMatchObject({ code: "broken_data" });
    expect(readFileSync(join(other, "postgres/letter.txt"), "utf8")).toBe("dear diary");
  } finally {
    rmSync(other, { recursive: true });
  }
});
