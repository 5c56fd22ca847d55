/** Tests the output of `vault create`, and the allowed contents of a bundle. */
import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadVaultFile } from "@stashlight/node-runtime/config";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBundle } from "./bundle/bundle.ts";
import { bundleMachine, bundlePath, createVault, openSetupFolder, vaultFileIn } from "./create.ts";
import { parseLayout } from "./layout/parse-layout.ts";

const text = `vault: photos
scheme: 2+1
size: { pod: 64MiB, stash: 32MiB }
s3: { names: [photos.example.org], domains: [s3.example.org] }
console: { ingest: "http://127.0.0.1:4685", tokens: { pod: "sle_${"p".repeat(43)}", coordinator: "sle_${"c".repeat(43)}" } }
machines:
  - { name: front, address: 127.0.0.2, coordinator: true }
  - { name: m1, address: 127.0.0.3, pods: [/srv/hdd0], stash: [/srv/ssd0] }
  - { name: m2, address: 127.0.0.4, pods: [/srv/hdd0], stash: [/srv/ssd0] }
  - { name: m3, address: 127.0.0.5, pods: [/srv/hdd0], stash: [/srv/ssd0] }
`;
const machines = ["front", "m1", "m2", "m3"];
const nowMs = Date.parse("2026-11-24T12:00:00Z");

let parent = "";
let folder = "";
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "stashlight-create-"));
  folder = join(parent, "photos");
  await createVault(parseLayout(text, "photos.yaml"), folder, nowMs);
});
afterEach(() => rmSync(parent, { recursive: true }));

const bundleOf = (machine: string) => readBundle(bundlePath(folder, machine));
const privateKeys = (all: string): string[] =>
  all.match(/-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/g) ?? [];

test("the folder holds the vault, its authority and a bundle per machine, readable by its owner only", () => {
  expect(readdirSync(parent)).toEqual(["photos"]);
  const file = loadVaultFile(vaultFileIn(folder));
  expect(file.nodes.map(({ id, machine }) => `${machine} ${id}`)).toEqual([
    "front front.coordinator",
    ...["m1", "m2", "m3"].flatMap((each) => [`${each} ${each}.pod`, `${each} ${each}.stash`]),
  ]);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const modes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777);
  expect(new Set(modes)).toEqual(new Set([0o600]));
});

test("git ignores the whole folder of a vault inside a checkout, including the authority's key", () => {
  const git = (...args: string[]) => spawnSync("git", ["-C", folder, ...args], { encoding: "utf8" });
  git("init", "--quiet");
  expect(git("status", "--porcelain", "--untracked-files=all").stdout).toBe("");
  expect(git("check-ignore", "authority.key").stdout).toBe("authority.key\n");
});

test("a bundle holds the keys of its own machine, but neither other machines' nor the authority's", () => {
  const authority = readFileSync(join(folder, "authority.key"), "utf8").trim();
  const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
  const { secret } = loadVaultFile(vaultFileIn(folder)).accessKeys[0] ?? { secret: "" };
  const byMachine = new Map(machines.map((machine) => [machine, JSON.stringify(bundleOf(machine).files)]));
  const keys = new Map(
    machines.map((machine) => [machine, privateKeys(Object.values(bundleOf(machine).files).join("\n"))]),
  );
  // One key per node, and one for the coordinator's S3 endpoint.
  expect([...keys.values()].map(({ length }) => length)).toEqual([2, 2, 2, 2]);
  expect(new Set([...keys.values()].flat()).size).toBe(8);
  for (const [machine, all] of byMachine) {
    const isFront = machine === "front";
    expect(keys.get(machine)).not.toContain(authority);
    expect(all.includes(secret)).toBe(isFront);
    expect(all.includes(token)).toBe(isFront);
    for (const path of Object.keys(bundleOf(machine).files).filter((each) => each.startsWith("nodes/"))) {
      expect(path).toMatch(new RegExp(`^nodes/${machine}\\.`));
    }
  }
  expect(bundleOf("m1").tokens).toEqual({ pod: `sle_${"p".repeat(43)}` });
  expect(bundleOf("front").tokens).toEqual({ coordinator: `sle_${"c".repeat(43)}` });
});

