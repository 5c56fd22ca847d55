import { type BenchmarkImportEvent, importEventsType } from "@stashlight/contracts/benchmark";
import {
  createTestEndpoint,
  openTestBrowser,
  seedBenchmarkRun,
  type TestBrowser,
  testPassword,
  useSharedInstallation,
} from "@stashlight/services/testing";
import { beforeAll, expect, test, vi } from "vitest";
import { handleAuthRequest, handleBenchmarkExport, handleBenchmarkImport } from "./handle.ts";

const origin = "http://console.test";
const { installation } = useSharedInstallation();
let operator: TestBrowser;
let viewer: TestBrowser;
let runId: string;

beforeAll(async () => {
  operator = await signedIn("operator");
  viewer = await signedIn("viewer");
  const endpoint = { name: 'B2 "EU"', id: await createTestEndpoint(installation.platform, { name: "B2" }) };
  const slotAt = new Date("2026-11-01T06:00:00Z");
  runId = await seedBenchmarkRun(installation.platform, {
    planId: null,
    endpoint,
    slotAt,
    wireMs: [1, 2, 3],
  });
});

const options = () => ({ platform: installation.platform, reportError: () => {} });

async function signedIn(role: "operator" | "viewer"): Promise<TestBrowser> {
  const { email } = await installation.person(role);
  const browser = openTestBrowser(origin);
  const body = { email, password: testPassword };
  const request = browser.request("/api/auth/sign-in/email", { method: "POST", body });
  browser.receive((await handleAuthRequest(options(), request)).headers.getSetCookie());
  return browser;
}
const exported = (browser: TestBrowser, query: string) =>
  handleBenchmarkExport(options(), browser.request(`/api/benchmarks/export?${query}`));
const imported = (browser: TestBrowser, body: string, headers: Record<string, string> = {}) => {
  const { url, headers: own } = browser.request("/api/benchmarks/import?fileName=run.json");
  const sent = new Headers(own);
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  return handleBenchmarkImport(options(), new Request(url, { method: "POST", body, headers: sent }));
};

test("a viewer exports a run as a file, and an operator imports the file", async () => {
  const response = await exported(viewer, `runId=${runId}&format=json`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="B2-EU-2026-11-01T06-00.json"',
  );
  const back = await imported(operator, await response.text());
  expect(back.status).toBe(201);
  expect(await back.json()).toMatchObject({ sampleCount: 3, format: "stashlight-json" });
});

type Answer = Awaited<ReturnType<typeof handleBenchmarkImport>>;
async function eventsOf(response: Answer): Promise<BenchmarkImportEvent[]> {
  const lines = (await response.text()).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as BenchmarkImportEvent);
}
const following = { accept: importEventsType };

test("a client that follows its import receives each step, and a refusal as the last one", async () => {
  const file = await (await exported(viewer, `runId=${runId}&format=json`)).text();
  const answer = await imported(operator, file, following);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toContain("no-transform");
  const events = await eventsOf(answer);
  expect(events.at(-1)).toMatchObject({ type: "imported", imported: { sampleCount: 3 } });
  expect(events.at(-2)).toMatchObject({ type: "progress", progress: { stage: "storing", sampleCount: 3 } });
  const refused = await eventsOf(await imported(operator, "{}", following));
  expect(refused.at(-1)).toEqual({
    type: "refused",
    message: expect.stringContaining("The file's format is not one of"),
  });
  expect((await imported(viewer, file, following)).status).toBe(403);
});

test("a client that disconnects while its file is read cancels the import, and nothing is kept", async () => {
  const { db } = installation.platform;
  const before = await db.benchmarkRun.count();
  const file = await (await exported(viewer, `runId=${runId}&format=csv`)).text();
  const [header = "", row = ""] = file.split("\r\n");
  const fields = row.split(",");
  const rows = Array.from({ length: 200_000 }, (_, i) => fields.with(0, String(i)).join(","));
  const reader = (await imported(operator, [header, ...rows].join("\r\n"), following)).body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(JSON.parse(first.split("\n")[0] ?? "")).toMatchObject({ progress: { stage: "reading" } });
  await reader?.cancel();
  await vi.waitFor(() => expect(installation.platform.calculator.files.readingCount).toBe(0), {
    timeout: 15_000,
  });
  expect(await db.benchmarkRun.count()).toBe(before);
});

test("a missing permission or run and an unreadable file are refused with a message", async () => {
  expect((await exported(viewer, `runId=${runId}&format=xml`)).status).toBe(400);
  const missing = await exported(viewer, "runId=00000000-0000-4000-8000-000000000000&format=csv");
  expect(missing.status).toBe(404);
  expect((await imported(viewer, "{}")).status).toBe(403);
  const broken = await imported(operator, "{}");
  expect(broken.status).toBe(400);
  expect(await broken.json()).toMatchObject({
    message: expect.stringContaining("The file's format is not one of"),
  });
  const foreign = await imported(operator, "{}", {
    origin: "https://evil.example",
    "sec-fetch-site": "cross-site",
  });
  expect(foreign.status).toBe(403);
});
