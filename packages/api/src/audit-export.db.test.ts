import {
  auditEvents,
  openTestBrowser,
  type TestBrowser,
  testPassword,
  useSharedInstallation,
} from "@stashlight/services/testing";
import { beforeAll, expect, test, vi } from "vitest";
import { handleAuditExport, handleAuthRequest } from "./handle.ts";

const origin = "http://console.test";
const { installation } = useSharedInstallation();
let admin: TestBrowser;
let viewer: TestBrowser;

beforeAll(async () => {
  admin = await signedIn("admin");
  viewer = await signedIn("viewer");
});

const options = () => ({ platform: installation.platform, reportError: () => {} });

async function signedIn(role: "admin" | "viewer"): Promise<TestBrowser> {
  const { email } = await installation.person(role);
  const browser = openTestBrowser(origin);
  const body = { email, password: testPassword };
  const request = browser.request("/api/auth/sign-in/email", { method: "POST", body });
  const response = await handleAuthRequest(options(), request);
  expect(response.status).toBe(200);
  browser.receive(response.headers.getSetCookie());
  return browser;
}
const get = (browser: TestBrowser, query: string) =>
  handleAuditExport(options(), browser.request(`/api/audit/export?${query}`));
const all = `fromMs=0&toMs=${Date.now() * 2}`;

test("an admin downloads the audit log as a file", async () => {
  const response = await get(admin, `format=csv&${all}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="stashlight-audit-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(response.headers.get("cache-control")).toBe("no-store");
  const lines = (await response.text()).trim().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toContain("audit.exported");
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "audit.exported",
    after: { format: "csv" },
  });
});

test("an admin downloads a filtered audit log as JSON", async () => {
  const response = await get(admin, `format=json&action=session.signed_in&${all}`);
  expect(response.headers.get("content-type")).toBe("application/json");
  const rows = (await response.json()) as { action: string }[];
  expect(rows.map(({ action }) => action)).toEqual(["session.signed_in", "session.signed_in"]);
});

test.each([
  [
    "a visitor who is not signed in",
    () => openTestBrowser(origin),
    `format=csv&${all}`,
    401,
    "unauthenticated",
  ],
  ["a viewer", () => viewer, `format=csv&${all}`, 403, "forbidden"],
  ["an unknown format", () => admin, `format=xml&${all}`, 400, "invalid_input"],
  ["no range", () => admin, "format=csv", 400, "invalid_input"],
  ["a NUL in the text", () => admin, `format=csv&text=a%00b&${all}`, 400, "invalid_input"],
  ["a NUL in the actor", () => admin, `format=csv&actorId=a%00b&${all}`, 400, "invalid_input"],
  ["a time past all dates", () => admin, "format=csv&fromMs=0&toMs=8640000000000002", 400, "invalid_input"],
  ["an unknown action", () => admin, `format=csv&action=drop&${all}`, 400, "invalid_input"],
] as const)("%s is refused and nothing is logged", async (_, browser, query, status, code) => {
  const events = await auditEvents(installation.platform);
  const response = await get(browser(), query);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code, message: expect.any(String) });
  expect(await auditEvents(installation.platform)).toEqual(events);
});

test("a failure midway through the file is reported, and aborts the download", async () => {
  const platform = installation.anotherPlatform();
  const failure = new Error("hunter2");
  const reportError = vi.fn();
  const request = admin.request(`/api/audit/export?format=csv&${all}`);
  vi.spyOn(platform.db.auditEvent, "findMany").mockRejectedValue(failure);
  const response = await handleAuditExport({ platform, reportError }, request);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect(reportError).toHaveBeenCalledExactlyOnceWith(failure, response.headers.get("x-request-id"));
});
