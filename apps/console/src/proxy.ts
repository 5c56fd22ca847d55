/** Gives each page a nonce, and a policy that allows only scripts and styles with it. Does not check rights. */
import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "./server/headers.ts";

export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.set("x-stashlight-path", `${request.nextUrl.pathname}${request.nextUrl.search}`);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

export const config = { matcher: ["/((?!api/|_next/static|favicon[.]).*)"] };
