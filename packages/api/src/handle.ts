/** The HTTP handlers of the product, as functions from Request to Response; the console mounts them. */
import { randomUUID } from "node:crypto";
import { exportAuditInput } from "@stashlight/contracts/audit";
import {
  benchmarkImportBytesMax,
  exportBenchmarkRunInput,
  importBenchmarkRunInput,
} from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { clientAddressHeader } from "@stashlight/contracts/process";
import { exportAudit } from "@stashlight/services/audit";
import { handleAuth, resolvePrincipal } from "@stashlight/services/auth";
import {
  exportBenchmarkRun,
  type ImportOptions,
  importBenchmarkRun,
} from "@stashlight/services/benchmark-result";
import { type Context, requireRole } from "@stashlight/services/context";
import type { Platform } from "@stashlight/services/platform";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { z } from "zod";
import { followedImport, isFollowed } from "./followed-import.ts";
import { knownError, publicError } from "./public-error.ts";
import { appRouter } from "./router/index.ts";
import { isSameOrigin } from "./same-origin.ts";
import { type ApiContext, toTrpcError } from "./trpc.ts";

const callsPerRequestMax = 20;

export interface ApiOptions {
  platform: Platform;
  reportError: (error: unknown, requestId: string) => void;
}

/** Finds the user and the client address of a request for a page or a procedure. */
export async function requestContext(platform: Platform, headers: Headers): Promise<Context<Platform>> {
  return {
    platform,
    principal: await resolvePrincipal(platform, headers),
    origin: {
      ipAddress: headers.get(clientAddressHeader) ?? "unknown",
      userAgent: headers.get("user-agent") ?? "",
    },
  };
}

export async function handleTrpcRequest(options: ApiOptions, request: Request): Promise<Response> {
  if (request.method === "POST" && !isSameOrigin(request.headers, options.platform.options.publicUrl)) {
    return crossSite();
  }
  const cookies: string[] = [];
  const requestId = randomUUID();
  const response = await fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    // A query about hundreds of nodes is too long for a URL.
    allowMethodOverride: true,
    createContext: async ({ info }): Promise<ApiContext> => ({
      ctx: await trpcContext(options.platform, request.headers, info.calls.length),
      requestHeaders: request.headers,
      requestId,
      setCookies: (values) => cookies.push(...values),
      reportError: options.reportError,
    }),
    // Without a context no procedure ran, so none has reported the failure.
    onError: ({ error, ctx }) => {
      const ours = error.code === "INTERNAL_SERVER_ERROR" || error.code === "SERVICE_UNAVAILABLE";
      if (ctx === undefined && ours) {
        const known = knownError(error.cause ?? error);
        options.reportError(known.cause ?? known, requestId);
      }
    },
    responseMeta: () => ({ headers: { "cache-control": "no-store", "x-request-id": requestId } }),
  });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

async function trpcContext(
  platform: Platform,
  headers: Headers,
  callCount: number,
): Promise<Context<Platform>> {
  try {
    if (callCount > callsPerRequestMax) {
      const sentence = `One request may call at most ${callsPerRequestMax} procedures, not ${callCount}; split it.`;
      throw new StashlightError("invalid_input", sentence);
    }
    return await requestContext(platform, headers);
  } catch (thrown) {
    throw toTrpcError(thrown);
  }
}

export async function handleAuthRequest(options: ApiOptions, request: Request): Promise<Response> {
  if (request.method === "POST" && !isSameOrigin(request.headers, options.platform.options.publicUrl)) {
    return crossSite();
  }
  return guarded(options, async () =>
    handleAuth(await requestContext(options.platform, request.headers), request),
  );
}

