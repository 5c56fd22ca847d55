import type { ChildProcess } from "node:child_process";
import type { ProcessReport } from "@stashlight/contracts/process";
import { Failure } from "./failure.ts";
import { readLastLines } from "./log-files.ts";
import { type NodeProcess, spawnNode } from "./node-process.ts";

/**
 * Runs a process that performs one task and reports its result in one message. `onSpawn` receives the process, so that
 * a stop can end it.
 */
export async function askHelper<Result extends { type: string }>(
  definition: NodeProcess,
  resultType: Result["type"],
  onSpawn: (child: ChildProcess) => void,
): Promise<Result> {
  const child = spawnNode(definition);
  onSpawn(child);
  const report = await new Promise<Result | ProcessReport | undefined>((resolve) => {
    child.once("message", (message) => resolve(message as Result | ProcessReport));
    child.once("error", () => resolve(undefined));
    child.once("close", () => resolve(undefined));
  });
  if (report?.type === resultType) return report as Result;
  if (report?.type === "failed") throw new Failure((report as { message: string }).message);
  throw new Failure(`${definition.label} ended before it was done; see ${definition.logFile}.`, {
    evidence: readLastLines(definition.logFile, 0, 10),
  });
}
