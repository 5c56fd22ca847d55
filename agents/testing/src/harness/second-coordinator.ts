import type { VaultFile } from "@stashlight/node-runtime/config";
import { findFreePorts } from "./free-ports.ts";

export interface SecondCoordinator {
  readonly endpoint: string;
  /** The option of a test vault that adds the coordinator. */
  readonly amend: (file: VaultFile) => VaultFile;
}

/** A second coordinator, which shares nothing with the first one except the vault. */
export async function useSecondCoordinator(): Promise<SecondCoordinator> {
  const [port, adminPort, s3Port] = (await findFreePorts(3)) as [number, number, number];
  return {
    endpoint: `http://127.0.0.1:${s3Port}`,
    amend: (file) => {
      const first = file.nodes.find((node) => node.role === "coordinator");
      if (first?.role !== "coordinator") throw new Error("The vault has no coordinator.");
      const stateFolder = first.stateFolder.replace("coordinator-1", "coordinator-2");
      const place = { id: "coordinator-2", port, adminPort, stateFolder, s3: { ...first.s3, port: s3Port } };
      return { ...file, nodes: [...file.nodes, { ...first, ...place }] };
    },
  };
}
