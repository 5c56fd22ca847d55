/** Nodes answer with the agents' own admin pages, on ports of this test. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import {
  adminDoor,
  epochActions,
  epochPages,
  followCredentials,
  startAdminServer,
  type VaultEpochs,
} from "@stashlight/node-runtime";
import {
  inEpoch,
  parseVaultEpoch,
  provideKeys,
  readRawVaultFile,
  toVaultEpoch,
  type VaultEpoch,
  type VaultNode,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { afterEach, expect, test } from "vitest";
import { smallVault } from "../testing.ts";
import { withDrain } from "./next-epoch.ts";
import { changeQuarantine } from "./quarantine.ts";
import { drain, removeNode } from "./stash-servers.ts";

type Logger = Parameters<typeof followCredentials>[2];
const logger = { info: () => undefined, error: () => undefined } as unknown as Logger;

const DRAINED = "stash-5";
const screen = { say: () => undefined, draw: () => undefined };
const { signal } = new AbortController();

const folder = useTestFolder();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Live records of a stash server's drive; null before it reports them. */
type Held = Readonly<Record<string, number | null>>;

/** A running vault whose nodes share one epoch, with the path of its file. */
async function startVault(held: Held = {}) {
  const config = join(folder, "vault.json");
  writeVaultFile(config, smallVault("test", { podNodeCount: 3, stashNodeCount: 5 }));
  const file = provideKeys(config, { areAllHere: true });
  let current: VaultEpoch;
  const epochs = {
    get current() {
      return current;
    },
    take: (value: unknown, { isTrial = false } = {}) => {
      const next = parseVaultEpoch(value);
      if (!isTrial) current = next;
    },
  } as VaultEpochs;
  const ports: number[] = [];
  const audited: object[] = [];
  const audit = { append: async (line: object) => void audited.push(line) };
  for (const node of file.nodes) {
    const credentials = followCredentials(file, node, logger);
    const server = await startAdminServer(
      { ...adminDoor(file, node, credentials), port: 0 },
      {
        refused: () => undefined,
        health: () => makeHealth(node, held),
        unreadiness: () => null,
        pages: new Map(epochPages(epochs)),
        actions: new Map(epochActions(epochs, node.role === "coordinator" ? audit : null)),
      },
    );
    ports.push((server.address() as AddressInfo).port);
    closing.push(async () => {
      credentials.stop();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    });
  }
  const raw = readRawVaultFile(config);
  const nodes = raw.nodes.map((node, at) => ({ ...node, adminPort: ports[at] as number }));
  writeVaultFile(config, { ...raw, nodes });
  current = toVaultEpoch(readRawVaultFile(config));
  return {
    config,
    audited,
    get current() {
      return current;
    },
    set current(next: VaultEpoch) {
      current = next;
    },
  };
}

function makeHealth(node: VaultNode, held: Held): object {
  if (node.role === "coordinator") return { settledPodCount: 3, neededPodCount: 2, openRequestCount: 0 };
  const bytes = { bytesTotal: 9, bytesLive: 0, bytesUsed: 0, dataBytesMax: 9, dataBytesFree: 9 };
  const recordsLive = held[node.id] === undefined ? 0 : held[node.id];
  const log = recordsLive === null ? null : { recordsLive, ...bytes };
  const state = { type: "running", lifecycle: node.role === "pod" ? "settled" : "serving" };
  return { drives: node.drives.map(({ driveId }) => ({ driveId, state, log })) };
}

/** A vault with one draining stash server. */
async function startDraining(held: Held) {
  const vault = await startVault(held);
  const raw = readRawVaultFile(vault.config);
  const before = vault.current;
  vault.current = withDrain(before, DRAINED, true, raw);
  writeVaultFile(vault.config, inEpoch(raw, vault.current, vault.config));
  return { vault, config: vault.config, raw };
}

const idsIn = ({ nodes }: Pick<VaultEpoch, "nodes">): string[] => nodes.map(({ id }) => id);
const remove = (config: string, more: { node?: string; isLost?: boolean } = {}): Promise<number> =>
  removeNode({ name: "remove", config, node: DRAINED, isLost: false, ...more }, screen);

test("a stash server leaves the vault once it is drained and empty", async () => {
  const { vault, config } = await startDraining({ "stash-1": 9 });
  expect(await remove(config)).toBe(0);
  expect(idsIn(vault.current)).not.toContain(DRAINED);
  const { epoch } = vault.current;
  expect(vault.audited).toMatchObject([
    { action: "stash.remove", nodeId: DRAINED, epoch, result: "asked" },
    { action: "stash.remove", nodeId: DRAINED, epoch, result: "done" },
  ]);
  expect(toVaultEpoch(readRawVaultFile(config))).toEqual(vault.current);
});

test.each<[string, number | null, string]>([
  ["holds a shard", 1, `${DRAINED} holds 1 shard; `],
  ["holds shards", 700, `${DRAINED} holds 700 shards; `],
  ["does not report", null, `${DRAINED} does not report its content; `],
])("a stash server that %s stays unless its content is declared lost", async (_, count, reason) => {
  const { vault, config } = await startDraining({ [DRAINED]: count });
  const before = vault.current;
  await expect(remove(config)).rejects.toThrow(reason);
  expect(vault.current).toEqual(before);
  expect(await remove(config, { isLost: true })).toBe(0);
  expect(idsIn(vault.current)).not.toContain(DRAINED);
});

