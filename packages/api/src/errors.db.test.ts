import { type ErrorCode, errorStatus, StashlightError } from "@stashlight/contracts/errors";
import { openTestBrowser, useSharedInstallation } from "@stashlight/services/testing";
import { afterEach, expect, test, vi } from "vitest";
import { handleAuditExport, handleAuthRequest, handleTrpcRequest } from "./handle.ts";

const origin = "http://console.test";
const generic = "Something failed on the server; its log has the details.";
const browser = openTestBrowser(origin);
const { installation } = useSharedInstallation();
const reportError = vi.fn();
afterEach(() => {
  vi.restoreAllMocks();
  reportError.mockReset();
});

/** A cookie makes the server look up a session before any procedure runs. */
const someSession = { cookie: "stashlight.session_token=x" };
const options = (platform = installation.platform) => ({ platform, reportError });
const trpc = (path: string, input?: unknown, headers?: Record<string, string>) =>
  handleTrpcRequest(
    options(),
    browser.request(`/api/trpc/${path}`, {
      method: "POST",
      body: { json: input },
      ...(headers ? { headers } : {}),
    }),
  );
const exportRequest = () =>
  browser.request("/api/audit/export?format=csv&fromMs=0&toMs=1", { headers: someSession });
const readError = async (response: Response) =>
  ((await response.json()) as { error: { json: { message: string; data: object } } }).error.json;

/** Returns the answer of the link preview if the database fails with `error`. */
function describeLinkFailing(error: unknown): Promise<Response> {
  const platform = installation.anotherPlatform();
  vi.spyOn(platform.db, "oneTimeLink", "get").mockImplementation(() => {
    throw error;
  });
  const body = { json: { token: "x".repeat(43) } };
  return handleTrpcRequest(
    options(platform),
    browser.request("/api/trpc/link.describe", { method: "POST", body }),
  );
}

