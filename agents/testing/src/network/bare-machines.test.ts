/**
 * Turns nine bare machines into a vault that accepts uploads, using only the commands of docs/vault-life-cycle.md: each
 * machine is a network namespace with empty drives. The duration is printed, not judged.
 */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../harness/wait-until.ts";
import { BareMachines, type MachineDrives } from "./lab/bare-machines.ts";
import { whyNoNamespaces } from "./lab/ip.ts";
import type { Uploaded } from "./lab/uploads.ts";

const whyNot = whyNoNamespaces();
if (whyNot !== null) console.warn(`SKIPPED: a vault of bare machines was not tested: ${whyNot}.`);

const COMMAND_COUNT_MAX = 12;
const WITHIN_MS = 300_000;
const DAY_MS = 86_400_000;

/** 8+4 survives the loss of any of these machines, even with a power cut. */
const scheme = "8+4";
const drives: Readonly<Record<string, MachineDrives>> = {
  "front-1": {},
  ...Object.fromEntries([1, 2, 3, 4].map((at) => [`store-${at}`, { pods: 3 }])),
  ...Object.fromEntries([1, 2, 3, 4].map((at) => [`fast-${at}`, { stash: 3 }])),
};
const names = Object.keys(drives);

interface CreatedFile {
  readonly accessKeys: readonly [{ readonly id: string; readonly secret: string }];
  readonly nodes: readonly {
    readonly id: string;
    readonly role: string;
    readonly machine: string;
    readonly host: string;
    readonly port: number;
  }[];
}

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
/** Environment of a machine whose clock is off by this much. */
const clockOff = (offMs: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`const now=Date.now;Date.now=()=>now()+${offMs}`)}`,
});

describe.skipIf(whyNot !== null)("nine bare machines", { timeout: WITHIN_MS }, () => {
  let machines: BareMachines;
  let endpoint = "";

  beforeAll(async () => {
    machines = await BareMachines.make(drives);
  }, WITHIN_MS);
  afterAll(async () => {
    await machines?.close();
  }, WITHIN_MS);

  const created = (vault: string): CreatedFile =>
    JSON.parse(readFileSync(machines.path(vault, "vault.json"), "utf8"));
  const bundle = (machine: string, vault = "photos") => machines.path(vault, "bundles", `${machine}.bundle`);
  const join = (machine: string, path: string, folder: string, env: NodeJS.ProcessEnv = {}) =>
    machines.say(
      machine,
      ["vault", "join", path, "--folder", machines.path(machine, folder), "--no-start"],
      env,
    );
  const create = (vault: string, port: number, env: NodeJS.ProcessEnv = {}) =>
    machines.say(
      "desk",
      [
        "vault",
        "create",
        machines.writeLayout({ vault, scheme, port }),
        "--folder",
        machines.path(vault),
        "--accept-weak",
      ],
      env,
    );

  function upload(bucket: string): Promise<Uploaded> {
    const { accessKeys, nodes } = created("photos");
    const [{ id: accessKeyId, secret: secretAccessKey }] = accessKeys;
    const others = nodes.filter(({ role }) => role !== "coordinator");
    return machines.upload(
      { endpoint, accessKeyId, secretAccessKey, bucket, nodes: others },
      machines.path("photos", "ca.pem"),
    );
  }

  test("become a vault that accepts an S3 client's uploads, with at most twelve commands", async () => {
    const layout = machines.writeLayout({ vault: "photos", scheme });
    let commandCount = 0;
    const startedMs = nowMs();

    commandCount += 1;
    const said = await machines.say("desk", [
      "vault",
      "create",
      layout,
      "--folder",
      machines.path("photos"),
      "--accept-weak",
    ]);
    expect(said).toMatchObject({ code: 0 });
    endpoint = /S3 endpoint: (https:\/\/\S+),/.exec(said.text)?.[1] ?? "";

    const joins = names.map((name) => {
      commandCount += 1;
      const folder = machines.path(name, "vault");
      return machines.start(name, ["vault", "join", bundle(name), "--folder", folder, "--run"]);
    });
    const { nodes } = created("photos");
    const told = () => joins.map(({ text }) => text).join("\n");
    const runs = (id: string) => new RegExp(`^\\S+ runs: .*\\b${id}\\b`, "m").test(told());
    await until(
      "all nodes run",
      () => joins.some(({ isOver }) => isOver) || nodes.every(({ id }) => runs(id)),
      WITHIN_MS,
      told,
    );
    expect(joins.filter(({ isOver }) => isOver).map(({ text }) => text)).toEqual([]);
    const uploaded = await upload("first");
    const tookMs = uploaded.firstMs - startedMs;

    commandCount += 1;
    const status = await machines.say("desk", [
      "vault",
      "status",
      "--config",
      machines.path("photos", "vault.json"),
    ]);
    expect(status).toMatchObject({ code: 0 });
    for (const name of names) expect(status.text).toMatch(new RegExp(`^${name} +198\\.18\\.`, "m"));

    console.warn(
      `MEASURED: from nine bare machines to the first upload: ${commandCount} commands, ${(tookMs / 1000).toFixed(1)} s.`,
    );
    expect(commandCount).toBeLessThanOrEqual(COMMAND_COUNT_MAX);
    expect(uploaded.differing).toEqual([]);
    expect(uploaded.count).toBeGreaterThan(0);
    const protocols = nodes.filter(({ role }) => role !== "coordinator").map(({ id }) => [id, "TLSv1.3"]);
    expect(uploaded.protocols).toEqual(Object.fromEntries(protocols));
  });

  test("refuse bundles that are not for them, with the reason, and keep running", async () => {
    const vaults = [create("other", 4700), create("late", 4800, clockOff(-91 * DAY_MS))];
    for (const { code, text } of await Promise.all(vaults)) expect([code, text]).toEqual([0, text]);
    const answers = await Promise.all([
      join("store-1", bundle("store-1"), "vault"),
      join("store-1", bundle("store-1"), "second"),
      join("store-2", bundle("store-1"), "second"),
      join("fast-1", bundle("fast-1", "other"), "vault"),
      join("fast-1", bundle("fast-1", "other"), "second"),
      join("fast-2", bundle("fast-2", "late"), "second"),
      join("fast-3", bundle("fast-3", "late"), "second", clockOff(-92 * DAY_MS)),
    ]);
    // npm first prints the command that it runs.
    const sentences = answers.map(({ code, text }) => [code, ...text.trim().split("\n").slice(3)]);
    const says = (pattern: RegExp) => expect.stringMatching(pattern);
    expect(sentences).toEqual([
      [
        0,
        says(/^store-1 has joined the vault photos/),
        says(/^Its nodes are running, and load the new bundle/),
      ],
      [2, says(/^store-1 has joined already: its nodes run on this machine, from another folder than /)],
      [2, says(/^The address 198\.18\.0\.\d+ of store-1 is not an address of this machine; join on that/)],
      [
        2,
        says(
          /^This machine is fast-1 of the vault photos according to .*, but the bundle is of the vault other; give/,
        ),
      ],
      [2, says(/^The port 47\d\d of 198\.18\.0\.\d+, which fast-1\.stash needs, is taken by another/)],
      [2, says(/^The certificate nodes\/fast-2\.stash\/node\.pem of this bundle expired 1 day ago, at /)],
      [2, says(/^This machine's clock shows .*, but the bundle was created at .*; set the clock/)],
    ]);
    const refused = ["store-1", "store-2", "fast-1", "fast-2", "fast-3"];
    expect(refused.filter((name) => existsSync(machines.path(name, "second")))).toEqual([]);
    expect((await upload("second")).differing).toEqual([]);
  });
});