/** `GET /api/audit/export?format=csv&fromMs=..&toMs=..`: the audit log as a file, streamed. */
export async function handleAuditExport(options: ApiOptions, request: Request): Promise<Response> {
  if (!isSameOrigin(request.headers, options.platform.options.publicUrl)) return crossSite();
  return guarded(options, async () => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const input = parsed(exportAuditInput, {
      ...query,
      fromMs: Number(query.fromMs),
      toMs: Number(query.toMs),
    });
    const ctx = await requestContext(options.platform, request.headers);
    const file = await exportAudit({ ctx, input });
    const requestId = randomUUID();
    const reportError = (error: unknown) => options.reportError(error, requestId);
    return new Response(toByteStream(file.chunks, reportError), {
      headers: {
        "content-type": file.contentType,
        "content-disposition": `attachment; filename="${file.fileName}"`,
        "cache-control": "no-store",
        "x-request-id": requestId,
      },
    });
  });
}

/** `GET /api/benchmarks/export?runId=..&format=..`: the samples of a run as a file. */
export async function handleBenchmarkExport(options: ApiOptions, request: Request): Promise<Response> {
  if (!isSameOrigin(request.headers, options.platform.options.publicUrl)) return crossSite();
  return guarded(options, async () => {
    const input = parsed(exportBenchmarkRunInput, Object.fromEntries(new URL(request.url).searchParams));
    const ctx = await requestContext(options.platform, request.headers);
    const file = await exportBenchmarkRun({ ctx, input });
    return new Response(Buffer.from(file.bytes), {
      headers: {
        "content-type": file.contentType,
        "content-disposition": `attachment; filename="${file.fileName}"`,
        "cache-control": "no-store",
      },
    });
  });
}

/**
 * `POST /api/benchmarks/import?fileName=..&endpointName=..`: the body is the file, unencoded. A client that accepts
 * lines of JSON receives progress. A client that disconnects cancels the import.
 */
export async function handleBenchmarkImport(options: ApiOptions, request: Request): Promise<Response> {
  if (!isSameOrigin(request.headers, options.platform.options.publicUrl)) return crossSite();
  return guarded(options, async () => {
    const ctx = await requestContext(options.platform, request.headers);
    // Checked before the body is read, so that a refused file takes no memory.
    requireRole(ctx, "operator");
    const input = parsed(importBenchmarkRunInput, Object.fromEntries(new URL(request.url).searchParams));
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > benchmarkImportBytesMax) {
      throw new StashlightError(
        "invalid_input",
        `A file can have at most ${benchmarkImportBytesMax / 2 ** 20} MiB; compress it with zstd or gzip, or split it.`,
      );
    }
    const run = (how: ImportOptions) => importBenchmarkRun({ ctx, input: { ...input, bytes } }, how);
    if (isFollowed(request.headers)) {
      return followedImport(run, request.signal, (error) => options.reportError(error, randomUUID()));
    }
    const imported = await run({ signal: request.signal });
    return Response.json(imported, { status: 201, headers: { "cache-control": "no-store" } });
  });
}

function parsed<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new StashlightError("invalid_input", `${issue?.path.join(".")}: ${issue?.message}`);
}

/**
 * Streams text as it is generated: the next piece is requested when the client has taken the last one. A failure aborts
 * the stream; the status has already been sent, so only the error report shows the failure.
 */
function toByteStream(
  chunks: AsyncGenerator<string>,
  reportError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        reportError(error);
        throw error;
      }
    },
    cancel: async () => {
      await chunks.return(undefined);
    },
  });
}

async function guarded(options: ApiOptions, action: () => Promise<Response>): Promise<Response> {
  try {
    return await action();
  } catch (thrown) {
    const error = publicError(thrown);
    const requestId = randomUUID();
    if (error.status >= 500) options.reportError(thrown, requestId);
    const headers: Record<string, string> = { "cache-control": "no-store", "x-request-id": requestId };
    if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(error.retryAfterSeconds);
    return Response.json(
      { message: error.message, code: error.code, requestId },
      { status: error.status, headers },
    );
  }
}

function crossSite(): Response {
  const message = "This request comes from another site; open Stashlight itself and try again.";
  return Response.json(
    { message, code: "forbidden" },
    { status: 403, headers: { "cache-control": "no-store" } },
  );
}
