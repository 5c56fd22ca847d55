import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import {
  countPorts,
  createAccessKey,
  createLocalVault,
  findFreePorts,
  writeVaultFile,
} from "@stashlight/node-runtime/config";

const MIB = 1_048_576;

/** Writes the file of a vault of three pods, which `npm start` then uses instead of creating a large one. */
export async function writeSmallVault(
  path: string,
  { ingestPort, segmentCount }: { ingestPort: number; segmentCount: number },
): Promise<void> {
  const layout = { podNodeCount: 1, stashNodeCount: 1, drivesPerStashNode: 3 };
  const file = createLocalVault({
    ...layout,
    name: "local",
    pieceBytes: 2 * MIB,
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    podVolume: { segmentBytes: 4 * MIB, segmentCount },
    stashVolume: { segmentBytes: MIB, segmentCount },
    ports: await findFreePorts(countPorts(layout), Math.random),
  });
  const telemetry = { ingest: `http://127.0.0.1:${ingestPort}`, windowSeconds: 1 };
  mkdirSync(dirname(path), { recursive: true });
  writeVaultFile(path, { ...file, telemetry, accessKeys: [...file.accessKeys, createAccessKey("direct")] });
}
