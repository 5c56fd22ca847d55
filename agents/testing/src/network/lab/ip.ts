/** Runs the `ip` command of iproute2, and checks whether this machine permits it. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { platform } from "node:os";

/** Runs `ip` commands in order. Throws an Error with the message of `ip` if one fails. */
export function ip(...commands: readonly string[]): void {
  for (const command of commands) {
    try {
      execFileSync("ip", command.split(" "), { stdio: "pipe" });
    } catch (error) {
      throw new Error(`"ip ${command}" failed: ${errorText(error)}`, { cause: error });
    }
  }
}

/** Returns the output of this `ip` command. */
export function ipOutput(...args: readonly string[]): string {
  return execFileSync("ip", args, { encoding: "utf8", stdio: "pipe" });
}

/** Returns the reason why network namespaces cannot be created here; null if they can. */
export function whyNoNamespaces(): string | null {
  if (platform() !== "linux") return "network namespaces exist only on Linux";
  if (process.getuid?.() !== 0) return "network namespaces need root";
  const name = `stashlight-trial-${randomBytes(4).toString("hex")}`;
  try {
    ip(`netns add ${name}`);
    try {
      ip(`-n ${name} link add lan type bridge`, `-n ${name} link add near type veth peer name far`);
    } finally {
      ip(`netns del ${name}`);
    }
    return null;
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "iproute2 is not installed";
    return `the kernel or the rights of this container forbid it (${errorText(cause)})`;
  }
}

function errorText(error: unknown): string {
  const { stderr, message } = error as { stderr?: Buffer | string; message: string };
  return (
    String(stderr ?? "")
      .trim()
      .split("\n")[0] || message
  );
}
