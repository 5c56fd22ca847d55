/** For tests: a pod in a separate process, as on a machine, which reports to an ingest every second. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEnrolmentTokenInput } from "@stashlight/contracts/node";
import {
  countPorts,
  createLocalVault,
  findFreePorts,
  provideKeys,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { createEnrolmentToken } from "@stashlight/services/node";
import type { TestIngest } from "./harness.ts";

const MAIN = join(import.meta.dirname, "../../../../agents/node/src/main.ts");
const volume = { segmentBytes: 1_048_576, segmentCount: 4 };
const shape = {
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  podNodeCount: 1,
  stashNodeCount: 1,
  drivesPerStashNode: 1,
};

export interface PodAgent {
  /** Name of the node in the console. */
  readonly name: string;
  /** Current value of one of the agent's own metrics; null if it has no such metric. */
  told(metric: string): Promise<number | null>;
  /** Resolves when its last window is delivered or kept. */
  stop(): Promise<void>;
  /** Ends the agent if it is running, and removes its folder. */
  remove(): Promise<void>;
}

export async function startPodAgent(ingest: TestIngest, ingestUrl: string): Promise<PodAgent> {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-ingest-pod-"));
  const ports = await findFreePorts(countPorts(shape), Math.random);
  const volumes = { podVolume: volume, stashVolume: volume, pieceBytes: 1_048_576 };
  const vault = createLocalVault({ ...shape, ...volumes, name: "small", ports });
  const telemetry = { ingest: ingestUrl, windowSeconds: 1 };
  writeVaultFile(join(folder, "vault.json"), { ...vault, telemetry });
  provideKeys(join(folder, "vault.json"), { areAllHere: true });
  const adminToken = readFileSync(join(folder, "admin.token"), "utf8").trim();
  const terms = { vault: "small", role: "pod", isAutoApproved: true };
  const input = createEnrolmentTokenInput.parse(terms);
  const { token } = await createEnrolmentToken({ ctx: ingest.admin.ctx, input });
  writeFileSync(join(folder, "token"), token);
  const args = ["--config", "vault.json", "--node", "pod-1", "--enrolment-token-file", "token", "--format"];
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const [report] = await once(child, "message");
  if (report.type !== "ready") throw new Error(report.message);
  const adminPort = vault.nodes.find(({ id }) => id === "pod-1")?.adminPort;
  return {
    name: "small.pod-1",
    told: async (metric) => {
      const headers = { authorization: `Bearer ${adminToken}` };
      const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`, { headers })).text();
      const found = new RegExp(`^${metric} (\\S+)$`, "m").exec(text);
      return found === null ? null : Number(found[1]);
    },
    stop: async () => {
      child.disconnect();
      await ended;
    },
    remove: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
