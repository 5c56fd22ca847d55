import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { beforeAll, expect, test } from "vitest";
import { parseRole, parseRoleOptions, roleHelp } from "./options.ts";

const secret = "a secret of the tests, long enough to be one";
const shared = {
  DATABASE_URL: "postgres://owner:p@db/stashlight",
  DATABASE_RUNTIME_URL: "postgres://runtime:p@db/stashlight",
  STASHLIGHT_PUBLIC_URL: "https://stashlight.example.org",
  STASHLIGHT_SECRET: secret,
};
const folder = useSharedFolder();

beforeAll(() => {
  writeFileSync(join(folder, "secret"), `${secret} in a file\n`);
  writeFileSync(join(folder, "short"), "short\n");
});

const parse = (role: string, args: string[] = [], env: NodeJS.ProcessEnv = shared) =>
  parseRoleOptions(role, ["--role", role, ...args], { env, currentDirectory: "/here" });

test("the option or else the variable names the role; without either, all roles run together", () => {
  expect(parseRole(["--port", "1", "--role", "worker"], { STASHLIGHT_ROLE: "console" })).toBe("worker");
  expect(parseRole(["--role=ingest"], {})).toBe("ingest");
  expect(parseRole([], { STASHLIGHT_ROLE: "console" })).toBe("console");
  expect(parseRole(["--port", "1", "--no-vault"], { STASHLIGHT_ROLE: "" })).toBeUndefined();
});

test.each([
  ["console", { port: 4680, ingestUrl: "http://stashlight.example.org:4685" }],
  ["ingest", { port: 4685 }],
  ["worker", { port: 4686 }],
])("the role %s needs only the shared environment, and runs with the lesser login", (role, more) => {
  expect(parse(role)).toMatchObject({
    role,
    host: "127.0.0.1",
    databaseUrl: shared.DATABASE_RUNTIME_URL,
    storageProfile: undefined,
    publicUrl: "https://stashlight.example.org",
    secret,
    dataDirectory: undefined,
    ...more,
  });
});

test("migrate has both logins, and every other role has one", () => {
  expect(parse("migrate")).toMatchObject({
    ownerUrl: shared.DATABASE_URL,
    databaseUrl: shared.DATABASE_RUNTIME_URL,
  });
  const owner = { ...shared, DATABASE_RUNTIME_URL: undefined };
  expect(parse("migrate", [], owner)).toMatchObject({
    ownerUrl: shared.DATABASE_URL,
    databaseUrl: shared.DATABASE_URL,
  });
  expect(parse("worker", [], owner)).toMatchObject({ databaseUrl: shared.DATABASE_URL });
  const runtime = { ...shared, DATABASE_URL: undefined };
  expect(parse("worker", [], runtime)).toMatchObject({ databaseUrl: shared.DATABASE_RUNTIME_URL });
});

test("options take precedence over variables, and each role has its own port variable", () => {
  const env = { ...shared, STASHLIGHT_PORT: "1", STASHLIGHT_INGEST_PORT: "2", STASHLIGHT_WORKER_PORT: "3" };
  expect(["console", "ingest", "worker"].map((role) => parse(role, [], env))).toMatchObject([
    { port: 1 },
    { port: 2 },
    { port: 3 },
  ]);
  const args = ["--port", "9", "--host", "0.0.0.0", "--data", "kept", "--storage-profile", "citus"];
  expect(parse("worker", args, env)).toMatchObject({
    port: 9,
    host: "0.0.0.0",
    dataDirectory: "/here/kept",
    storageProfile: "citus",
  });
});

test("a simulated fleet posts to each of several ingests", () => {
  const args = ["--simulated-fleet", "5000", "--data", "/d", "--ingest-url", "http://a:4685, http://b:4685/"];
  expect(parse("fleet", args)).toMatchObject({
    ingestUrls: ["http://a:4685", "http://b:4685"],
    fleet: { nodeCount: 5000, dayCount: 3 },
    dataDirectory: "/d",
  });
});

