import { StashlightError } from "@stashlight/contracts/errors";
import { thrownCode } from "../thrown.ts";
import { requestOutbound } from "./request.ts";

const timeoutMs = 10_000;

export interface OutboundPost {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowedCidrs: readonly string[];
}

/** Posts to an address that an admin has configured, and reads only the status of the answer. */
export async function postOutbound(post: OutboundPost): Promise<void> {
  const { host } = new URL(post.url);
  const sent = requestOutbound({ ...post, method: "POST", timeoutMs, answerBytesMax: 0 });
  const { status } = await sent.catch((cause: unknown) => {
    if (cause instanceof StashlightError) throw cause;
    throw new StashlightError("unavailable", `${host} cannot be reached: ${describePostError(cause)}.`, {
      cause,
    });
  });
  if (status >= 200 && status < 300) return;
  throw refusal(host, status);
}

/** Includes only details that help the user, and no text chosen by the server. */
function describePostError(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `no answer within ${timeoutMs / 1000} s`;
  return thrownCode(error) ?? "the connection failed";
}

function refusal(host: string, status: number): StashlightError {
  if (status >= 300 && status < 400) {
    return new StashlightError(
      "precondition_failed",
      `${host} answered ${status}: redirects are not followed, so give the address that it leads to.`,
    );
  }
  const mayHelp = status >= 500 || status === 408 || status === 429;
  return new StashlightError(mayHelp ? "unavailable" : "precondition_failed", `${host} answered ${status}.`);
}
