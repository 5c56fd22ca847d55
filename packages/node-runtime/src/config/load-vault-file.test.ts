import { expect, test } from "vitest";
import { countPorts, createLocalVault } from "./create-local-vault.ts";
import { parseVaultFile, VaultFileError } from "./load-vault-file.ts";
import type { CoordinatorNode, VaultFile } from "./vault-file-schema.ts";

const layout = { podNodeCount: 3, stashNodeCount: 3 };
const good = createLocalVault({
  ...layout,
  name: "test",
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  drivesPerStashNode: 1,
  podVolume: { segmentBytes: 4_194_304, segmentCount: 4 },
  stashVolume: { segmentBytes: 4_194_304, segmentCount: 4 },
  pieceBytes: 1_048_576,
  ports: Array.from({ length: countPorts(layout) }, (_, i) => 20_000 + i),
});

const FILE = "/etc/stashlight/vault.json";
const parse = (value: object) => parseVaultFile(JSON.stringify(value), FILE);

test("the file of a new vault is read back with the same nodes, whose state folders are beside it", () => {
  const file = parse(good);
  expect(file.nodes.map(({ id }) => id)).toEqual(good.nodes.map(({ id }) => id));
  expect(file.nodes.map(({ stateFolder }) => stateFolder)).toEqual(
    good.nodes.map(({ id }) => `/etc/stashlight/${id}/state`),
  );
});

test("an access key with only an id and a secret may write to all buckets of the default owner", () => {
  const id = "KEYWITHOUTANYTHING00";
  const [key] = parse({ ...good, accessKeys: [{ id, secret: "s".repeat(32) }] }).accessKeys;
  expect(key).toMatchObject({
    id,
    permission: "write",
    owner: "stashlight",
    buckets: "all",
    isDisabled: false,
  });
});

/** Returns the file with changes to this node. */
const withNode = (id: string, change: object): object => ({
  ...good,
  nodes: good.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)),
});
const without = (...ids: string[]): object => ({
  ...good,
  nodes: good.nodes.filter(({ id }) => !ids.includes(id)),
});
const nodeDrives = (nodeId: string) => {
  const node = good.nodes.find(({ id }) => id === nodeId);
  return node === undefined || node.role === "coordinator" ? [] : node.drives;
};
const stashNode = good.nodes.find(({ id }) => id === "stash-1") as VaultFile["nodes"][number];

const coordinator = good.nodes.find(({ role }) => role === "coordinator") as CoordinatorNode;
const withDomain = (domain: string) =>
  withNode(coordinator.id, { s3: { ...coordinator.s3, domains: [domain] } });

test.each(["s3.example.org", "vault", "10.example.org"])("the bucket domain %s is accepted", (domain) => {
  const node = parse(withDomain(domain)).nodes.find(({ role }) => role === "coordinator") as CoordinatorNode;
  expect(node.s3.domains).toEqual([domain]);
});

test.each<[string, object, string]>([
  ...[
    "S3.example.org",
    "s3.example.org:4690",
    "http://s3.example.org",
    "10.0.0.1",
    "*.example.org",
    ".org",
    "",
  ].map((domain): [string, object, string] => [
    `the domain "${domain}"`,
    withDomain(domain),
    "must be a domain",
  ]),
  ["no format version", { ...good, formatVersion: undefined }, "formatVersion: "],
  ["a later format version", { ...good, formatVersion: 2 }, "formatVersion: "],
  [
    "a cluster id of another length",
    { ...good, clusterId: "ab" },
    "clusterId: must be 32 hexadecimal digits",
  ],
  ["an unknown field", { ...good, color: "red" }, "color"],
  [
    "a scheme without parity",
    { ...good, scheme: { dataShardCount: 2, parityShardCount: 0 } },
    "scheme.parityShardCount: ",
  ],
  [
    "a scheme with more parity than data",
    { ...good, scheme: { dataShardCount: 2, parityShardCount: 2 } },
    "scheme: A vault's scheme has k > m",
  ],
  ["pieces that are too small", { ...good, pieceBytes: 1000 }, "pieceBytes: "],
  [
    "too few segments",
    { ...good, podVolume: { segmentBytes: 4_194_304, segmentCount: 3 } },
    "podVolume.segmentCount",
  ],
  ["a share above one", { ...good, stashFullAtShare: 75 }, "stashFullAtShare: "],
  ["no coordinator", without("coordinator-1"), "there is no node with the role coordinator."],
  ["no stash", without("stash-1", "stash-2", "stash-3"), "there is no node with the role stash."],
  ["a pod without a drive", without("pod-2"), "pod 1 has no drive; a vault of 3 shards has as many pods."],
  ["a node without a host", withNode("pod-1", { host: "" }), "nodes[1].host: "],
  ["a node with an unknown role", withNode("pod-1", { role: "pot" }), "nodes[1].role: "],
  ["two nodes of one name", withNode("pod-1", { id: "pod-2" }), "the node id pod-2 is given twice."],
  [
    "two nodes at one address",
    withNode("pod-1", { port: 20_005 }),
    "the address 127.0.0.1:20005 is given twice.",
  ],
  ["a repeated drive", withNode("pod-1", { drives: nodeDrives("pod-2") }), "pod 0 has no drive"],
  [
    "a repeated folder",
    withNode("pod-1", { drives: nodeDrives("pod-1").map((drive) => ({ ...drive, path: "pod-2/drive-1" })) }),
    "the drive folder /pod-2/drive-1 is given twice.",
  ],
  [
    "a repeated stash device",
    { ...good, nodes: [...good.nodes, { ...stashNode, id: "stash-9" }] },
    "the stash device 0 is given twice.",
  ],
  [
    "a drive with an unknown model",
    withNode("stash-1", { drives: [{ ...nodeDrives("stash-1")[0], model: "abacus" }] }),
    ".model: ",
  ],
  [
    "a secret that is easy to guess",
    { ...good, accessKeys: [{ ...good.accessKeys[0], secret: "secret" }] },
    ".secret: ",
  ],
  [
    "a certificate without an authority",
    withNode("pod-1", { tls: { cert: "c", key: "k" } }),
    "node pod-1 has a certificate",
  ],
  [
    "a repeated public key",
    { ...good, nodes: good.nodes.map((node) => ({ ...node, publicKey: "A".repeat(43) })) },
    "the public key AAAA",
  ],
  ["a truncated public key", withNode("pod-1", { publicKey: "A".repeat(42) }), ".publicKey: "],
  ["a host beyond this machine", withNode("pod-1", { host: "10.0.0.7" }), "node pod-1 has the host 10.0.0.7"],
  ["a host name", withNode("pod-1", { host: "localhost" }), "not a loopback address"],
  ["the host 0.0.0.0", withNode("stash-1", { host: "0.0.0.0" }), "certificates"],
  ["an authority without certificates", { ...good, ca: "ca.pem" }, "node coordinator-1 has no certificate"],
])("a vault's file with %s is refused in one sentence that names the place", (_, value, words) => {
  const refusal = (() => {
    try {
      return parse(value);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(VaultFileError);
  expect((refusal as Error).message).toMatch(/^\/etc\/stashlight\/vault\.json: [^\n]+\.$/);
  expect((refusal as Error).message).toContain(words);
});
