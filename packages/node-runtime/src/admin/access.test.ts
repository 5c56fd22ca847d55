/**
 * Tests that a node of a vault with certificates answers over TLS, and only clients that trust its authority and have
 * the token.
 */
import { rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { createNodeKey, publicKeyText, readNodeKey } from "@stashlight/transport";
import { createAuthority } from "@stashlight/transport/testing";
import { beforeEach, expect, test } from "vitest";
import { hashAdminToken } from "../config/admin-token.ts";
import { type VaultFile, VaultFileError, type VaultNode } from "../config/index.ts";
import { NodeCredentials } from "../credentials/credentials.ts";
import { adminDoor, readAdminAccess } from "./access.ts";
import { type AdminSource, startAdminServer } from "./admin-server.ts";
import { askAdmin } from "./ask-admin.ts";

const TOKEN = "sla_test";
const source: AdminSource = {
  refused: () => undefined,
  health: () => ({ nodeId: "pod-1" }),
  unreadiness: () => null,
};

const folder = useTestFolder();
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  writeFileSync(at("admin.token"), `${TOKEN}\n`);
});

function makeVault(authority: ReturnType<typeof createAuthority>): { file: VaultFile; node: VaultNode } {
  const { ca, cert, key } = authority.issue("pod-1");
  for (const [name, text] of Object.entries({ ca, cert, key })) writeFileSync(at(name), text);
  const tokenSha256 = hashAdminToken(TOKEN).toString("hex");
  const pem = createNodeKey();
  writeFileSync(at("node.key"), pem, { mode: 0o600 });
  const publicKey = publicKeyText(readNodeKey(pem));
  const node = {
    publicKey,
    stateFolder: folder,
    id: "pod-1",
    host: "127.0.0.1",
    adminPort: 0,
    tls: { cert: at("cert"), key: at("key") },
  };
  const admin = { tokenSha256, tokenFile: at("admin.token") };
  const file = { admin, ca: at("ca"), nodes: [node] } as unknown as VaultFile;
  return { file, node: node as unknown as VaultNode };
}

test("admin pages are served over TLS, and a client accepts no other authority and no other node's certificate", async () => {
  const { file, node } = makeVault(createAuthority("vault authority"));
  const server = await startAdminServer(adminDoor(file, node, new NodeCredentials(file, node)), source);
  try {
    const asked = { ...node, adminPort: (server.address() as AddressInfo).port };
    const access = readAdminAccess(file);
    expect(await askAdmin(asked, "/healthz", { access })).toMatchObject({
      status: 200,
      body: { nodeId: "pod-1" },
    });
    const stranger = createAuthority("a foreign authority").issue("pod-1");
    expect(await askAdmin(asked, "/healthz", { access: { ...access, ca: stranger.ca } })).toMatchObject({
      type: "silent",
    });
    const other = { ...asked, id: "pod-2" };
    expect(await askAdmin(other, "/healthz", { access })).toMatchObject({ type: "silent" });
    expect(await askAdmin({ ...asked, tls: undefined }, "/healthz", { access })).toMatchObject({
      type: "silent",
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("a vault without a token has no admin pages and grants no access to them", () => {
  const { file, node } = makeVault(createAuthority("vault authority"));
  const without = { ...file, admin: undefined };
  expect(() => adminDoor(without, node, new NodeCredentials(without, node))).toThrow(VaultFileError);
  expect(() => readAdminAccess(without)).toThrow(/vault keys/);
  rmSync(at("admin.token"));
  expect(() => readAdminAccess(file)).toThrow(/admin\.token/);
});
