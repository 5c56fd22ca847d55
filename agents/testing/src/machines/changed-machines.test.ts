/** Machines of a vault are added, removed and replaced by the command line, while clients write and read. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Load } from "../harness/load-clients.ts";
import { isLong } from "../harness/long-run.ts";
import { until } from "../harness/wait-until.ts";
import { createMachineClient, Machines } from "./machines.ts";

const names = ["front", "store-1", "store-2", "store-3"];
const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];
const LONG_MS = 240_000;
const config = ["--config", "photos/vault.json"];

let machines: Machines;
let load: Load;
let client: ReturnType<typeof createMachineClient>;
const processes = new Map<string, ChildProcess>();

const status = () => machines.say("vault", "status", ...config);
const epoch = (): number => JSON.parse(machines.read("photos/vault.json")).epoch;
const findNode = (id: string) =>
  JSON.parse(machines.read("photos/vault.json")).nodes.find((node: { id: string }) => node.id === id);

async function join(machine: string): Promise<void> {
  const folder = ["--folder", machines.folder(machine), "--no-start"];
  expect(await machines.say("vault", "join", machines.bundle(machine), ...folder)).toMatchObject({ code: 0 });
  processes.set(machine, await machines.run(machine));
}

/** Kills the machine with all its nodes at once. */
async function kill(machine: string): Promise<void> {
  const child = processes.get(machine) as ChildProcess;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Waits until all pods hold their shards and the coordinator accepts uploads. */
async function whole(): Promise<void> {
  await until(
    "the vault is whole",
    async () => {
      const { code, text } = await status();
      return code === 0 && text.includes("3 of 3 pods settled") && !text.includes("missing");
    },
    LONG_MS,
    status,
  );
}

describe.runIf(isLong)("in npm run test:long,", () => {
  beforeAll(async () => {
    machines = await Machines.make();
    machines.writeLayout("photos.yaml", addresses);
    expect(await machines.say("vault", "create", "photos.yaml", "--accept-weak")).toMatchObject({ code: 0 });
    for (const name of names) await join(name);
    client = createMachineClient(machines, addresses[0] as string);
    await whole();
    await client.send(new CreateBucketCommand({ Bucket: "photos" }));
    load = new Load({ s3: client, bucket: "photos", concurrency: 2 });
    load.start();
  }, LONG_MS);
  afterAll(async () => {
    await load?.stop();
    client?.destroy();
    await machines?.close();
  });

  test(
    "a lost machine is replaced under load, even if the command is killed repeatedly",
    async () => {
      await load.progress(40);
      const replace = ["vault", "replace-machine", "store-2", ...config, "--no-wait"];
      expect(await machines.say(...replace)).toMatchObject({
        code: 2,
        text: expect.stringMatching(
          /^store-2 still runs store-2\.pod, store-2\.stash; stop its services first/,
        ),
      });
      await kill("store-2");
      for (const gone of [
        machines.folder("store-2"),
        machines.drive("store-2", "hdd"),
        machines.drive("store-2", "ssd"),
      ])
        rmSync(gone, { recursive: true });
      const before = { epoch: epoch(), driveId: findNode("store-2.pod").drives[0].driveId };
      const note = joinPath(machines.root, "photos/replaced-store-2.json");
      await machines.sayUntil(() => existsSync(note), ...replace);
      const { driveIds } = JSON.parse(readFileSync(note, "utf8"));
      await machines.sayUntil(() => epoch() > before.epoch, ...replace);
      expect(await machines.say(...replace)).toMatchObject({ code: 0 });
      expect(findNode("store-2.pod").drives[0].driveId).toBe(driveIds.p1);
      expect(driveIds.p1).not.toBe(before.driveId);
      for (const drive of ["hdd", "ssd"]) mkdirSync(machines.drive("store-2", drive), { recursive: true });
      await join("store-2");
      await load.progress(20);
      await whole();
    },
    LONG_MS,
  );

  test(
    "a stash server joins, another is drained and leaves, and the pods beside it keep serving",
    async () => {
      const drive = machines.drive("store-4", "ssd");
      mkdirSync(drive, { recursive: true });
      const server = { machine: "store-4", address: "127.0.0.6", drives: [drive] };
      writeFileSync(joinPath(machines.root, "store-4.json"), JSON.stringify(server));
      const add = ["vault", "add-stash", "store-4.json", ...config];
      const before = epoch();
      await machines.sayUntil(() => epoch() > before, ...add);
      expect(await machines.say(...add)).toMatchObject({ code: 0 });
      expect(epoch()).toBe(before + 1);
      await join("store-4");
      await load.progress(20);

      const drain = ["vault", "drain", "store-1.stash", ...config];
      await machines.sayUntil(() => epoch() > before + 1, ...drain);
      await kill("store-1");
      processes.set("store-1", await machines.run("store-1"));
      const [drained] = await Promise.all([machines.say(...drain), load.progress(20)]);
      expect(drained).toMatchObject({ code: 0, text: expect.stringMatching(/no longer holds any shards/) });
      const remove = ["vault", "remove", "store-1.stash", ...config];
      await machines.sayUntil(() => epoch() > before + 2, ...remove);
      expect((await machines.say(...remove)).text).toMatch(/^The vault has no node store-1\.stash/);
      await whole();
      expect((await status()).text).toMatch(/^store-1 +127\.0\.0\.3 +- +1 of 1 answer/m);
      // The command that starts the machine still names the node that left.
      await kill("store-1");
      processes.set("store-1", await machines.run("store-1"));
      await load.progress(20);
      await load.stop();
      await whole();
      expect(await load.verify()).toEqual([]);
    },
    LONG_MS,
  );
});
