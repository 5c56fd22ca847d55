import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { isCertified, isNodeId } from "./handshake.ts";
import { createAuthority } from "./testing/certificates.ts";

const authority = createAuthority("vault authority");
const certificateOf = (name: string) => new X509Certificate(authority.issue(name).cert);

test("a certificate names a node in full, or not at all", () => {
  const rows = [
    ["pod-02", "pod-02", true],
    ["pod-02", "pod-03", false],
    ["pod-02", "pod-0", false],
    ["pod-02.vault", "pod-02", false],
    ["pod-02.vault", ".vault", false],
    ["*.vault", "pod-02.vault", false],
    ["*", "pod-02", false],
    ["*", "*", false],
    ["pod-02", "", false],
  ] as const;
  for (const [certified, nodeId, isNamed] of rows) {
    expect([certified, nodeId, isCertified(certificateOf(certified), nodeId)]).toEqual([
      certified,
      nodeId,
      isNamed,
    ]);
  }
});

test("a node id is accepted only if it is not a pattern in certificates", () => {
  const good = ["a", "pod-03", "stash.rack-2", "0", "x".repeat(63)];
  const bad = ["", "Pod-03", "-pod", "pod-", "*", ".vault", "pod 3", "pod_3", "x".repeat(64), "pod\u0000"];
  expect(good.map(isNodeId)).toEqual(good.map(() => true));
  expect(bad.map(isNodeId)).toEqual(bad.map(() => false));
});