test("the secret comes from the variable, the named file, or the data folder", () => {
  const { STASHLIGHT_SECRET: _, ...none } = shared;
  const file = { ...none, STASHLIGHT_SECRET_FILE: join(folder, "secret") };
  expect(parse("console", [], file)).toMatchObject({ secret: `${secret} in a file` });
  expect(parse("console", ["--data", folder], none)).toMatchObject({ secret: `${secret} in a file` });
});

test.each<[string, string[], NodeJS.ProcessEnv, string]>([
  ["wrker", [], {}, '--role must be one of migrate, console, ingest, worker, fleet; got "wrker".'],
  [
    "console",
    [],
    { DATABASE_URL: "", DATABASE_RUNTIME_URL: "" },
    "--role console needs the address of the database that all processes share; give --database-url (or DATABASE_URL).",
  ],
  [
    "migrate",
    [],
    { DATABASE_URL: undefined },
    "--role migrate needs --database-url (or DATABASE_URL) with the login that owns the tables, because it changes them.",
  ],
  [
    "ingest",
    [],
    { STASHLIGHT_PUBLIC_URL: undefined },
    "--role ingest needs --public-url (or STASHLIGHT_PUBLIC_URL): the address people type into the browser, such as https://stashlight.example.org.",
  ],
  [
    "ingest",
    [],
    { STASHLIGHT_PUBLIC_URL: "stashlight" },
    'STASHLIGHT_PUBLIC_URL must look like https://stashlight.example.com, and "stashlight" does not.',
  ],
  ["worker", [], { STASHLIGHT_SECRET: "short" }, "STASHLIGHT_SECRET has 5 characters and needs 32 or more."],
  [
    "worker",
    [],
    { STASHLIGHT_SECRET: undefined },
    "--role worker needs the installation's secret, the same for all",
  ],
  ["worker", ["--port", "70000"], {}, '--port must be a number from 1 to 65535; got "70000".'],
  [
    "worker",
    [],
    { STASHLIGHT_WORKER_PORT: "x" },
    'STASHLIGHT_WORKER_PORT must be a number from 1 to 65535; got "x".',
  ],
  [
    "console",
    ["--vault-size", "2GB"],
    {},
    "Unknown option '--vault-size'; npm start -- --role ROLE --help lists the options of a role.",
  ],
  ["console", ["--recover", "a@b.org"], {}, "--recover is an option of --role migrate, not of console."],
  [
    "fleet",
    ["--port", "1"],
    {},
    "--port is an option of --role console and ingest and worker, not of fleet.",
  ],
  ["fleet", [], {}, "--role fleet needs --data: the folder in which it keeps the keys of its nodes."],
  [
    "fleet",
    ["--data", "d"],
    {},
    "--role fleet needs --ingest-url (or STASHLIGHT_INGEST_URL): the address of a balancer or of each ingest.",
  ],
])("the role %s with %j and the environment %j is refused: %s", (role, args, difference, sentence) => {
  expect(() => parse(role, args, { ...shared, ...difference })).toThrow(sentence);
});

test("a secret file that is too short or missing is refused with its path", () => {
  const { STASHLIGHT_SECRET: _, ...none } = shared;
  const short = join(folder, "short");
  expect(() => parse("console", [], { ...none, STASHLIGHT_SECRET_FILE: short })).toThrow(
    `The secret in ${short} has 5 characters and needs 32 or more.`,
  );
  expect(() => parse("console", [], { ...none, STASHLIGHT_SECRET_FILE: "/nowhere/secret" })).toThrow(
    "The secret cannot be read from /nowhere/secret: ENOENT",
  );
});

test("--help of a role names every role and every option", () => {
  expect(parse("console", ["--help"], {})).toBe("help");
  for (const name of [
    "migrate",
    "console",
    "ingest",
    "worker",
    "fleet",
    "--ingest-url",
    "--storage-profile",
  ]) {
    expect(roleHelp).toContain(name);
  }
});
