import { createApiToken } from "@stashlight/services/api-token";
import { callAuth, openTestBrowser, testPassword, useSharedInstallation } from "@stashlight/services/testing";
import { beforeAll, expect, test, vi } from "vitest";
import {
  handleAuditExport,
  handleAuthRequest,
  handleBenchmarkExport,
  handleBenchmarkImport,
  handleTrpcRequest,
} from "./handle.ts";
import { handlePublicApi } from "./public/handle.ts";

const origin = "http://console.test";
const browser = openTestBrowser(origin);
const metric = "stashlight_stash_used_bytes";
const reportError = vi.fn();
const { installation } = useSharedInstallation();
let token: string;

beforeAll(async () => {
  const { ctx, email } = await installation.person("operator");
  const scopes = ["metrics:read", "annotations:write", "runs:start"] as const;
  token = (await createApiToken({ ctx, input: { name: "CI", scopes: [...scopes], lifetimeDays: 1 } })).token;
  await callAuth(installation.platform, browser, "/sign-in/email", { email, password: testPassword });
});

const options = () => ({ platform: installation.platform, reportError });
const post = (path: string, body: string) => browser.request(path, { method: "POST", body });
const api = (path: string, body?: string) =>
  handlePublicApi(
    options(),
    new Request(`${origin}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
    }),
  );
const question = (more: string) => `{"json":{"metric":"${metric}","fromMs":0,"toMs":1000,${more}}}`;

const names = ["__proto__", "constructor", "toString"];
const doors: Record<string, (name: string) => Promise<Response>> = {
  "a filter of a chart": (name) =>
    handleTrpcRequest(options(), post("/api/trpc/metric.query", question(`"where":{"${name}":["x"]}`))),
  "a question in an address": (name) =>
    handleTrpcRequest(
      options(),
      browser.request(
        `/api/trpc/metric.query?input=${encodeURIComponent(question(`"where":{"${name}":["x"]}`))}`,
      ),
    ),
  "an input beside its fields": (name) =>
    handleTrpcRequest(options(), post("/api/trpc/metric.query", question(`"${name}":1`))),
  "a sign-in": (name) =>
    handleAuthRequest(
      options(),
      post("/api/auth/sign-in/email", `{"email":"a@example.org","password":"x","${name}":1}`),
    ),
  "an export of the audit log": (name) =>
    handleAuditExport(options(), browser.request(`/api/audit/export?format=csv&fromMs=0&toMs=1&${name}=1`)),
  "an export of a benchmark": (name) =>
    handleBenchmarkExport(
      options(),
      browser.request(`/api/benchmarks/export?runId=${crypto.randomUUID()}&format=csv&${name}=1`),
    ),
  "an import of a benchmark": (name) =>
    handleBenchmarkImport(options(), post(`/api/benchmarks/import?fileName=a.csv&${name}=1`, "{}")),
  "a parameter of the HTTP API": (name) => api(`/metrics/query?metric=${metric}&${name}=1`),
  "a label of the HTTP API": (name) => api(`/metrics/query?metric=${metric}&label=${name}:x`),
  "an annotation of the HTTP API": (name) => api("/annotations", `{"text":"Swapped.","${name}":1}`),
  "a run of the HTTP API": (name) => api("/runs", `{"planId":"${crypto.randomUUID()}","${name}":1}`),
};

test.each(Object.keys(doors).flatMap((door) => names.map((name): [string, string] => [door, name])))(
  "%s refuses the name %s instead of ignoring it",
  async (door, name) => {
    const response = await doors[door]?.(name);
    expect(response?.status).toBe(400);
    const text = await response?.text();
    expect(text).toMatch(name === "toString" ? /toString|Enter a label as name:value/ : new RegExp(name));
    expect(reportError).not.toHaveBeenCalled();
  },
);

test.each([
  ["/annotations", '{"text":"Swapped.","vualt":"main"}'],
  ["/runs", `{"planId":"${crypto.randomUUID()}","sizesBytes":[1]}`],
])("%s refuses an unknown field", async (path, body) => {
  const response = await api(path, body);
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/vualt|sizesBytes/);
});

test("a label that metrics do not have is refused by name", async () => {
  const response = await api(`/metrics/query?metric=${metric}&label=colour:red`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: "There is no label colour." });
});
