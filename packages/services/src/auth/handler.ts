/**
 * The sign-in endpoints that a browser calls directly. All other endpoints of better-auth are closed: verbs change
 * users, sessions and two-factor set-up, check roles, and write the audit log.
 */
import assert from "node:assert/strict";
import { refuseReservedNames } from "@stashlight/contracts/json";
import type { Transaction } from "@stashlight/db";
import pLimit from "p-limit";
import { writeAudit } from "../audit/write.ts";
import type { Context } from "../context.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";
import { storableText } from "../storable-text.ts";
import { assertProviderAnswered, serveWithProvider } from "./provider-exchange.ts";
import { databaseFailure, runInScope } from "./scope.ts";
import type { WithSignIn } from "./sign-in.ts";

const basePath = "/api/auth";
const callbackPath = "/callback/oidc";
/** Open endpoints, and the requests per minute that one client address may send to each. */
const openPaths = new Map([
  ["/sign-in/email", { method: "POST", requestCountMax: 30 }],
  ["/sign-in/social", { method: "POST", requestCountMax: 30 }],
  [callbackPath, { method: "GET", requestCountMax: 30 }],
  ["/two-factor/verify-totp", { method: "POST", requestCountMax: 15 }],
  ["/two-factor/verify-backup-code", { method: "POST", requestCountMax: 10 }],
  ["/sign-out", { method: "POST", requestCountMax: 120 }],
]);
/** Limits on guesses of one user's password from one address, and from all addresses together. */
const perPersonRule = { windowSeconds: 900, requestCountMax: 20 };
const perEmailRule = { windowSeconds: 900, requestCountMax: 500 };
const bodyBytesMax = 16_384;
/**
 * Comparing a password takes 0.1 s of CPU time on purpose, and holds its connection meanwhile. Other sign-ins wait here
 * without a connection, so that pages still get one while many people sign in.
 */
export const signInTransactionsMax = 2;
const inTurn = pLimit(signInTransactionsMax);

/** Serves a sign-in request; its changes and its audit event share a transaction. */
export async function handleAuth(ctx: Context<WithSignIn>, request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(basePath.length);
  const open = openPaths.get(path);
  if (open?.method !== request.method) return problem(404, "There is no such sign-in endpoint.");
  // Counted before the transaction begins: one that waits for a second connection could starve all others.
  const { db, now } = ctx.platform;
  const auth = await ctx.platform.auth();
  const perClientRule = { windowSeconds: 60, requestCountMax: open.requestCountMax };
  await enforceRateLimit(statementsIn(db), `auth:${path}:${ctx.origin.ipAddress}`, perClientRule, now());
  const body = await readJson(request.clone());
  if (body === null) return problem(413, "The request is too large or not JSON.");
  refuseReservedNames(body);
  const email = typeof body.email === "string" ? storableText(body.email.trim().toLowerCase(), 254) : null;
  if (email !== null) {
    // Limits by both, so that a stranger who tries a user's address does not lock that user out.
    await enforceRateLimit(
      statementsIn(db),
      `sign-in:${email}:${ctx.origin.ipAddress}`,
      perPersonRule,
      now(),
    );
    await enforceRateLimit(statementsIn(db), `sign-in:${email}`, perEmailRule, now());
  }
  if (body.trustDevice !== undefined)
    return problem(400, "A browser cannot be excused from the second factor.");
  // Runs before the transaction, so that a silent provider does not hold a connection.
  if (path === "/sign-in/social" || path === callbackPath) await ctx.platform.discovery?.attempt();
  const transact = () =>
    db.$transaction((tx) =>
      runInScope(tx, async () => {
        if (path === callbackPath) await takeTurns(tx, new URL(request.url).searchParams.get("state"));
        const startedAt = new Date();
        const response = await auth.handler(request.clone());
        assertProviderAnswered();
        if (response.status >= 500) {
          throw new Error(`better-auth failed at ${path}; see its log line`, {
            cause: databaseFailure(),
          });
        }
        await audit(tx, ctx, { path, email, response, startedAt });
        return withoutToken(response);
      }),
    );
  const serve = () => inTurn(transact);
  return path === callbackPath ? serveWithProvider(serve) : serve();
}

/**
 * better-auth reads a state and then deletes it; of two callbacks with the same state, the second must find it gone.
 */
async function takeTurns(tx: Transaction, state: string | null): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${state ?? ""}, 0))`;
}

interface Outcome {
  path: string;
  email: string | null;
  response: Response;
  startedAt: Date;
}

async function audit(tx: Transaction, ctx: Context, outcome: Outcome): Promise<void> {
  const { path, response } = outcome;
  if (path === "/sign-out") {
    if (response.ok && ctx.principal !== null) {
      const { userId, name } = ctx.principal;
      await writeAudit(tx, ctx, { action: "session.signed_out", target: { kind: "user", id: userId, name } });
    }
    return;
  }
  if (path === "/sign-in/social") return;
  const token = readSessionToken(response);
  const session =
    token === null ? null : await tx.session.findUnique({ where: { token }, include: { user: true } });
  const method = signInMethod(path);
  if (session !== null) {
    const { id, name, email, role, createdAt } = session.user;
    const actor = { id, name, role };
    const target = { kind: "user", id, name: email };
    if (createdAt >= outcome.startedAt) {
      await writeAudit(tx, ctx, {
        action: "user.joined",
        actor,
        target,
        after: { name, email, role, method },
      });
    }
    await writeAudit(tx, ctx, { action: "session.signed_in", actor, target, after: { method } });
    return;
  }
  const failed = response.status >= 400 || path === callbackPath;
  if (!failed) return;
  const actor = { id: null, name: outcome.email ?? "somebody", role: null };
  const reason = await responseError(response);
  await writeAudit(tx, ctx, { action: "session.sign_in_failed", actor, after: { method, reason } });
}

function signInMethod(path: string): string {
  if (path === callbackPath) return "identity provider";
  return path.startsWith("/two-factor") ? "two-factor" : "e-mail";
}

/** Returns better-auth's error code, from the body or from the address to which it redirects the browser. */
async function responseError(response: Response): Promise<string | null> {
  const location = response.headers.get("location");
  if (location !== null) return new URL(location, "http://relative.invalid").searchParams.get("error");
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : null;
  return typeof code === "string" ? code : null;
}

/** The session's token belongs only in its HttpOnly cookie, but better-auth also writes it into the body. */
async function withoutToken(response: Response): Promise<Response> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  // A redirect also declares JSON, but has no body.
  if (response.status !== 200 || !isJson) return response;
  const answer: unknown = await response.json();
  assert(hasFields(answer), "Sign-in answers with an object.");
  const { token: _, ...body } = answer;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

/** Returns the session token that the response gives to the browser, if any. */
function readSessionToken(response: Response): string | null {
  for (const cookie of response.headers.getSetCookie()) {
    const match = /^[^=]*\.session_token=([^;]+)/.exec(cookie);
    const token = match?.[1] === undefined ? "" : decodeURIComponent(match[1]).split(".")[0];
    if (token) return token;
  }
  return null;
}

async function readJson(request: Request): Promise<Record<string, unknown> | null> {
  if (request.method === "GET") return {};
  const text = await request.text();
  if (text.length > bodyBytesMax) return null;
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return hasFields(value) ? value : null;
  } catch {
    return null;
  }
}

const hasFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function problem(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: { "cache-control": "no-store" } });
}
