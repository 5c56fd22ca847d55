/** Runs third-party S3 clients as programs of the system. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 16_777_216;
const WITHIN_MS = 100_000;

/**
 * Returns the first of these commands that runs successfully; if none does, prints a conspicuous line and returns null.
 */
export function findClient(
  name: string,
  commands: readonly (readonly [string, ...string[]])[],
): string | null {
  const found = commands.find(
    ([command, ...args]) => spawnSync(command, args, { stdio: "ignore" }).status === 0,
  );
  if (found !== undefined) return found[0];
  console.warn(`SKIPPED: ${name} is not on this machine; install it to test it with the vault.`);
  return null;
}

/** Removes keys, regions and authorities of a developer's shell, which the vault must not use. */
function withoutAws(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("AWS_")));
}

/** Resolves to the client's standard output. Rejects with both its streams if it fails. */
export async function runClient(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout } = await run(command, args, {
      env: { ...withoutAws(process.env), NO_PROXY: "127.0.0.1", ...environment },
      maxBuffer: OUTPUT_BYTES_MAX,
      timeout: WITHIN_MS,
    });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")} failed.\n${stdout}\n${stderr}`, { cause: error });
  }
}
