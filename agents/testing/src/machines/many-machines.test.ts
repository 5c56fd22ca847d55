/** Tests a vault of several machines, created and joined by the command line as an engineer would. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { until } from "../harness/wait-until.ts";
import { createMachineClient, Machines } from "./machines.ts";

const names = ["front", "store-1", "store-2", "store-3"];
const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];
const LONG_MS = 180_000;

let machines: Machines;
let s3: S3Client;
const processes = new Map<string, ChildProcess>();

const join = (machine: string, bundle = machines.bundle(machine)) =>
  machines.say("vault", "join", bundle, "--folder", machines.folder(machine), "--no-start");
const status = () => machines.say("vault", "status", "--config", "photos/vault.json");

beforeAll(async () => {
  machines = await Machines.make();
  const weak = await machines.say("vault", "create", machines.writeLayout("photos.yaml", addresses));
  expect(weak).toMatchObject({
    code: 2,
    text: expect.stringContaining("2+1 does not survive the loss of a stash server"),
  });
  expect(existsSync(`${machines.root}/photos`)).toBe(false);
  const created = await machines.say("vault", "create", "photos.yaml", "--accept-weak");
  expect(created).toMatchObject({ code: 0 });
}, LONG_MS);
afterAll(async () => {
  s3?.destroy();
  await machines?.close();
});

test(
  "a machine that has not joined refuses input that is not for it, and changes nothing",
  async () => {
    const drive = machines.drive("store-1", "hdd");
    writeFileSync(`${drive}/photo.jpg`, "mine");
    expect(await join("store-1")).toMatchObject({
      code: 2,
      text: expect.stringContaining(`The drive ${drive} has other files (photo.jpg)`),
    });
    expect(readdirSync(drive)).toEqual(["photo.jpg"]);
    expect(existsSync(machines.folder("store-1"))).toBe(false);
    rmSync(`${drive}/photo.jpg`);

    const other = createServer().listen(machines.port + 2, "127.0.0.3");
    await once(other, "listening");
    expect(await join("store-1")).toMatchObject({
      code: 2,
      text: expect.stringContaining(
        `The port ${machines.port + 2} of 127.0.0.3, which store-1.pod needs, is taken by another program`,
      ),
    });
    other.close();

    const elsewhere = machines.writeLayout(
      "away.yaml",
      ["127.0.0.2", "198.18.255.254", "127.0.0.4", "127.0.0.5"],
      { vault: "away" },
    );
    await machines.say("vault", "create", elsewhere, "--accept-weak");
    expect(await join("store-1", machines.bundle("store-1", "away"))).toMatchObject({
      code: 2,
      text: expect.stringContaining(
        "The address 198.18.255.254 of store-1 is not an address of this machine",
      ),
    });
    expect(existsSync(machines.folder("store-1"))).toBe(false);
  },
  LONG_MS,
);

test(
  "machines join, one of them again from the state that a kill leaves, and the vault accepts an S3 client's uploads",
  async () => {
    const bundle = readFileSync(machines.bundle("store-1"), "utf8");
    for (const name of names) expect(await join(name)).toMatchObject({ code: 0 });
    // A kill between formatting and writing the last file leaves the same state.
    const state = `${machines.folder("store-1")}/machine.json`;
    writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), formatted: [] }));
    rmSync(`${machines.drive("store-1", "hdd")}/volume`);
    expect(await join("store-1")).toMatchObject({ code: 0 });
    expect(readFileSync(machines.bundle("store-1"), "utf8")).toBe(bundle);

    await Promise.all(names.map(async (name) => processes.set(name, await machines.run(name))));
    s3 = createMachineClient(machines, "127.0.0.2");
    await until("uploads are taken", async () => (await status()).code === 0, LONG_MS, status);
    await s3.send(new CreateBucketCommand({ Bucket: "photos" }));
    await s3.send(new PutObjectCommand({ Bucket: "photos", Key: "a", Body: Buffer.alloc(100_000, 7) }));
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: "photos", Key: "a" }));
    expect(await readBody(Body)).toEqual(Buffer.alloc(100_000, 7));
    expect((await status()).text).toMatch(
      /^front +127\.0\.0\.2 +- +1 of 1 answer +\d{4}-\d\d-\d\d +0\.0 s$/m,
    );
  },
  LONG_MS,
);

test(
  "keys and certificates are renewed under load without a failed upload, and a restarted machine uses the new ones",
  async () => {
    let isOver = false;
    let count = 0;
    const failures: unknown[] = [];
    const load = Promise.all(
      [1, 2].map(async (client) => {
        while (!isOver) {
          const put = new PutObjectCommand({
            Bucket: "photos",
            Key: `load-${client}`,
            Body: Buffer.alloc(20_000, count),
          });
          await s3.send(put).catch((error: unknown) => failures.push(error));
          count += 1;
        }
      }),
    );
    const keyFile = `${machines.folder("store-1")}/nodes/store-1.pod/node.key`;
    const before = readFileSync(keyFile, "utf8");
    const certificates = await machines.say("vault", "renew", "--folder", "photos");
    const keys = await machines.say("vault", "renew", "--folder", "photos", "--keys");
    isOver = true;
    await load;
    expect([certificates.code, keys.code, failures]).toEqual([0, 0, []]);
    expect(count).toBeGreaterThan(0);
    expect(readFileSync(keyFile, "utf8")).not.toBe(before);

    const old = processes.get("store-1") as ChildProcess;
    const ended = once(old, "exit");
    old.kill("SIGTERM");
    await ended;
    expect((await status()).text).toContain("! The machine store-1 (127.0.0.3) does not answer: 2 nodes");
    processes.set("store-1", await machines.run("store-1"));
    await until(
      "all pods have settled again",
      async () => (await status()).text.includes("3 of 3 pods settled"),
      LONG_MS,
      status,
    );
  },
  LONG_MS,
);

test(
  "a joined machine refuses other bundles, a second folder and an emptied drive",
  async () => {
    expect(await join("store-1")).toMatchObject({
      code: 0,
      text: expect.stringContaining("Its nodes are running"),
    });
    const twice = await machines.say(
      "vault",
      "join",
      machines.bundle("store-1"),
      "--folder",
      `${machines.root}/second`,
      "--no-start",
    );
    expect(twice).toMatchObject({
      code: 2,
      text: expect.stringContaining("store-1 has joined already: its nodes run on this machine"),
    });
    expect(existsSync(`${machines.root}/second`)).toBe(false);
    expect(await join("store-1", machines.bundle("store-2"))).toMatchObject({
      code: 2,
      text: expect.stringContaining("but the bundle is for store-2; take it to that machine."),
    });
    machines.writeLayout("other.yaml", addresses, { vault: "other" });
    await machines.say("vault", "create", "other.yaml", "--accept-weak");
    expect(await join("store-1", machines.bundle("store-1", "other"))).toMatchObject({
      code: 2,
      text: expect.stringContaining("This machine is store-1 of the vault photos"),
    });

    const running = processes.get("store-2") as ChildProcess;
    const ended = once(running, "exit");
    running.kill("SIGTERM");
    await ended;
    const drive = machines.drive("store-2", "ssd");
    cpSync(drive, `${drive}-kept`, { recursive: true });
    for (const name of readdirSync(drive)) rmSync(`${drive}/${name}`);
    expect(await join("store-2")).toMatchObject({
      code: 2,
      text: expect.stringContaining(`The drive ${drive} was formatted before and is empty`),
    });
    expect(readdirSync(drive)).toEqual([]);
  },
  LONG_MS,
);
