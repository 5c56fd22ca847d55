import { expect, test } from "vitest";
import { defaultIngestUrl, help, parseOptions } from "./options.ts";

const surroundings = { env: {}, projectDirectory: "/project", currentDirectory: "/here" };
const parse = (args: string[], env: NodeJS.ProcessEnv = {}) => parseOptions(args, { ...surroundings, env });

const defaults = {
  port: 4680,
  ingestPort: 4685,
  host: "127.0.0.1",
  dataDirectory: "/project/.stashlight",
  databaseUrl: undefined,
  runtimeDatabaseUrl: undefined,
  storageProfile: "plain",
  publicUrl: "http://localhost:4680",
  vault: { s3Port: 4690, hasDemoLoad: true, isModelled: false, shape: {}, count: undefined },
  isNewSecretAccepted: false,
  simulatedFleet: undefined,
};

const withShape = (shape: object) => ({
  vault: { s3Port: 4690, hasDemoLoad: true, isModelled: false, shape, count: undefined },
});

test.each<[string[], object]>([
  [[], {}],
  [["--port", "5000"], { port: 5000, publicUrl: "http://localhost:5000" }],
  [["--port=5000"], { port: 5000, publicUrl: "http://localhost:5000" }],
  [["--host", "0.0.0.0"], { host: "0.0.0.0" }],
  [["--data", "other"], { dataDirectory: "/here/other" }],
  [["--data", "/var/lib/x"], { dataDirectory: "/var/lib/x" }],
  [["--public-url", "https://s.example.com/"], { publicUrl: "https://s.example.com" }],
  [["--database-url", "postgres://u:p@h/d"], { databaseUrl: "postgres://u:p@h/d" }],
  [
    ["--s3-port", "9000"],
    { vault: { s3Port: 9000, hasDemoLoad: true, isModelled: false, shape: {}, count: undefined } },
  ],
  [["--ingest-port", "9000"], { ingestPort: 9000 }],
  [
    ["--no-demo"],
    { vault: { s3Port: 4690, hasDemoLoad: false, isModelled: false, shape: {}, count: undefined } },
  ],
  [
    ["--modelled"],
    { vault: { s3Port: 4690, hasDemoLoad: true, isModelled: true, shape: {}, count: undefined } },
  ],
  [["--vault-size", "20GB"], withShape({ sizeBytes: 20e9 })],
  [["--vault-size", "1.5 TiB"], withShape({ sizeBytes: 1.5 * 2 ** 40 })],
  [["--scheme", "17+3"], withShape({ scheme: "17+3" })],
  [["--vaults", "4"], { vault: { ...defaults.vault, count: 4 } }],
  [["--no-vault"], { vault: undefined }],
  [["--simulated-fleet", "100"], { simulatedFleet: { nodeCount: 100, dayCount: 3 } }],
  [
    ["--simulated-fleet", "1000", "--simulated-days", "30"],
    { simulatedFleet: { nodeCount: 1000, dayCount: 30 } },
  ],
  [["--simulated-fleet", "0"], { simulatedFleet: { nodeCount: 0, dayCount: 3 } }],
  [["--no-vault", "--port", "4690"], { vault: undefined, port: 4690, publicUrl: "http://localhost:4690" }],
])("the arguments %j are parsed as the defaults and %j", (args, difference) => {
  expect(parse(args)).toEqual({ ...defaults, ...difference });
});

test.each([["--help"], ["-h"]])("the argument %s requests the help", (flag) => {
  expect(parse([flag])).toBe("help");
});

test("--database-url takes precedence over DATABASE_URL, and an empty variable counts as unset", () => {
  const env = { DATABASE_URL: "postgresql://variable/d" };
  expect(parse([], env)).toMatchObject({ databaseUrl: "postgresql://variable/d" });
  expect(parse(["--database-url", "postgresql://option/d"], env)).toMatchObject({
    databaseUrl: "postgresql://option/d",
  });
  expect(parse([], { DATABASE_URL: "", DATABASE_RUNTIME_URL: "" })).toEqual(defaults);
});

test("a storage profile other than plain requires an external Postgres", () => {
  const databaseUrl = ["--database-url", "postgres://u:p@h/d"];
  const env = { STASHLIGHT_STORAGE_PROFILE: "citus" };
  expect(parse(databaseUrl, env)).toMatchObject({ storageProfile: "citus" });
  expect(parse([...databaseUrl, "--storage-profile", "timescale"], env)).toMatchObject({
    storageProfile: "timescale",
  });
  expect(() => parse(["--storage-profile", "hypertable"])).toThrow(
    '--storage-profile must be one of plain, timescale, citus; got "hypertable".',
  );
  expect(() => parse([], env)).toThrow("The storage profile citus needs --database-url too");
});

test.each([
  [["--simulated-fleet", "5001"], '--simulated-fleet must be a whole number from 0 to 5000; got "5001".'],
  [
    ["--simulated-fleet", "1", "--simulated-days", "0"],
    '--simulated-days must be a whole number from 1 to 90; got "0".',
  ],
  [["--no-vault", "--modelled"], "--modelled is an option of the vault, which --no-vault leaves out."],
  [
    ["--simulated-days", "3"],
    "--simulated-days needs --simulated-fleet too, which gives the number of nodes.",
  ],
])("the arguments %j are refused: %s", (args, sentence) => {
  expect(() => parse(args)).toThrow(sentence);
});

