import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { askHelper } from "../helper-process.ts";
import type { NodeProcess } from "../node-process.ts";
import type { FleetForgotten } from "./forget.ts";

/** Removes the simulated nodes of earlier starts in a separate process, and describes how many there were. */
export async function forgetFleet(
  surroundings: Pick<NodeProcess, "env" | "workingDirectory" | "logFile">,
  onSpawn: (child: ChildProcess) => void,
): Promise<string> {
  const definition = {
    label: "Removing the simulated fleet",
    entry: join(import.meta.dirname, "forget.ts"),
    ...surroundings,
  };
  const { nodeCount } = await askHelper<FleetForgotten>(definition, "fleet forgotten", onSpawn);
  return nodeCount === 0 ? "there was none" : `${nodeCount} nodes removed`;
}
