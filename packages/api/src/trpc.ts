/**
 * tRPC's plumbing: the request's context, the one place where errors get their wire form, and the check that mutations
 * come from our own pages.
 */
import { type ErrorCode, StashlightError } from "@stashlight/contracts/errors";
import { transformer } from "@stashlight/contracts/wire";
import type { Context } from "@stashlight/services/context";
import type { Platform } from "@stashlight/services/platform";
import { initTRPC, TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { z } from "zod";
import { knownError, publicError } from "./public-error.ts";

export interface ApiContext {
  ctx: Context<Platform>;
  requestHeaders: Headers;
  requestId: string;
  /** Set-Cookie values of a renewed session. */
  setCookies: (cookies: string[]) => void;
  /** Called for failures that are ours, not the caller's. */
  reportError: (error: unknown, requestId: string) => void;
}

const trpcCodes: Record<ErrorCode, TRPCError["code"]> = {
  invalid_input: "BAD_REQUEST",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  link_expired: "PRECONDITION_FAILED",
  precondition_failed: "PRECONDITION_FAILED",
  rate_limited: "TOO_MANY_REQUESTS",
  internal: "INTERNAL_SERVER_ERROR",
  unavailable: "SERVICE_UNAVAILABLE",
  storage_full: "SERVICE_UNAVAILABLE",
};

const trpc = initTRPC.context<ApiContext>().create({
  transformer,
  errorFormatter: ({ shape, error, ctx }) => {
    const known = describe(error);
    return {
      ...shape,
      message: known.message,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        reason: known.code,
        field: known.field ?? null,
        others: furtherIssues(error),
        retryAfterSeconds: known.retryAfterSeconds ?? null,
        requestId: ctx?.requestId ?? null,
      },
    };
  },
});

/** Returns the StashlightError behind a tRPC error; invalid input becomes one message with its field. */
function describe(error: TRPCError): StashlightError {
  if (error.cause instanceof StashlightError) return publicError(error.cause);
  const status = getHTTPStatusCodeFromError(error);
  if (status >= 500) return publicError(error);
  if (status === 404) return new StashlightError("not_found", "There is no such procedure.");
  const issue = error.cause instanceof z.ZodError ? error.cause.issues[0] : undefined;
  return new StashlightError("invalid_input", issue?.message ?? "The request could not be read.", {
    field: issue?.path.join("."),
  });
}

/** Lists invalid input beyond the first message, so that a form shows the errors of all its fields at once. */
function furtherIssues(error: TRPCError): { message: string; field: string }[] {
  const issues = error.cause instanceof z.ZodError ? error.cause.issues : [];
  return issues.slice(1).map(({ message, path }) => ({ message, field: path.join(".") }));
}

/** Converts any failure to its status and message on the wire; its cause is a StashlightError. */
export function toTrpcError(thrown: unknown): TRPCError {
  const known = knownError(thrown);
  return new TRPCError({ code: trpcCodes[known.code], message: publicError(known).message, cause: known });
}

const mapErrors = trpc.middleware(async ({ ctx, next }) => {
  const result = await next();
  // Invalid input is tRPC's own BAD_REQUEST; a parser that fails inside a verb is our failure.
  if (result.ok || result.error.code === "BAD_REQUEST") return result;
  const known = knownError(result.error.cause ?? result.error);
  if (known.status >= 500) ctx.reportError(known.cause ?? known, ctx.requestId);
  throw toTrpcError(known);
});

const nulInJson = /(?<!\\)(?:\\\\)*\\u0000/;

/** Refuses NUL anywhere in the input, because Postgres cannot store it in text and would fail. */
const refuseNul = trpc.middleware(async ({ getRawInput, next }) => {
  if (nulInJson.test(JSON.stringify((await getRawInput()) ?? null))) {
    throw new StashlightError("invalid_input", "The text contains a NUL character; remove it.");
  }
  return next();
});

export const router = trpc.router;
const procedure = trpc.procedure.use(mapErrors).use(refuseNul);

/** A verb gets the request's whole context and uses the parts that it needs. */
type Verb<Call, Output> = (call: Call) => Promise<Output>;
type CallWith<Schema extends z.ZodType> = ApiContext & { input: z.output<Schema> };

/** tRPC does not know the input's type here, but the schema has already parsed it. */
const callWith = <Schema extends z.ZodType>(ctx: ApiContext, input: unknown): CallWith<Schema> => ({
  ...ctx,
  input: input as z.output<Schema>,
});

/** A query without input. */
export const query = <Output>(verb: Verb<ApiContext, Output>) => procedure.query(({ ctx }) => verb(ctx));

export const queryWith = <Schema extends z.ZodType, Output>(
  schema: Schema,
  verb: Verb<CallWith<Schema>, Output>,
) => procedure.input(schema).query(({ ctx, input }) => verb(callWith(ctx, input)));

/** A mutation without input. */
export const mutation = <Output>(verb: Verb<ApiContext, Output>) =>
  procedure.mutation(({ ctx }) => verb(ctx));

export const mutationWith = <Schema extends z.ZodType, Output>(
  schema: Schema,
  verb: Verb<CallWith<Schema>, Output>,
) => procedure.input(schema).mutation(({ ctx, input }) => verb(callWith(ctx, input)));
