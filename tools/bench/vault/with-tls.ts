import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { createAuthority } from "@stashlight/transport/testing";
import { authorityFile, tlsHost } from "./target.ts";

/** Gives the vault its own authority and certificates, which are written beside the vault's file. */
export function withTls(folder: string, file: VaultFile): VaultFile {
  const authority = createAuthority(`the bench's ${file.clusterId}`);
  const issue = (name: string) => {
    const { ca, cert, key } = authority.issue(name);
    writeFileSync(join(folder, authorityFile), ca);
    writeFileSync(join(folder, `${name}.pem`), cert);
    writeFileSync(join(folder, `${name}.key`), key, { mode: 0o600 });
    return { cert: `${name}.pem`, key: `${name}.key` };
  };
  const nodes = file.nodes.map((node) => {
    const tls = issue(node.id);
    return node.role === "coordinator"
      ? { ...node, tls, s3: { ...node.s3, tls: issue(tlsHost) } }
      : { ...node, tls };
  });
  return { ...file, ca: authorityFile, nodes };
}
