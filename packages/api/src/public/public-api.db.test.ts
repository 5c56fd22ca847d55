import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { alertRuleInput } from "@stashlight/contracts/alert";
import { type ApiScope, apiRequestsPerMinuteMax, apiScopes } from "@stashlight/contracts/api-token";
import { type ApiOperationName, apiOperations } from "@stashlight/contracts/public-api";
import { HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { createAlertRule, listFiring, silenceAlerts } from "@stashlight/services/alert";
import { createApiToken, revokeApiToken } from "@stashlight/services/api-token";
import { createBenchmarkPlan } from "@stashlight/services/benchmark";
import { recordDriveDays } from "@stashlight/services/failure-rate";
import {
  accept,
  auditEvents,
  createTestEndpoint,
  createTestNode,
  type Person,
  seedBenchmarkRun,
  useSharedInstallation,
} from "@stashlight/services/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { handlePublicApi } from "./handle.ts";

const origin = "http://console.test";
const fsync = "stashlight_fsync_seconds";
const { installation } = useSharedInstallation();
let operator: Person;
let viewer: Person;
let token: string;
let planId: string;
let runId: string;
let ruleId: string;
let silenceId: string;
let nowMs: number;
const reportError = vi.fn();

beforeAll(async () => {
  nowMs = Math.floor(installation.clock.now().getTime() / HOUR_MS) * HOUR_MS + HOUR_MS / 2;
  installation.clock.set(new Date(nowMs));
  operator = await installation.person("operator", "Olga");
  viewer = await installation.person("viewer", "Vera");
  token = await createToken(operator, [...apiScopes]);
  await seedMetrics();
  await seedBenchmarks();
  await seedAlert();
  await seedDrive();
});
beforeEach(async () => {
  reportError.mockReset();
  await installation.platform.db.rateLimit.deleteMany();
});

async function createToken({ ctx }: Person, scopes: ApiScope[]): Promise<string> {
  return (await createApiToken({ ctx, input: { name: "CI", scopes, lifetimeDays: 1 } })).token;
}

async function seedMetrics(): Promise<void> {
  const { platform } = installation;
  const node = await createTestNode(platform, "stash-1", false, "main");
  const simulated = await createTestNode(platform, "stash-9", true, "made-up");
  const many = Array.from({ length: 2_000 }, (_, index) => 0.001 + index * 1e-6);
  const drive = { tier: "stash", device: "s1" };
  await accept(
    platform,
    node.batch({
      endMs: nowMs - MINUTE_MS,
      histograms: [
        [fsync, drive, many],
        [fsync, { tier: "stash", device: "s2" }, [0.002, 0.003]],
      ],
      gauges: [["stashlight_stash_used_bytes", { stash: "stash-1", device: "s1" }, 5]],
      counters: [["stashlight_shards_written_total", drive, 30]],
    }),
    simulated.batch({ endMs: nowMs - MINUTE_MS, histograms: [[fsync, drive, [9]]] }),
  );
}

async function seedDrive(): Promise<void> {
  const { platform } = installation;
  const node = await createTestNode(platform, "pods-1", false, "main");
  const drive = { tier: "pod", device: "p1", model: "M1", serial: "ZL2", firmware: "1" };
  await accept(platform, node.batch({ endMs: nowMs, gauges: [["stashlight_device_info", drive, 1]] }));
  await recordDriveDays(platform);
}

/** Seeds two drives of vault main with a firing alert, and a silence. */
async function seedAlert(): Promise<void> {
  const { db } = installation.platform;
  const rule = alertRuleInput.parse({
    name: "fsync slow",
    query: { metric: fsync, groupBy: ["node", "device"] },
    condition: { kind: "percentile", percentile: "p99", comparison: "above", threshold: 0.05 },
    severity: "critical",
  });
  ({ ruleId } = await createAlertRule({ ctx: (await installation.person("admin", "Ada")).ctx, input: rule }));
  const since = new Date(nowMs - MINUTE_MS);
  const measuredAt = new Date(since.getTime() - 8_000);
  await db.alertState.createMany({
    data: [0.07, 0.09].map((value, at) => ({
      ruleId,
      group: JSON.stringify(["stash-1", `s${at}`]),
      labels: { node: "stash-1", device: `s${at}` },
      status: "firing",
      since,
      evaluatedAt: since,
      sampleAt: measuredAt,
      value,
      evidence: { statistic: "p99", sampleCount: 640 },
    })),
  });
  await db.alertIncident.create({
    data: {
      id: crypto.randomUUID(),
      ruleId,
      ruleName: rule.name,
      severity: rule.severity,
      vault: "main",
      openedAt: since,
      groups: [],
      worstGroup: "",
      worst: "",
      summary: "fsync slow.",
    },
  });
  ({ silenceId } = await silenceAlerts({
    ctx: operator.ctx,
    input: { ruleId, labels: { device: ["s9"] }, reason: "Swapped", minutes: 5 },
  }));
}

async function seedBenchmarks(): Promise<void> {
  const { platform } = installation;
  const endpoints = [];
  for (const name of ["near", "far"])
    endpoints.push({ name, id: await createTestEndpoint(platform, { name }) });
  const plan = await createBenchmarkPlan({
    ctx: operator.ctx,
    input: {
      name: "Uploads",
      description: "",
      cron: "0 */6 * * *",
      timeZone: "UTC",
      jitterSeconds: 0,
      endpointIds: endpoints.map(({ id }) => id),
      method: { name: "small-uploads", parameters: { sizesBytes: [256_000] } },
      missedPolicy: "skip",
      vantageNodeId: null,
      budgetPerMonth: null,
      costPerSlotMax: null,
      writtenBytesPerMonth: null,
      isPaused: false,
    },
  });
  planId = plan.planId;
  for (let slot = 1; slot <= 12; slot += 1) {
    const slotAt = new Date(nowMs - slot * 6 * HOUR_MS);
    for (const [place, endpoint] of endpoints.entries()) {
      const wireMs = Array.from({ length: 20 }, (_, index) => 10 + 30 * place + (index % 5) + slot / 10);
      runId = await seedBenchmarkRun(platform, { planId, endpoint, slotAt, wireMs });
    }
  }
  const { scheduleId } = await platform.db.benchmarkPlan.findUniqueOrThrow({ where: { id: planId } });
  await platform.db.scheduleRun.create({
    data: { scheduleId, plannedAt: new Date(nowMs - 6 * HOUR_MS), trigger: "schedule", state: "succeeded" },
  });
}

interface Asked {
  method?: string;
  bearer?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

const handle = (request: Request) =>
  handlePublicApi({ platform: installation.platform, reportError }, request);

async function ask(path: string, { method = "GET", bearer = token, body, headers }: Asked = {}) {
  const response = await handle(
    new Request(`${origin}/api/v1${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
  );
  // biome-ignore lint/suspicious/noExplicitAny: the document's schemas describe it, and a test checks them.
  return { response, status: response.status, body: (await response.json()) as any };
}

const driveStats = {
  source: "data_Q1_2026",
  quarters: [
    {
      quarter: "2026-Q1",
      from: "2026-01-01",
      to: "2026-03-31",
      dayCount: 90,
      models: [{ model: "M1", driveDays: 9000, failures: 2 }],
    },
  ],
};

const requests: Record<ApiOperationName, [path: () => string, Asked?]> = {
  readHealth: [() => "/health"],
  queryMetric: [() => `/metrics/query?metric=${fsync}&by=device`],
  listVaults: [() => "/vaults"],
  listAlerts: [() => "/alerts"],
  acknowledgeAlert: [() => "/alerts/acknowledgements", { method: "POST", body: {} }],
  listSilences: [() => "/silences"],
  silenceAlerts: [() => "/silences", { method: "POST", body: { reason: "Rack is moved", minutes: 5 } }],
  endSilence: [() => `/silences/${silenceId}/end`, { method: "POST" }],
  listPlans: [() => "/plans"],
  readPlan: [() => `/plans/${planId}`],
  readVerdict: [() => `/plans/${planId}/verdict`],
  listRuns: [() => `/runs?planId=${planId}`],
  readRun: [() => `/runs/${runId}`],
  startRun: [() => "/runs", { method: "POST", body: {} }],
  annotate: [() => "/annotations", { method: "POST", body: { text: "Deployed 1.4" } }],
  listDrives: [() => "/drives"],
  markDrive: [() => "/drives/marks", { method: "POST", body: { drive: "ZL2", state: "failed" } }],
  importDriveStats: [() => "/drive-stats", { method: "POST", body: driveStats }],
};
const names = Object.keys(apiOperations) as ApiOperationName[];
const request = (name: ApiOperationName, more: Asked = {}) => {
  const [path, asked = {}] = requests[name];
  const bodies: Partial<Record<ApiOperationName, unknown>> = {
    startRun: { planId },
    acknowledgeAlert: { ruleId, vault: "main", note: "On it" },
  };
  const body = bodies[name] ?? asked.body;
  return ask(path(), { ...asked, ...(body === undefined ? {} : { body }), ...more });
};

test.each(names)("the answer of %s matches the document", async (name) => {
  if (name === "startRun")
    await installation.platform.db.scheduleRun.deleteMany({ where: { state: "queued" } });
  const { status, body } = await request(name);
  expect({ status, message: body.message }).toEqual({
    status: apiOperations[name].status,
    message: undefined,
  });
  const { body: document } = await ask("/openapi.json", { bearer: null });
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  const validate = ajv.compile(document.components.schemas[apiOperations[name].answerName]);
  expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
});

const failureCases: [string, string, () => Promise<Asked>, number, string, RegExp][] = [
  [
    "without a token",
    "/health",
    async () => ({ bearer: null }),
    401,
    "unauthenticated",
    /Authorization: Bearer/,
  ],
  [
    "with an unknown token",
    "/health",
    async () => ({ bearer: `sla_${"x".repeat(43)}` }),
    401,
    "unauthenticated",
    /not known or was revoked/,
  ],
  ["with a revoked token", "/health", revoked, 401, "unauthenticated", /not known or was revoked/],
  ["with an expired token", "/health", expired, 401, "unauthenticated", /has expired/],
  [
    "with a token for something else",
    "/health",
    async () => ({ bearer: await createToken(viewer, ["runs:read"]) }),
    403,
    "forbidden",
    /lacks the scope health:read/,
  ],
  ["at an unknown address", "/users", async () => ({}), 404, "not_found", /openapi\.json/],
  ["with a method that is not there", "/health", async () => ({ method: "POST" }), 404, "not_found", /GET/],
  [
    "of a metric that does not exist",
    "/metrics/query?metric=nothing",
    async () => ({}),
    400,
    "invalid_input",
    /metric/,
  ],
  [
    "of a statistic that the metric lacks",
    "/metrics/query?metric=stashlight_stash_used_bytes&statistic=p99",
    async () => ({}),
    400,
    "invalid_input",
    /is a gauge, whose statistics are last/,
  ],
  [
    "with an empty range",
    `/metrics/query?metric=${fsync}&from=now&to=now-1h`,
    async () => ({}),
    400,
    "invalid_input",
    /range is empty/,
  ],
  [
    "with an unknown label",
    `/metrics/query?metric=${fsync}&label=colour:red`,
    async () => ({}),
    400,
    "invalid_input",
    /./,
  ],
  [
    "with an unknown parameter",
    `/plans?sort=name`,
    async () => ({}),
    400,
    "invalid_input",
    /no parameter sort/,
  ],
  [
    "with a parameter given twice",
    "/runs?limit=1&limit=2",
    async () => ({}),
    400,
    "invalid_input",
    /limit only once/,
  ],
  ["with a NUL", "/runs?from=a%00b", async () => ({}), 400, "invalid_input", /NUL/],
  [
    "of a plan by a name",
    "/plans/uploads",
    async () => ({}),
    400,
    "invalid_input",
    /no such benchmark schedule/,
  ],
  [
    "of a plan that is gone",
    "/plans/00000000-0000-4000-8000-000000000000",
    async () => ({}),
    404,
    "not_found",
    /benchmark schedule/,
  ],
  ["without JSON", "/runs", async () => ({ method: "POST", body: "{" }), 400, "invalid_input", /not JSON/],
  [
    "as a form",
    "/runs",
    async () => ({ method: "POST", body: "planId=1", headers: { "content-type": "text/plain" } }),
    400,
    "invalid_input",
    /Content-Type: application\/json/,
  ],
];

async function revoked(): Promise<Asked> {
  const input = { name: "Old", scopes: ["health:read" as const], lifetimeDays: 1 };
  const { tokenId, token: bearer } = await createApiToken({ ctx: viewer.ctx, input });
  await revokeApiToken({ ctx: viewer.ctx, input: { tokenId } });
  return { bearer };
}

async function expired(): Promise<Asked> {
  const input = { name: "Late", scopes: ["health:read" as const], lifetimeDays: 1 };
  const { tokenId, token: bearer } = await createApiToken({ ctx: viewer.ctx, input });
  const data = { expiresAt: installation.clock.now() };
  await installation.platform.db.apiToken.update({ where: { id: tokenId }, data });
  return { bearer };
}

test.each(failureCases)(
  "a request %s is refused with a message",
  async (_, path, asked, status, code, words) => {
    const { response, body, ...answer } = await ask(path, await asked());
    expect({ ...answer, code: body.code }).toEqual({ status, code });
    expect(body.message).toMatch(words);
    expect(response.headers.get("x-request-id")).toBe(body.requestId);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.has("www-authenticate")).toBe(status === 401);
    expect(reportError).not.toHaveBeenCalled();
  },
);

test("every operation needs its own scope, and the token of a viewer changes nothing", async () => {
  for (const name of names) {
    const others = apiScopes.filter((scope) => scope !== apiOperations[name].scope);
    expect((await request(name, { bearer: await createToken(operator, others) })).status, name).toBe(403);
  }
  const starts = await createToken(operator, [
    "runs:start",
    "annotations:write",
    "alerts:write",
    "drives:write",
  ]);
  await installation.platform.db.user.update({ where: { id: operator.userId }, data: { role: "viewer" } });
  const changes = [
    "startRun",
    "annotate",
    "acknowledgeAlert",
    "silenceAlerts",
    "endSilence",
    "markDrive",
    "importDriveStats",
  ] as const;
  for (const name of changes) {
    const { status, body } = await request(name, { bearer: starts });
    expect([status, body.message]).toEqual([403, expect.stringContaining("You need the operator role")]);
  }
  await installation.platform.db.user.update({ where: { id: operator.userId }, data: { role: "operator" } });
});

test("an alert is listed once per rule and vault, with its sentence, its worst member and who acknowledged it", async () => {
  await request("acknowledgeAlert");
  const { body } = await ask("/alerts");
  const sentence =
    "fsync slow (vault main, node stash-1): 2 of 2 drives, p99 above 50 ms; worst p99 90 ms, n 640 (device s1).";
  expect(body.alerts).toMatchObject([
    {
      ruleId,
      rule: "fsync slow",
      severity: "critical",
      vault: "main",
      state: "firing",
      sentence,
      value: 0.09,
      unit: "seconds",
      n: 640,
      worst: { node: "stash-1", device: "s1" },
      memberCount: 2,
      groupCount: 2,
      since: new Date(nowMs - MINUTE_MS).toISOString(),
      acknowledged: { by: "Olga (API token CI)", note: "On it" },
    },
  ]);
  const page = await listFiring({ ctx: operator.ctx });
  expect(page.map(({ incidentSummary }) => incidentSummary)).toEqual([sentence, sentence]);
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "alert.acknowledged",
    actorName: "Olga (API token CI)",
  });
});

test("while an alert fires, the state of its vault, of all vaults and of /health is bad", async () => {
  const { body } = await ask("/health");
  expect(body).toMatchObject({ state: "bad", vaults: "bad" });
  const { body: listed } = await ask("/vaults");
  const [main] = listed.vaults;
  expect(listed.vaults).toHaveLength(1);
  expect(main).toMatchObject({ name: "main", state: "bad", reasons: [expect.stringMatching(/^fsync slow/)] });
});

test("a silence is listed until it is ended, and both actions are in the audit log", async () => {
  const { body: made } = await request("silenceAlerts");
  const listed = async () => {
    const { body } = await ask("/silences");
    return body.silences.some(({ id }: { id: string }) => id === made.silenceId);
  };
  expect(await listed()).toBe(true);
  expect((await ask(`/silences/${made.silenceId}/end`, { method: "POST" })).status).toBe(200);
  expect(await listed()).toBe(false);
  const actions = (await auditEvents(installation.platform)).map(({ action }) => action);
  expect(actions.slice(-2)).toEqual(["alert.silenced", "alert.silence_ended"]);
});

test("a session cookie without a token is refused", async () => {
  const headers = { cookie: "stashlight.session_token=x", authorization: "" };
  expect((await ask("/health", { bearer: null, headers })).status).toBe(401);
});

test("a metric is answered with its samples, source and age, without simulated vaults", async () => {
  const { body } = await ask(`/metrics/query?metric=${fsync}&by=device&label=tier:stash&step=30`);
  expect(body).toMatchObject({
    kind: "histogram",
    unit: "seconds",
    statistic: "p99",
    source: { resolution: "raw", stepSeconds: 30, seriesCount: 2, ageSeconds: 60, simulatedSeriesCount: 0 },
  });
  const [many, few] = body.series;
  expect(many).toMatchObject({ labels: { device: "s1" }, sampleCount: 2_000 });
  expect(many.points[0].value).toBeCloseTo(0.00298, 4);
  expect(few.points).toEqual([{ at: new Date(nowMs - MINUTE_MS).toISOString(), value: null, n: 2 }]);
  const simulated = await ask(`/metrics/query?metric=${fsync}&label=vault:made-up&statistic=max`);
  expect(simulated.body.source.simulatedSeriesCount).toBe(1);
  expect(simulated.body.series[0].points[0].value).toBeCloseTo(9, 0);
});

test("a counter is answered as a rate, or as its increase on request", async () => {
  const metric = "stashlight_shards_written_total";
  const told = async (more: string) =>
    (await ask(`/metrics/query?metric=${metric}&step=60${more}`)).body.series[0].points[0].value;
  expect(await told("")).toBeCloseTo(30 / 60);
  expect(await told("&statistic=increase")).toBe(30);
});

test("the slot of a started plan is found by its time, and the log names owner and token", async () => {
  await installation.platform.db.scheduleRun.deleteMany({ where: { state: "queued" } });
  const { status, body } = await request("startRun");
  expect(status).toBe(202);
  const { body: found } = await ask(`/runs?planId=${planId}&to=now%2B1m`);
  expect(found.slots[0]).toMatchObject({ plannedAt: body.slotAt, trigger: "manual", state: "queued" });
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "benchmark.run_requested",
    actorId: operator.userId,
    actorName: "Olga (API token CI)",
  });
  expect(await request("startRun")).toMatchObject({ status: 409, body: { code: "conflict" } });
});

test("a token that exceeds its rate limit is refused with the time to retry", async () => {
  await ask("/health");
  await installation.platform.db.rateLimit.updateMany({ data: { requestCount: apiRequestsPerMinuteMax } });
  const { response, status, body } = await ask("/health");
  expect([status, body.code, response.headers.get("retry-after")]).toEqual([429, "rate_limited", "60"]);
});

test("the text of an internal failure is reported, but not sent", async () => {
  const failure = vi.spyOn(installation.platform.db.apiToken, "findUnique");
  failure.mockImplementation(() => {
    throw new Error("hunter2");
  });
  const { status, body } = await ask("/health");
  failure.mockRestore();
  expect([status, body.code, JSON.stringify(body).includes("hunter2")]).toEqual([500, "internal", false]);
  expect(reportError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), body.requestId);
});

const run = promisify(execFile);
const document = readFileSync(join(import.meta.dirname, "../../../../docs/api.md"), "utf8");
const examples = [...document.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) =>
  block.split(/\n(?=curl )/).filter((command) => command.startsWith("curl ")),
);
const hasCurl = await run("curl", ["--version"]).then(
  () => true,
  () => false,
);
if (!hasCurl) console.log("SKIPPED: curl is not installed, so the examples of docs/api.md are not run.");

test("the documentation has an example of every operation", () => {
  expect(examples).toHaveLength(names.length);
});

test.skipIf(!hasCurl)("every example of the documentation works as written", async () => {
  await installation.platform.db.scheduleRun.deleteMany({ where: { state: "queued" } });
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const answer = await handle(
      new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers: incoming.headers as Record<string, string>,
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    STASHLIGHT_URL: `http://127.0.0.1:${port}`,
    STASHLIGHT_TOKEN: token,
    PLAN_ID: planId,
    RUN_ID: runId,
    RULE_ID: ruleId,
    SILENCE_ID: silenceId,
  };
  try {
    for (const command of examples) {
      const { stdout } = await run("bash", ["-c", command], { env });
      expect(Object.keys(JSON.parse(stdout)).length, command).toBeGreaterThan(0);
    }
  } finally {
    server.close();
  }
});
