/** Questions to the admin port of a node. */
import type { VaultNode } from "@stashlight/agent/config";

const TIMEOUT_MS = 3000;

export type AdminAnswer =
  | { readonly type: "answered"; readonly status: number; readonly body: unknown }
  | { readonly type: "silent"; readonly reason: string };

export async function askAdmin(
  { host, adminPort }: Pick<VaultNode, "host" | "adminPort">,
  path: string,
): Promise<AdminAnswer> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`http://${host}:${adminPort}${path}`, { signal });
    return { type: "answered", status: response.status, body: await response.json() };
  } catch (error) {
    return { type: "silent", reason: reasonOf(error as Error) };
  }
}

function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  return code ?? message;
}
