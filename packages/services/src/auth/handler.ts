/**
 * The sign-in endpoints a browser calls directly. Everything else that better-auth could serve is closed: users,
 * sessions and two-factor set-up are changed by verbs, which check roles and write the audit log.
 */
import type { AuditAction } from "@stashlight/contracts";
import type { Transaction } from "@stashlight/db";
import { type AuditEntry, writeAudit } from "../audit/write.ts";
import type { Context } from "../context.ts";
import { consumeRateLimit } from "../rate-limit/consume.ts";
import { runInScope } from "./scope.ts";

const basePath = "/api/auth";
const openPaths = new Map([
  ["/sign-in/email", "POST"],
  ["/sign-in/social", "POST"],
  ["/callback/oidc", "GET"],
  ["/two-factor/verify-totp", "POST"],
  ["/two-factor/verify-backup-code", "POST"],
  ["/sign-out", "POST"],
]);
const perAddressRule = { windowSeconds: 900, requestCountMax: 50 };
const bodyBytesMax = 16_384;

/** Serves one sign-in request; what it changes and its audit event are one transaction. */
export async function handleAuth(ctx: Context, request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(basePath.length);
  if (openPaths.get(path) !== request.method) return problem(404, "There is no such sign-in endpoint.");
  const body = await readJson(request.clone());
  if (body === null) return problem(413, "The request is too large or not JSON.");
  const email = typeof body.email === "string" ? body.email.trim().toLowerCase().slice(0, 254) : null;
  if (email !== null) {
    const limit = await consumeRateLimit(
      ctx.platform.db,
      `sign-in:${email}`,
      perAddressRule,
      ctx.platform.now(),
    );
    if (!limit.allowed) return problem(429, `Too many attempts; try again in ${limit.retryAfterSeconds} s.`);
  }
  return ctx.platform.db.$transaction((tx) =>
    runInScope(tx, async () => {
      const startedAt = new Date();
      const response = await ctx.platform.auth.handler(request);
      await audit(tx, ctx, { path, email, response, startedAt });
      return response;
    }),
  );
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
  const token = sessionTokenOf(response);
  const session =
    token === null ? null : await tx.session.findUnique({ where: { token }, include: { user: true } });
  if (session !== null) {
    const { user } = session;
    const entry = signInEntry("session.signed_in", { id: user.id, name: user.name, role: user.role }, path);
    await writeAudit(tx, ctx, { ...entry, target: { kind: "user", id: user.id, name: user.email } });
    return;
  }
  const failed = response.status >= 400 || path === "/callback/oidc";
  if (!failed || response.status >= 500 || response.status === 429) return;
  const actor = { id: null, name: outcome.email ?? "somebody", role: null };
  await writeAudit(tx, ctx, signInEntry("session.sign_in_failed", actor, path));
}

function signInEntry(action: AuditAction, actor: NonNullable<AuditEntry["actor"]>, path: string): AuditEntry {
  const method =
    path === "/callback/oidc"
      ? "identity provider"
      : path.startsWith("/two-factor")
        ? "two-factor"
        : "e-mail";
  return { action, actor, after: { method } };
}

/** The session token that the response hands to the browser, if it does. */
function sessionTokenOf(response: Response): string | null {
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
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function problem(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: { "cache-control": "no-store" } });
}