test("certificates are issued by the authority for the node's own key and name, and expire after 90 days", () => {
  const { files } = bundleOf("m1");
  const certificate = new X509Certificate(files["nodes/m1.pod/node.pem"] ?? "");
  const authority = new X509Certificate(files["ca.pem"] ?? "");
  expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true);
  expect(certificate.publicKey.asymmetricKeyType).toBe("ed25519");
  expect(certificate.subjectAltName).toBe("DNS:m1.pod, IP Address:127.0.0.3");
  expect(certificate.ca).toBe(false);
  expect(certificate.validToDate).toEqual(new Date("2027-02-22T12:00:00Z"));
  const edge = new X509Certificate(bundleOf("front").files["nodes/front.coordinator/s3.pem"] ?? "");
  expect(edge.checkHost("photos.example.org")).toBe("photos.example.org");
  expect(edge.checkIP("127.0.0.2")).toBe("127.0.0.2");
  for (const name of ["s3.example.org", "bucket.s3.example.org"]) {
    expect(edge.checkHost(name, { wildcards: true })).toBeDefined();
  }
  const front = JSON.parse(readFileSync(vaultFileIn(folder), "utf8")).nodes[0];
  expect(front.s3.domains).toEqual(["s3.example.org"]);
});

test("a vault is not created over another vault, or in a folder that is not empty", async () => {
  const layout = parseLayout(text, "photos.yaml");
  const before = readFileSync(vaultFileIn(folder), "utf8");
  await expect(createVault(layout, folder, nowMs)).rejects.toThrow(
    `${folder} already holds a vault; give another folder with --folder.`,
  );
  expect(readFileSync(vaultFileIn(folder), "utf8")).toBe(before);
  const other = mkdtempSync(join(parent, "other-"));
  writeFileSync(join(other, "notes.txt"), "");
  await expect(createVault(layout, other, nowMs)).rejects.toThrow("is not empty");
  expect(readdirSync(other)).toEqual(["notes.txt"]);
});

test("another bundle of a machine has other keys, and a bundle for an unknown machine is refused", async () => {
  const before = bundleOf("m2");
  const setup = openSetupFolder(folder);
  await bundleMachine(setup, "m2", nowMs + 1);
  const after = bundleOf("m2");
  expect(after.files["nodes/m2.pod/node.key"]).not.toBe(before.files["nodes/m2.pod/node.key"]);
  expect(after.clusterId).toBe(before.clusterId);
  await expect(bundleMachine(setup, "m9", nowMs)).rejects.toThrow(
    "The vault has no machine m9; it has front, m1, m2, m3.",
  );
});

test.each<[string, (text: string) => string, string]>([
  ["cut off", (whole) => whole.slice(0, -200), "is cut off or damaged"],
  ["changed", (whole) => whole.replace('"machine": "m1"', '"machine": "m2"'), "is damaged or was changed"],
  ["another kind of file", () => "PK\u0003\u0004", "is not a machine's bundle"],
  ["empty", () => "", "is not a machine's bundle"],
  ["other JSON", () => '{"name": "x"}', "is not a machine's bundle"],
])("a bundle that is %s is refused", (_name, change, sentence) => {
  const path = bundlePath(folder, "m1");
  writeFileSync(path, change(readFileSync(path, "utf8")));
  expect(() => readBundle(path)).toThrow(sentence);
});

test("a bundle that other users can read is refused", () => {
  chmodSync(bundlePath(folder, "m1"), 0o644);
  expect(() => readBundle(bundlePath(folder, "m1"))).toThrow(
    "which holds private keys; run chmod 600 on it.",
  );
});
