/** Programs that `npm start` runs beside the vault. */
import { join } from "node:path";
import { workerPartName } from "@stashlight/contracts/health";
import type { InstallationContext } from "./installation.ts";
import { programs } from "./role/start.ts";

export function installationParts(
  projectDirectory: string,
): Pick<InstallationContext, "projectDirectory" | "children" | "console" | "demoLoad" | "fleet"> {
  const child = (name: keyof typeof programs, label: string, consequence: string) => ({
    name,
    label,
    consequence,
    entry: join(projectDirectory, programs[name].entry),
    nodeFlags: programs[name].nodeFlags,
  });
  return {
    projectDirectory,
    children: [
      child("worker", workerPartName, "No job runs and no alert is evaluated or sent meanwhile."),
      child("ingest", "Ingest", "Agents keep what they measure meanwhile, and alerts about it are late."),
    ],
    console: child("console", "Console", "Its pages cannot be opened meanwhile."),
    demoLoad: {
      name: "demo",
      label: "Demo load",
      consequence: "Only the demo load pauses meanwhile.",
      entry: join(projectDirectory, "apps/local/src/demo/main.ts"),
      args: ["packages", "docs"],
      nodeFlags: programs.worker.nodeFlags,
    },
    fleet: child("fleet", "Simulated fleet", "Simulated nodes measure nothing meanwhile."),
  };
}
