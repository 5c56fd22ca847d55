/**
 * `/api/v1`: authenticates a token, finds the operation in the table, calls its verb, and answers as the OpenAPI
 * document describes.
 */
import { randomUUID } from "node:crypto";
import { clientAddressHeader } from "@stashlight/contracts/process";
import { type ApiOperationName, publicApiPath } from "@stashlight/contracts/public-api";
import { authenticateApiToken, requireScope, type TokenContext } from "@stashlight/services/api-token";
import type { Platform } from "@stashlight/services/platform";
import { productVersion } from "@stashlight/services/process";
import type { ApiOptions } from "../handle.ts";
import { knownError, publicError } from "../public-error.ts";
import { handlers } from "./handlers.ts";
import { openApiDocument } from "./openapi.ts";
import { findOperation, readInput } from "./read-request.ts";

const documentPath = `${publicApiPath}/openapi.json`;

export async function handlePublicApi(options: ApiOptions, request: Request): Promise<Response> {
  const requestId = randomUUID();
  try {
    const { pathname } = new URL(request.url);
    if (pathname === documentPath && request.method === "GET") {
      return answer(200, requestId, openApiDocument(options.platform.options.publicUrl, productVersion));
    }
    const ctx = await tokenContext(options.platform, request.headers);
    const found = findOperation(request.method, pathname);
    requireScope(ctx, found.operation.scope);
    const { operation, name } = found;
    const result = await call(name, ctx, await readInput(found, request));
    return answer(operation.status, requestId, operation.answer.parse(result));
  } catch (thrown) {
    return failure(options, thrown, requestId);
  }
}

/** Ignores cookies, so that another site cannot make a signed-in user's browser send a valid request. */
const tokenContext = (platform: Platform, headers: Headers): Promise<TokenContext<Platform>> =>
  authenticateApiToken(platform, headers.get("authorization"), {
    ipAddress: headers.get(clientAddressHeader) ?? "unknown",
    userAgent: headers.get("user-agent") ?? "",
  });

/** The table pairs names with schemas, so the parsed value is valid input for that verb. */
const call = (name: ApiOperationName, ctx: TokenContext<Platform>, input: object): Promise<unknown> =>
  (handlers[name] as (ctx: TokenContext<Platform>, input: object) => Promise<unknown>)(ctx, input);

const answer = (status: number, requestId: string, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, {
    status,
    headers: { "cache-control": "no-store", "x-request-id": requestId, ...headers },
  });

function failure(options: ApiOptions, thrown: unknown, requestId: string): Response {
  const error = publicError(thrown);
  if (error.status >= 500) {
    const known = knownError(thrown);
    options.reportError(known.cause ?? known, requestId);
  }
  const { code, message, field, retryAfterSeconds } = error;
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  if (code === "unauthenticated") headers["www-authenticate"] = 'Bearer realm="Stashlight"';
  const body = { code, message, ...(field === undefined ? {} : { field }), requestId };
  return answer(error.status, requestId, body, headers);
}