test("a second login for console and worker comes from the option or the variable", () => {
  const env = { DATABASE_URL: "postgresql://owner@h/d", DATABASE_RUNTIME_URL: "postgresql://variable@h/d" };
  expect(parse([], env)).toMatchObject({
    databaseUrl: "postgresql://owner@h/d",
    runtimeDatabaseUrl: "postgresql://variable@h/d",
  });
  expect(parse(["--runtime-database-url", "postgresql://option@h/d"], env)).toMatchObject({
    runtimeDatabaseUrl: "postgresql://option@h/d",
  });
});

test.each<[string[], RegExp]>([
  [["--prot", "1"], /Unknown option '--prot'; npm start -- --help lists the options\.$/],
  [["start"], /Unexpected argument 'start'/],
  [["--port"], /--port/],
  [["--port", "0"], /--port must be a number from 1 to 65535; got "0"\.$/],
  [["--port", "65536"], /--port must be a number/],
  [["--port", "80a"], /--port must be a number/],
  [["--s3-port", "x"], /^--s3-port must be a number from 1 to 65535; got "x"\.$/],
  [["--port", "4690"], /^--port and --s3-port are both 4690; each needs its own\.$/],
  [["--port", "4685"], /^--port and --ingest-port are both 4685; each needs its own\.$/],
  [["--vault-size", "20"], /^--vault-size must be a number with GB, TB, GiB, TiB, such as 20GB; got "20"\.$/],
  [["--vault-size", "-5GB"], /--vault-size/],
  [["--vaults", "5"], /^--vaults must be a whole number from 1 to 4; got "5"\.$/],
  [["--vaults", "0"], /^--vaults must be a whole number from 1 to 4/],
  [["--no-vault", "--vaults", "2"], /^--vaults is an option of the vault, which --no-vault leaves out\.$/],
  [["--vault-size", "1e3GB"], /--vault-size must be a number/],
  [["--scheme", "10+4"], /^--scheme must be one of 16\+4, 17\+3, 15\+5; got "10\+4"\.$/],
  [
    ["--no-vault", "--vault-size", "20GB"],
    /^--vault-size is an option of the vault, which --no-vault leaves out\.$/,
  ],
  [["--host", " "], /--host must be an address/],
  [["--data", ""], /--data must be a folder/],
  [["--public-url", "stashlight.example.com"], /--public-url must look like https:/],
  [["--public-url", "https://example.com/path"], /--public-url must look like https:/],
  [["--database-url", "mysql://u:hidden@h/d"], /^--database-url must look like postgresql:(?!.*hidden)/],
  [["--runtime-database-url", "postgresql://h/d"], /^--runtime-database-url needs --database-url too/],
  [
    ["--database-url", "postgresql://u:hidden@h/d", "--runtime-database-url", "postgresql://u:hidden@h/d"],
    /^--runtime-database-url must name a login of its own(?!.*hidden)/,
  ],
])("the arguments %j are refused with a message that matches %s", (args, sentence) => {
  expect(() => parse(args)).toThrow(sentence);
});

test("the refusal of an invalid DATABASE_URL names the variable", () => {
  expect(() => parse([], { DATABASE_URL: "nonsense" })).toThrow(/^DATABASE_URL must look like/);
});

test("the help explains every option and variable", () => {
  const options = [
    ...["--role", "--port", "--host", "--public-url", "--data", "--ingest-port", "--s3-port"],
    ...["--vault-size", "--scheme", "--vaults", "--no-vault", "--no-demo", "--modelled"],
    ...["--simulated-fleet", "--simulated-days"],
    ...["--database-url", "--runtime-database-url", "--storage-profile"],
    ...["--recover", "--accept-new-secret", "--help"],
  ];
  for (const option of options) expect(help).toMatch(new RegExp(`^  (npm start -- )?${option}\\b`, "m"));
  const variables = [
    ...["DATABASE_URL", "DATABASE_RUNTIME_URL", "NO_COLOR", "STASHLIGHT_INGEST_URL"],
    ...["STASHLIGHT_OIDC_*", "STASHLIGHT_ROLE", "STASHLIGHT_SECRET", "STASHLIGHT_STORAGE_PROFILE"],
    ...["STASHLIGHT_TIME_ZONE", "STASHLIGHT_TRUSTED_PROXIES"],
  ];
  for (const variable of variables) expect(help).toContain(`\n  ${variable} `);
});

test.each([
  ["http://localhost:4680", "http://127.0.0.1:4685"],
  ["https://stashlight.example.org", "http://stashlight.example.org:4685"],
  ["http://[::1]:4680", "http://[::1]:4685"],
])("agents of a console at %s reach the ingest at %s", (publicUrl, expected) => {
  expect(defaultIngestUrl({ publicUrl, ingestPort: 4685 })).toBe(expected);
});
