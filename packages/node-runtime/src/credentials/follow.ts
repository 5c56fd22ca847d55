import type { Logger } from "pino";
import type { VaultFile, VaultNode } from "../config/index.ts";
import { NodeCredentials } from "./credentials.ts";

/** Reads the credentials of a node, and follows changes of their files. Throws a VaultFileError. */
export function followCredentials(file: VaultFile, node: VaultNode, logger: Logger): NodeCredentials {
  const credentials = new NodeCredentials(file, node);
  credentials.follow(
    () => logger.info(credentials.state(), "new keys or certificates are in use"),
    (reason) => logger.error({ reason }, "new keys or certificates cannot be used; the old ones stay in use"),
  );
  return credentials;
}
