import { parseArgs } from "node:util";
import {
  type MachineAgentArguments,
  machineAgentOptions,
  parseMachineAgent,
} from "@stashlight/contracts/machine-agent";

export { ArgumentError } from "@stashlight/contracts/machine-agent";

export interface ProbeArguments extends MachineAgentArguments {
  /** File that lists the drives of this machine whose syncs may be measured. */
  readonly drivesFile: string | null;
}

const usage = `main.ts --ingest URL --name NAME --state FOLDER [--drives FILE] [--ca FILE] [--enrolment-token-file FILE]`;

const options = { ...machineAgentOptions, drives: { type: "string" } } as const;

export function parseArguments(args: readonly string[]): ProbeArguments {
  const { values, agent } = parseMachineAgent(usage, () => parseArgs({ args: [...args], options }).values);
  return { ...agent, drivesFile: values.drives ?? null };
}
