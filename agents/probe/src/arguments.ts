import { parseArgs } from "node:util";
import { nodeNameSchema } from "@stashlight/contracts/node";

export interface ProbeArguments {
  readonly ingest: string;
  readonly name: string;
  readonly stateFolder: string;
  /** File that lists the drives of this machine whose syncs may be measured. */
  readonly drivesFile: string | null;
  readonly caFile: string | null;
  readonly enrolmentTokenFile: string | null;
}

const usage = `main.ts --ingest URL --name NAME --state FOLDER [--drives FILE] [--ca FILE] [--enrolment-token-file FILE]`;

/** Mistake in the command line or a file that it names, with a message for the user. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

export function parseArguments(args: readonly string[]): ProbeArguments {
  const values = read(args);
  const need = (option: "ingest" | "name" | "state"): string => {
    const value = values[option];
    if (value === undefined) throw new ArgumentError(`--${option} is missing: ${usage}.`);
    return value;
  };
  const ingest = URL.parse(need("ingest"));
  const isOrigin = ingest !== null && /^https?:$/.test(ingest.protocol) && ingest.pathname === "/";
  if (!isOrigin) {
    throw new ArgumentError(
      `--ingest is an address such as https://ingest.example.org, not ${values.ingest}.`,
    );
  }
  const name = nodeNameSchema.safeParse(need("name"));
  if (!name.success) throw new ArgumentError(`--name: ${name.error.issues[0]?.message}`);
  return {
    ingest: ingest.origin,
    name: name.data,
    stateFolder: need("state"),
    drivesFile: values.drives ?? null,
    caFile: values.ca ?? null,
    enrolmentTokenFile: values["enrolment-token-file"] ?? null,
  };
}

function read(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ingest: text,
        name: text,
        state: text,
        drives: text,
        ca: text,
        "enrolment-token-file": text,
      },
    }).values;
  } catch (error) {
    throw new ArgumentError(`${(error as Error).message} ${usage}.`);
  }
}