const own = (Object.keys(errorStatus) as ErrorCode[]).filter((code) => code !== "internal");
test.each(own)("%s is sent with its status, message and code", async (code) => {
  const error = new StashlightError(code, "A sentence.", { field: "token", retryAfterSeconds: 7 });
  const response = await describeLinkFailing(error);
  // tRPC has no 410, so it answers 412, and `reason` distinguishes the two.
  const status = code === "link_expired" ? 412 : errorStatus[code];
  expect(response.status).toBe(status);
  expect(await readError(response)).toMatchObject({
    message: "A sentence.",
    data: { reason: code, httpStatus: status, field: "token", retryAfterSeconds: 7 },
  });
  expect(reportError).toHaveBeenCalledTimes(status >= 500 ? 1 : 0);
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test.each([
  ["an unknown error", new Error("password=hunter2 at /secret/path")],
  ["a StashlightError about an internal failure", new StashlightError("internal", "password=hunter2")],
  ["a thrown value that is no Error", "password=hunter2"],
])("the text of %s never leaves the server, and is reported", async (_, thrown) => {
  const response = await describeLinkFailing(thrown);
  expect(response.status).toBe(500);
  const text = await response.text();
  expect(text).not.toMatch(/hunter2|secret|stack/);
  expect(text).toContain(generic);
  expect(reportError).toHaveBeenCalledTimes(1);
  const [[reported, requestId] = []] = reportError.mock.calls;
  expect(JSON.stringify(reported, Object.getOwnPropertyNames(reported))).toContain("hunter2");
  expect(response.headers.get("x-request-id")).toBe(requestId);
});

test("a failure before any procedure runs is reported too, and its text is not sent", async () => {
  vi.spyOn(installation.platform, "auth").mockRejectedValue(new Error("hunter2"));
  for (const call of [
    () => trpc("link.describe", { token: "x".repeat(43) }, someSession),
    () => handleAuthRequest(options(), browser.request("/api/auth/sign-out", { method: "POST", body: {} })),
    () => handleAuditExport(options(), exportRequest()),
  ]) {
    reportError.mockClear();
    const response = await call();
    expect(response.status).toBe(500);
    expect(await response.text()).toMatch(/^(?!.*hunter2).*its log has the details/);
    expect(reportError).toHaveBeenCalledTimes(1);
  }
});

test("an unreachable database is answered as unavailable at every endpoint, and reported", async () => {
  const url = new URL(installation.database.runtimeUrl);
  url.port = "1";
  const platform = installation.anotherPlatform({ databaseUrl: url.href });
  const sentence = "The database does not answer; try again in a moment.";
  const body = { json: { token: "x".repeat(43) } };
  const request = browser.request("/api/trpc/link.describe", { method: "POST", body });
  const response = await handleTrpcRequest(options(platform), request);
  expect(response.status).toBe(503);
  expect(await readError(response)).toMatchObject({ message: sentence, data: { reason: "unavailable" } });
  expect(reportError).toHaveBeenCalledTimes(1);
  reportError.mockClear();
  vi.spyOn(platform, "auth").mockImplementation(() => platform.db.user.count() as never);
  for (const call of [
    () =>
      handleTrpcRequest(
        options(platform),
        browser.request("/api/trpc/health.read", { headers: someSession }),
      ),
    () => handleAuditExport(options(platform), exportRequest()),
  ]) {
    reportError.mockClear();
    const early = await call();
    expect(early.status).toBe(503);
    expect(await early.text()).toContain(sentence);
    expect(reportError).toHaveBeenCalledTimes(1);
  }
});

test("an unexpected content type is answered with 415 and not reported", async () => {
  const response = await trpc("link.describe", {}, { "content-type": "text/plain" });
  expect(response.status).toBe(415);
  expect(reportError).not.toHaveBeenCalled();
});

test("one request can call at most 20 procedures", async () => {
  const call = (count: number, comma: string) => {
    const path = Array.from({ length: count }, () => "link.describe").join(comma);
    const each = { json: { token: "x".repeat(43) } };
    const body = Object.fromEntries(Array.from({ length: count }, (_, index) => [index, each]));
    const request = browser.request(`/api/trpc/${path}?batch=1`, { method: "POST", body });
    return handleTrpcRequest(options(), request);
  };
  expect(((await (await call(20, ",")).json()) as object[]).length).toBe(20);
  for (const comma of [",", "%2C"]) {
    const response = await call(21, comma);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("One request may call at most 20 procedures, not 21; split it.");
  }
  expect(reportError).not.toHaveBeenCalled();
});

test("invalid input is answered with a message for each field", async () => {
  const response = await trpc("link.completeSetup", {
    token: "x".repeat(43),
    name: "Ada",
    email: "no address",
    password: "short",
  });
  expect(response.status).toBe(400);
  expect(await readError(response)).toMatchObject({
    message: "Enter an e-mail address such as ada@example.org.",
    data: {
      reason: "invalid_input",
      field: "email",
      others: [{ field: "password", message: expect.stringMatching(/^A password must have at least/) }],
    },
  });
  expect(reportError).not.toHaveBeenCalled();
});

test("text with a NUL is refused as the caller's mistake, and a backslash is accepted", async () => {
  const input = { token: "x".repeat(43), name: "A\0da", email: "ada@example.org", password: "x".repeat(12) };
  const response = await trpc("link.completeSetup", input);
  expect(response.status).toBe(400);
  expect(await readError(response)).toMatchObject({ data: { reason: "invalid_input" } });
  const written = await trpc("link.acceptInvitation", { ...input, name: "A\\u0000da" });
  expect(await readError(written)).toMatchObject({ data: { reason: "link_expired" } });
  expect(reportError).not.toHaveBeenCalled();
});

const ask = (path: string) => handleTrpcRequest(options(), browser.request(`/api/trpc/${path}`, {}));

test.each([
  ["an unknown procedure", () => trpc("no.such"), 404, "not_found"],
  // A query may come by POST, because some are too long for an address; a mutation never comes by GET.
  ["a mutation called as a query", () => ask("link.describe"), 405, "invalid_input"],
])("%s is refused as the caller's mistake, and not reported", async (_, send, status, reason) => {
  const response = await send();
  expect(response.status).toBe(status);
  expect(await readError(response)).toMatchObject({ data: { reason } });
  expect(reportError).not.toHaveBeenCalled();
});

test.each([
  ["another Origin", { origin: "https://evil.example" }],
  ["Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }],
])("a request from another site, as shown by %s, changes nothing", async (_, headers) => {
  const body = { email: "a@example.org", password: "x" };
  const responses = [
    await trpc("link.describe", { token: "x".repeat(43) }, headers),
    await handleAuthRequest(
      options(),
      browser.request("/api/auth/sign-in/email", { method: "POST", body, headers }),
    ),
    await handleAuditExport(options(), browser.request("/api/audit/export?format=csv", { headers })),
  ];
  for (const response of responses) {
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "forbidden" });
  }
  expect(await installation.platform.db.auditEvent.count()).toBe(0);
});
