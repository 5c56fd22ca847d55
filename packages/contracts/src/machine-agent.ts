/** Arguments of the agents of a machine that is in no vault: the probe and the host agent. */
import { readFile } from "node:fs/promises";
import { nodeNameSchema } from "./node/node.ts";

export interface MachineAgentArguments {
  readonly ingest: string;
  readonly name: string;
  readonly stateFolder: string;
  readonly caFile: string | null;
  readonly enrolmentTokenFile: string | null;
}

/** Mistake in the command line or a file that it names, with a message for the user. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

const text = { type: "string" } as const;
export const machineAgentOptions = {
  ingest: text,
  name: text,
  state: text,
  ca: text,
  "enrolment-token-file": text,
} as const;

/** Reads the options that both agents have from those that `parse` returns. Throws an ArgumentError. */
export function parseMachineAgent<
  Values extends { readonly [Option in keyof typeof machineAgentOptions]?: string | undefined },
>(usage: string, parse: () => Values): { readonly values: Values; readonly agent: MachineAgentArguments } {
  const values = parseStrictly(usage, parse);
  const need = (option: "ingest" | "name" | "state"): string => {
    const value = values[option];
    if (value === undefined) throw new ArgumentError(`--${option} is missing: ${usage}.`);
    return value;
  };
  const ingest = URL.parse(need("ingest"));
  if (ingest === null || !/^https?:$/.test(ingest.protocol) || ingest.pathname !== "/") {
    throw new ArgumentError(
      `--ingest must be an address such as https://ingest.example.org, not ${values.ingest}.`,
    );
  }
  const name = nodeNameSchema.safeParse(need("name"));
  if (!name.success) throw new ArgumentError(`--name: ${name.error.issues[0]?.message}`);
  const agent = {
    ingest: ingest.origin,
    name: name.data,
    stateFolder: need("state"),
    caFile: values.ca ?? null,
    enrolmentTokenFile: values["enrolment-token-file"] ?? null,
  };
  return { values, agent };
}

function parseStrictly<Values>(usage: string, parse: () => Values): Values {
  try {
    return parse();
  } catch (error) {
    throw new ArgumentError(`${(error as Error).message} ${usage}.`);
  }
}

/** A token is needed only until there is a key, so its file may be gone by then. */
export async function readEnrolmentToken(path: string | null): Promise<string | null> {
  if (path === null) return null;
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
