/** The HTTP API of the console, asked with a token. */
import { UsageError } from "./usage-error.ts";

export interface ConsoleAccess {
  /** Without a path. */
  readonly url: string;
  readonly token: string;
}

/** Null if the environment names no console. Throws a UsageError if only one of the two variables is set. */
export function consoleIn(environment: Readonly<Record<string, string | undefined>>): ConsoleAccess | null {
  const { STASHLIGHT_URL: url = "", STASHLIGHT_TOKEN: token = "" } = environment;
  if (url === "" && token === "") return null;
  if (url === "" || token === "") {
    throw new UsageError(
      `Set both STASHLIGHT_URL and STASHLIGHT_TOKEN; ${url === "" ? "STASHLIGHT_URL" : "STASHLIGHT_TOKEN"} is missing.`,
    );
  }
  if (!URL.canParse(url)) throw new UsageError(`STASHLIGHT_URL is not a URL: ${url}`);
  return { url: url.replace(/\/+$/, ""), token };
}

export function requireConsole(access: ConsoleAccess | null): ConsoleAccess {
  if (access !== null) return access;
  throw new UsageError(
    "Set STASHLIGHT_URL to the console's address and STASHLIGHT_TOKEN to a token from Settings > API tokens.",
  );
}

const ANSWER_WITHIN_MS = 60_000;

interface ConsoleQuestion {
  readonly method: "GET" | "POST";
  /** Below /api/v1. */
  readonly path: string;
  readonly body?: unknown;
}

/** Resolves to the parsed answer; a refusal becomes a UsageError with the console's sentence. */
export async function askConsole(
  { url, token }: ConsoleAccess,
  { method, path, body }: ConsoleQuestion,
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  } catch (error) {
    const { cause, message } = error as Error;
    throw new UsageError(
      `The console at ${url} does not answer: ${cause instanceof Error ? cause.message : message}.`,
      1,
    );
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const sentence = (answer as { message?: unknown } | null)?.message;
  throw new UsageError(
    typeof sentence === "string" ? sentence : `The console at ${url} answered ${response.status}.`,
    1,
  );
}
