/** Describes refusals by Azure Blob Storage. */
import { codeIn, type EndpointFailure, failureOfStatus } from "../../endpoint/failure.ts";
import type { Exchange } from "../../wire/connection.ts";

/** Codes for answers to HEAD without the header that names the code. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  403: "AuthorizationFailure",
  404: "NotFound",
  412: "ConditionNotMet",
  429: "ServerBusy",
  503: "ServerBusy",
};

/** `nowMs` is UTC. An error's code is in a header as well as in its document. */
export function failureOfBlob(exchange: Exchange, nowMs: number): EndpointFailure | null {
  return failureOfStatus(exchange, nowMs, ({ status, headers, body }) => {
    const code = codeIn(headers.get("x-ms-error-code")) ?? codeIn(codeInDocument(body));
    return { code: code ?? CODE_OF_STATUS[status] };
  });
}

function codeInDocument(body: Buffer): string | undefined {
  return /<Code>([^<]*)<\/Code>/.exec(body.toString("utf8", 0, 4096))?.[1];
}
