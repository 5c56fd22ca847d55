/** Uses the agents' own admin pages and credentials as nodes, on ports of this test. */
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { certificateMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS } from "@stashlight/contracts/time";
import {
  type AdminAction,
  AdminError,
  adminDoor,
  certificateActions,
  certificatePages,
  followCredentials,
  startAdminServer,
} from "@stashlight/node-runtime";
import { loadVaultFile, type VaultNode, writeVaultFile } from "@stashlight/node-runtime/config";
import { afterEach, expect, test } from "vitest";
import { readBundle } from "../bundle/bundle.ts";
import { bundlePath, createVault, openSetupFolder, vaultFileIn } from "../create.ts";
import { vaultFileOfMachine, writeMachineFiles } from "../join/machine-folder.ts";
import { parseLayout } from "../layout/parse-layout.ts";
import { type RenewalOutcome, renewVault } from "./renew.ts";

const text = `vault: photos
scheme: 2+1
size: { pod: 64MiB, stash: 32MiB }
s3: { names: [photos.example.org] }
machines:
  - { name: front, address: 127.0.0.2, coordinator: true }
  - { name: m1, address: 127.0.0.3, pods: [/srv/hdd0, /srv/hdd1, /srv/hdd2], stash: [/srv/ssd0] }
`;
const ids = ["front.coordinator", "m1.pod", "m1.stash"];
/** TLS checks certificates against this machine's clock, in whole seconds. */
const renewedMs = Math.floor(Date.now() / 1000) * 1000;
const createdMs = renewedMs - 60 * DAY_MS;
const untilMs = renewedMs + certificateMarks.lifetimeDays * DAY_MS;

const parent = useTestFolder();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function stop(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

type Logger = Parameters<typeof followCredentials>[2];
const logger = { info: () => undefined, error: () => undefined } as unknown as Logger;

/** Starts a vault whose nodes may have other actions; those in `silent` do not run. */
async function startVault({
  actions = {},
  silent = [],
}: {
  readonly actions?: Readonly<Record<string, readonly [path: string, action: AdminAction][]>>;
  readonly silent?: readonly string[];
} = {}) {
  const folder = join(parent, "photos");
  const { file: created } = await createVault(parseLayout(text, "photos.yaml"), folder, createdMs);
  const ports = new Map<string, number>();
  const running = new Map<string, VaultNode>();
  for (const machine of ["front", "m1"]) {
    const machineFolder = join(parent, machine);
    writeMachineFiles(machineFolder, readBundle(bundlePath(folder, machine)));
    const file = loadVaultFile(vaultFileOfMachine(machineFolder));
    for (const node of file.nodes.filter((each) => each.machine === machine)) {
      const credentials = followCredentials(file, node, logger);
      const door = { ...adminDoor(file, node, credentials), host: "127.0.0.1", port: 0 };
      const server = await startAdminServer(door, {
        refused: () => undefined,
        health: () => ({ nodeId: node.id }),
        unreadiness: () => null,
        pages: certificatePages(credentials),
        actions: new Map([...certificateActions(credentials), ...(actions[node.id] ?? [])]),
      });
      closing.push(async () => credentials.stop());
      ports.set(node.id, (server.address() as AddressInfo).port);
      running.set(node.id, node);
      if (silent.includes(node.id)) await stop(server);
      else closing.push(() => stop(server));
    }
  }
  const nodes = created.nodes.map((node) => {
    return { ...node, host: "127.0.0.1", adminPort: ports.get(node.id) as number };
  });
  writeVaultFile(vaultFileIn(folder), { ...created, nodes });
  const findNode = (id: string) => running.get(id) as VaultNode;
  return {
    setup: openSetupFolder(folder),
    certificateOf: (id: string) => new X509Certificate(readFileSync(findNode(id).tls?.cert as string)),
    edgeCertificate: () => {
      const node = findNode("front.coordinator");
      return new X509Certificate(readFileSync(node.role === "coordinator" ? (node.s3.tls?.cert ?? "") : ""));
    },
  };
}
async function renew(vault: Awaited<ReturnType<typeof startVault>>, hasNewKeys = false) {
  const outcomes: RenewalOutcome[] = [];
  const areAll = await renewVault(vault.setup, {
    hasNewKeys,
    nowMs: () => renewedMs,
    renewed: (outcome) => void outcomes.push(outcome),
  });
  return { areAll, outcomes };
}

const renewed = (nodeId: string): RenewalOutcome => ({ nodeId, validUntilMs: untilMs, reason: null });

test.each([
  ["the keys that they have", false],
  ["new keys", true],
])("all nodes of a running vault get renewed certificates for %s", async (_, hasNewKeys) => {
  const vault = await startVault();
  const before = ids.map(vault.certificateOf);
  const edgeBefore = vault.edgeCertificate();
  const { areAll, outcomes } = await renew(vault, hasNewKeys);
  expect(outcomes).toEqual(ids.map(renewed));
  expect(areAll).toBe(true);
  const pairs = [
    ...ids.map((id, at) => [before[at] as X509Certificate, vault.certificateOf(id)] as const),
    [edgeBefore, vault.edgeCertificate()] as const,
  ];
  for (const [old, now] of pairs) {
    expect(now.validToDate.getTime()).toBe(untilMs);
    expect(now.publicKey.equals(old.publicKey)).toBe(!hasNewKeys);
  }
  expect(ids.map((id) => vault.certificateOf(id).checkHost(id))).toEqual(ids);
  expect(vault.edgeCertificate().checkHost("photos.example.org")).toBe("photos.example.org");
});

test("running nodes use the renewed credentials, so that they can be renewed again", async () => {
  const vault = await startVault();
  expect((await renew(vault, true)).areAll).toBe(true);
  expect((await renew(vault, true)).areAll).toBe(true);
});

test("an unreachable node is named with the reason, and all others are renewed", async () => {
  const vault = await startVault({ silent: ["m1.pod"] });
  const { areAll, outcomes } = await renew(vault);
  expect(areAll).toBe(false);
  const reason = "m1.pod does not answer (ECONNREFUSED).";
  expect(outcomes).toEqual(ids.map((id) => (id === "m1.pod" ? failed(id, reason) : renewed(id))));
});

const failed = (nodeId: string, reason: string): RenewalOutcome => ({ nodeId, validUntilMs: null, reason });
const refuse = (sentence: string) => () => {
  throw new AdminError(409, sentence);
};

test.each<[string, string, AdminAction, string]>([
  ["to make keys", "/certificates/keys", refuse("The disk is full."), "The disk is full."],
  ["the certificate", "/certificates", refuse("It is for another node."), "It is for another node."],
  [
    "keys in another form",
    "/certificates/keys",
    () => ({ publicKey: 7 }),
    "m1.pod cannot be renewed while it runs.",
  ],
  [
    "keys, because it has none of the authority",
    "/certificates/keys",
    () => ({ publicKey: null, edgePublicKey: null }),
    "m1.pod cannot be renewed while it runs.",
  ],
  ["the certificate without a reason", "/certificates", () => ({}), "m1.pod refused."],
])(
  "a node that refuses %s is reported with its reason, and all others are renewed",
  async (_, path, action, reason) => {
    const vault = await startVault({ actions: { "m1.pod": [[path, action]] } });
    const before = vault.certificateOf("m1.pod").fingerprint256;
    const { areAll, outcomes } = await renew(vault, true);
    expect(areAll).toBe(false);
    expect(outcomes).toEqual(ids.map((id) => (id === "m1.pod" ? failed(id, reason) : renewed(id))));
    expect(vault.certificateOf("m1.pod").fingerprint256).toBe(before);
  },
);
