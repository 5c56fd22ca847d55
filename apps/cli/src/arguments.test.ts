import { expect, test } from "vitest";
import { parseCommand } from "./arguments.ts";
import { help } from "./help.ts";
import { UsageError } from "./usage-error.ts";

const surroundings = { projectDirectory: "/project", currentDirectory: "/here" };
const parse = (line: string) => parseCommand(line.split(" ").filter(Boolean), surroundings);

const config = "/project/.stashlight/vault/vault.json";
const load = {
  name: "load",
  config,
  sizeBytes: 262_144,
  concurrency: 16,
  seconds: 30,
  uploadsPerSecond: null,
  bucket: "load",
  journal: null,
  isKept: false,
};

test.each<[string, object]>([
  ["", { name: "help" }],
  ["--help", { name: "help" }],
  ["vault --help", { name: "help" }],
  ["vault load -h", { name: "help" }],
  ["vault drill --help", { name: "help" }],
  ["vault status", { name: "status", config, isJson: false }],
  ["vault status --json --config v.json", { name: "status", config: "/here/v.json", isJson: true }],
  ["vault load", load],
  [
    "vault load --size 1MiB --concurrency 1 --seconds 5",
    { ...load, sizeBytes: 1_048_576, concurrency: 1, seconds: 5 },
  ],
  [
    "vault load --bucket mine --journal j --keep",
    { ...load, bucket: "mine", journal: "/here/j", isKept: true },
  ],
  ["vault load --rate 0.5", { ...load, uploadsPerSecond: 0.5 }],
  ["vault keys", { name: "keys", config }],
  [
    "vault status --config v.json --config w.json",
    { name: "status", config: "/here/v.json", furtherConfigs: ["/here/w.json"], isJson: false },
  ],
  ["vault keys --config v.json", { name: "keys", config: "/here/v.json" }],
  ["vault keys -h", { name: "help" }],
  ["vault create l.yaml", { name: "create", layout: "/here/l.yaml", folder: null, isWeakAccepted: false }],
  ["vault bundle m1 --folder v", { name: "bundle", machine: "m1", folder: "/here/v" }],
  [
    "vault restart --rolling --config v",
    {
      name: "restart",
      config: "/here/v",
      machine: null,
      isWeakAccepted: false,
      noticeMs: 10_000,
      isFresh: false,
    },
  ],
  [
    "vault restart store-1 --config v --accept-weak --notice 3",
    {
      name: "restart",
      config: "/here/v",
      machine: "store-1",
      isWeakAccepted: true,
      noticeMs: 3000,
      isFresh: false,
    },
  ],
  [
    "vault add-coordinator front-2.json --config v",
    { name: "add-coordinator", config: "/here/v", description: "/here/front-2.json" },
  ],
  ["vault renew --folder v --keys", { name: "renew", folder: "/here/v", hasNewKeys: true }],
  ["vault run", { name: "run", folder: "/var/lib/stashlight" }],
  [
    "vault join m1.bundle --folder f --run",
    { name: "join", bundle: "/here/m1.bundle", folder: "/here/f", tokens: {}, user: null, start: "here" },
  ],
  ["vault verify", { name: "verify", config, bucket: null, journal: null }],
  ["vault verify --bucket b-1 --journal /j", { name: "verify", config, bucket: "b-1", journal: "/j" }],
  [
    "vault drill power-cut --times 20",
    { name: "drill-power-cut", config: null, times: 20, sizeBytes: 65_536, concurrency: 8 },
  ],
  [
    "vault drill power-cut --config v --size 1000",
    { name: "drill-power-cut", config: "/here/v", times: 1, sizeBytes: 1000, concurrency: 8 },
  ],
  [
    "vault drill full",
    {
      name: "drill-full",
      config: null,
      rounds: 10,
      clientCount: 8,
      sizeBytes: 262_144,
      podBytes: 96 * 1_048_576,
      seed: null,
    },
  ],
  [
    "vault drill full --rounds 2 --clients 3 --size 64KiB --pod-size 48MiB --seed 7 --config v",
    {
      name: "drill-full",
      config: "/here/v",
      rounds: 2,
      clientCount: 3,
      sizeBytes: 65_536,
      podBytes: 48 * 1_048_576,
      seed: 7,
    },
  ],
  ["plan --help", { name: "help" }],
  ["plan --example", { name: "plan-example" }],
  [
    "plan --input p.json",
    { name: "plan", input: { path: "/here/p.json" }, changes: {}, requiredNines: null, isJson: false },
  ],
  [
    "plan --json --input -",
    { name: "plan", input: { path: null }, changes: {}, requiredNines: null, isJson: true },
  ],
  [
    "plan --set hddBytes=24e12 --set rebuildsAtOnce=null --require-nines 11",
    {
      name: "plan",
      input: "example",
      changes: { hddBytes: 24e12, rebuildsAtOnce: null },
      requiredNines: 11,
      isJson: false,
    },
  ],
  [
    "plan --hdd-model WUH722222ALE6L4 --set hddFailuresCounted=5",
    {
      name: "plan",
      input: "example",
      // 181 failures in 23,930 drive years and 2 in 129 of all drives: 1 - exp(-183 / 24,059).
      changes: { hddAnnualFailureRate: 0.00758, hddFailuresCounted: 5 },
      requiredNines: null,
      isJson: false,
    },
  ],
])("parses %j", (line, command) => {
  expect(parse(line)).toEqual(command);
});

