import { handleAuth } from "../auth/handler.ts";
import { resolvePrincipal } from "../auth/principal.ts";
import type { Context } from "../context.ts";
import type { Platform } from "../platform.ts";

/** A browser, as far as sign-in needs one: it keeps the cookies of one origin and sends its origin with requests. */
export interface TestBrowser {
  cookies: Map<string, string>;
  headers(more?: Record<string, string>): Headers;
  request(
    path: string,
    init?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Request;
  /** Takes the cookies of a response. */
  receive(setCookies: string[]): void;
}

export function openTestBrowser(origin: string, address = "198.51.100.7"): TestBrowser {
  const cookies = new Map<string, string>();
  const headers = (more: Record<string, string> = {}) =>
    new Headers({
      origin,
      host: new URL(origin).host,
      "user-agent": "test-browser/1.0",
      "x-stashlight-client-address": address,
      ...(cookies.size === 0
        ? {}
        : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
      ...more,
    });
  return {
    cookies,
    headers,
    request: (path, { method = "GET", body, headers: more } = {}) =>
      new Request(`${origin}${path}`, {
        method,
        headers: headers(body === undefined ? more : { "content-type": "application/json", ...more }),
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    receive: (setCookies) => {
      for (const setCookie of setCookies) {
        const [pair = "", ...attributes] = setCookie.split(";");
        const separator = pair.indexOf("=");
        const name = pair.slice(0, separator).trim();
        const value = pair.slice(separator + 1).trim();
        const ended = value === "" || attributes.some((text) => /^\s*max-age=0$/i.test(text));
        if (ended) cookies.delete(name);
        else cookies.set(name, value);
      }
    },
  };
}

/** Identity of the browser as the server sees it now. */
export async function browserContext(platform: Platform, browser: TestBrowser): Promise<Context<Platform>> {
  const headers = browser.headers();
  return {
    platform,
    principal: await resolvePrincipal(platform, headers),
    origin: {
      ipAddress: headers.get("x-stashlight-client-address") ?? "",
      userAgent: headers.get("user-agent") ?? "",
    },
  };
}

/** Sends a request to a sign-in endpoint, and stores the response's cookies. */
export async function callAuth(
  platform: Platform,
  browser: TestBrowser,
  path: string,
  body?: unknown,
  method = "POST",
): Promise<Response> {
  const request = browser.request(`/api/auth${path}`, { method, body });
  const response = await handleAuth(await browserContext(platform, browser), request);
  browser.receive(response.headers.getSetCookie());
  return response;
}
