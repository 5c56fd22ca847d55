/** Obtains an agent's key at its start: reads it, or enrols with the given token and stores the key. */
import { type EnrolledIdentity, type EnrolmentIdentity, enrol, type IngestAddress } from "./enrol.ts";
import { readKeyFile, writeKeyFile } from "./key-file.ts";

export interface ObtainKeyOptions extends IngestAddress {
  readonly keyFile: string;
  /** Used only if there is no key file. */
  readonly token: string | null;
  readonly identity: EnrolmentIdentity;
  /** Called whenever the ingest could not enrol the node yet. */
  readonly onWait: (reason: string) => void;
  /** Ends the wait, with null. */
  readonly signal: AbortSignal;
}

export type ObtainedKey =
  | { readonly type: "key"; readonly identity: EnrolledIdentity }
  /** `refused`: this token will never work; `no_token`: no token was given; `aborted`: the signal fired. */
  | { readonly type: "none"; readonly because: "refused" | "no_token" | "aborted"; readonly reason: string };

/** Waits while the ingest is unreachable or asks for a retry; rejects only for an unusable key file. */
export async function obtainKey(options: ObtainKeyOptions): Promise<ObtainedKey> {
  const { keyFile, token, identity, onWait, signal } = options;
  const kept = await readKeyFile(keyFile);
  if (kept !== null) return { type: "key", identity: kept };
  if (token === null) {
    return {
      type: "none",
      because: "no_token",
      reason: `${identity.name} has no key and no enrolment token.`,
    };
  }
  while (!signal.aborted) {
    const result = await enrol(options, token, identity);
    if (result.type === "enrolled") {
      await writeKeyFile(keyFile, result.identity);
      return { type: "key", identity: result.identity };
    }
    if (result.type === "refused") return { type: "none", because: "refused", reason: result.reason };
    onWait(result.reason);
    await pause(result.afterMs, signal);
  }
  return { type: "none", because: "aborted", reason: `${identity.name} did not enrol.` };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