test.each([
  ["volt", /^There is no command "volt"/],
  [
    "vault",
    /^Choose one of status, load, verify, scrub, lost, lifecycle, give-up, encryption, drill, keys, create, bundle, renew, join, run, restart, replace-drive, replace-machine, rebuild, add-coordinator, add-stash, drain, remove, quarantine or release for vault\.$/,
  ],
  ["vault create", /^vault create needs the layout/],
  ["vault create a b", /^vault create needs the layout/],
  ["vault join", /^vault join needs the bundle of this machine/],
  ["vault join b --token pod=secret", /^--token must be a role and a token/],
  ["vault join b --run --no-start", /^--run and --no-start cannot be combined\.$/],
  ["vault bundle m1", /^--folder must be the folder that vault create wrote\.$/],
  ["vault restart", /^vault restart takes --rolling for all machines/],
  ["vault restart --rolling store-1", /^vault restart takes --rolling for all machines/],
  ["vault restart store-1 --fresh", /^--fresh requires --rolling\.$/],
  ["vault restart --rolling --notice 121", /^--notice must be a number from 1 to 120/],
  ["vault renew", /^--folder must be the folder that vault create wrote\.$/],
  ["vault burn", /"burn" is not one of them\.$/],
  ["vault status --jsn", /^Unknown option '--jsn'; npm run stashlight -- --help lists the options\.$/],
  ["vault status extra", /^Unexpected argument 'extra'/],
  ["vault load --size 0", /^--size must be from 1 byte to 64MiB, such as 256KiB; got "0"\.$/],
  ["vault load --size 65MiB", /^--size must be/],
  ["vault load --size big", /^--size must be/],
  ["vault load --concurrency 0", /^--concurrency must be a number from 1 to 1024; got "0"\.$/],
  ["vault load --seconds 1.5", /^--seconds must be a number/],
  ["vault load --rate 0", /^--rate must be uploads per second, above 0 and up to 10000/],
  ["vault load --rate fast", /^--rate must be/],
  ["vault load --bucket Load", /^--bucket must be 3 to 63 lower-case letters/],
  ["vault load --journal=", /^--journal must be a file\.$/],
  ["vault verify --config=", /^--config must be the vault's file\.$/],
  ["vault drill", /^The drills are power-cut and full/],
  ["vault drill fire", /^The drills are power-cut and full/],
  ["vault drill full --pod-size 47MiB", /^--pod-size must be from 48MiB to 65536MiB; got "47MiB"\.$/],
  ["vault drill full --rounds 0", /^--rounds must be a number/],
  ["vault drill full --seed x", /^--seed must be a number/],
  ["vault drill power-cut --times many", /^--times must be a number/],
  [
    "plan",
    /^--input must be a file with a plan's input, or - for standard input; --set alone changes the example\.$/,
  ],
  [
    "plan --hdd-model X1",
    /^There are no published failures for the HDD model "X1"; known are HMS5C4040ALE640, /,
  ],
  ["plan --set hddBytes", /^--set must be NAME=NUMBER, such as hddBytes=24e12; got "hddBytes"\./],
  ["plan --set hddBytes=", /^--set must be NAME=NUMBER/],
  ["plan --require-nines eleven", /^--require-nines must be 1 to 30, such as 11; got "eleven"\.$/],
  ["plan --inptu p.json", /^Unknown option '--inptu'; npm run stashlight -- --help lists the options\.$/],
])("refuses %j: %s", (line, sentence) => {
  expect(() => parse(line)).toThrow(UsageError);
  expect(() => parse(line)).toThrow(sentence);
});

test("exits with 1 for usage errors of plan, where 2 means that the pool is insufficient, and with 2 for those of other commands", () => {
  expect(() => parse("plan")).toThrow(expect.objectContaining({ exitCode: 1 }));
  expect(() => parse("plan --what")).toThrow(expect.objectContaining({ exitCode: 1 }));
  expect(() => parse("vault status --what")).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test("the help names every command and option", () => {
  const options = [
    "size",
    "concurrency",
    "seconds",
    "rate",
    "bucket",
    "journal",
    "keep",
    "json",
    "times",
    "config",
    "rounds",
    "clients",
    "pod-size",
    "seed",
    "input",
    "example",
  ];
  const names = [
    "status",
    "load",
    "verify",
    "drill power-cut",
    "drill full",
    "plan",
    ...options.map((name) => `--${name}`),
  ];
  for (const name of names) expect(help).toContain(name);
});