test("a stash server that is not drained stays, even if it is empty", async () => {
  const { config } = await startVault();
  await expect(remove(config)).rejects.toThrow("drain it first");
});

test("counts a server's content even if this copy of the vault's file is one epoch behind", async () => {
  const { vault, raw, config } = await startDraining({ [DRAINED]: 3 });
  const nodes = raw.nodes.filter(({ id }) => id !== DRAINED);
  writeVaultFile(config, { ...raw, nodes });
  await expect(remove(config)).rejects.toThrow(`${DRAINED} holds 3 shards; `);
  expect(idsIn(vault.current)).toContain(DRAINED);
});

test("a drain and its end are one epoch each, and a repetition changes nothing", async () => {
  const vault = await startVault();
  const { config, current } = vault;
  const command = { name: "drain", config, node: DRAINED, isWaiting: false } as const;
  const isDraining = () => {
    const node = vault.current.nodes.find(({ id }) => id === DRAINED);
    return node?.role === "stash" && node.isDraining === true;
  };
  for (const [isUndone, epoch] of [
    [false, current.epoch + 1],
    [false, current.epoch + 1],
    [true, current.epoch + 2],
    [true, current.epoch + 2],
  ] as const) {
    expect(await drain({ ...command, isUndone }, screen, signal)).toBe(0);
    expect([isDraining(), vault.current.epoch]).toEqual([!isUndone, epoch]);
  }
  expect(vault.audited).toMatchObject(
    ["stash.drain", "stash.drain", "stash.undrain", "stash.undrain"].map((action) => ({ action })),
  );
});

const marksIn = ({ nodes }: VaultEpoch) =>
  nodes.flatMap((node) =>
    node.role === "stash"
      ? node.drives.flatMap(({ device, quarantine }) => (quarantine ? [device] : []))
      : [],
  );

test("a quarantine and its release are one epoch each, with the cost first and a line in the audit log", async () => {
  const vault = await startVault();
  const { epoch } = vault.current;
  const lines: string[] = [];
  const act = (name: "quarantine" | "release", isDryRun = false) =>
    changeQuarantine(
      { name, config: vault.config, address: "s1", isDryRun },
      { ...screen, say: (line) => void lines.push(line) },
    );
  expect(await act("quarantine", true)).toBe(0);
  expect([vault.current.epoch, vault.audited, lines.at(-1)]).toEqual([epoch, [], "Nothing was changed."]);
  expect(lines[0]).toMatch(/^Of the stash devices 4 take new shards instead of 5, .* It costs no nines/);
  await act("quarantine");
  await act("quarantine");
  expect([marksIn(vault.current), vault.current.epoch]).toEqual([[1], epoch + 1]);
  expect(lines.at(-1)).toMatch(
    /^s1 has been in quarantine since \d{4}-\d\d-\d\d \d\d:\d\d UTC \(by .+@.+\) /,
  );
  await act("release");
  await act("release");
  expect([marksIn(vault.current), vault.current.epoch]).toEqual([[], epoch + 2]);
  const operator = { user: expect.any(String), host: expect.any(String) };
  const quarantine = { action: "drive.quarantine", drive: "s1", operator, epoch: epoch + 1 };
  const release = { action: "drive.release", drive: "s1", operator, epoch: epoch + 2 };
  expect(vault.audited).toMatchObject([
    { ...quarantine, result: "asked" },
    { ...quarantine, result: "done" },
    { ...release, result: "asked" },
    { ...release, result: "done" },
  ]);
});

test("a quarantine of a pod, or of a device that uploads need, is refused with the numbers and changes nothing", async () => {
  const vault = await startVault();
  const act = (address: string) =>
    changeQuarantine({ name: "quarantine", config: vault.config, address, isDryRun: false }, screen);
  await expect(act("p1")).rejects.toThrow("waits for only 2 of the 3 pods");
  for (const address of ["s0", "s1", "s2"]) expect(await act(address)).toBe(0);
  await expect(act("s3")).rejects.toThrow(
    "Without s3 1 stash devices would take new shards, and an upload needs 2;",
  );
  expect(marksIn(vault.current)).toEqual([0, 1, 2]);
});

test.each<[string, (config: string) => Promise<number>]>([
  [
    "quarantine",
    (config) => changeQuarantine({ name: "quarantine", config, address: "s1", isDryRun: false }, screen),
  ],
  [
    "drain",
    (config) =>
      drain({ name: "drain", config, node: DRAINED, isWaiting: false, isUndone: false }, screen, signal),
  ],
])("a %s whose audit line cannot be written changes nothing", async (_, act) => {
  const vault = await startVault();
  const before = vault.current;
  vault.audited.push = () => {
    throw new Error("no space");
  };
  await expect(act(vault.config)).rejects.toThrow(
    "The audit log of this coordinator cannot be written (no space)",
  );
  expect(vault.current).toEqual(before);
});

test("a change whose end cannot be written to the audit log is in force", async () => {
  const vault = await startVault();
  const { audited } = vault;
  const before = vault.current.epoch;
  audited.push = (line) => {
    if (audited.length > 0) throw new Error("no space");
    audited[0] = line;
    return 1;
  };
  const command = { name: "quarantine", config: vault.config, address: "s1", isDryRun: false } as const;
  expect(await changeQuarantine(command, screen)).toBe(0);
  expect(vault.current.epoch).toBe(before + 1);
  expect(audited).toHaveLength(1);
  expect(audited[0]).toMatchObject({ epoch: before + 1, result: "asked" });
});
