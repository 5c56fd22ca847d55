import { writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { createRecorder } from "@stashlight/telemetry";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { expositionBounds } from "./exposition.ts";
import { ReportedDevices } from "./reported-devices.ts";
import { askForMetrics } from "./scrape-request.ts";
import { SourceWatch } from "./source-watch.ts";

const folder = useTestFolder();
let server: Server;
let answer: RequestListener;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const told =
  (text: string): RequestListener =>
  (_, response) =>
    void response.setHeader("content-type", "text/plain; version=0.0.4; charset=utf-8").end(text);

const osd = (name: string, seconds: number, count: number, up = 1) => `
ceph_osd_metadata{ceph_daemon="${name}",device_class="ssd"} 1
ceph_osd_up{ceph_daemon="${name}"} ${up}
ceph_bluestore_kv_sync_lat_sum{ceph_daemon="${name}"} ${seconds}
ceph_bluestore_kv_sync_lat_count{ceph_daemon="${name}"} ${count}
`;

function startWatch({ urls, tokenFile = null, deviceCountMax = 90 }: Partial<Wish> = {}) {
  const recorder = createRecorder({ nowMs: () => 0 });
  const logger = { info: vi.fn(), warn: vi.fn() };
  const { port } = server.address() as AddressInfo;
  const watch = new SourceWatch({
    recorder,
    logger,
    nowMs: Date.now,
    devices: new ReportedDevices(deviceCountMax),
    source: {
      name: "prod",
      kind: "ceph",
      everySeconds: 5,
      medium: null,
      tokenFile,
      caFile: null,
      urls: (urls ?? [`http://127.0.0.1:${port}/metrics`]).map((url) => new URL(url)),
    },
    // A loaded machine may be slow, and only one test waits for a timeout.
    ask: (question) => askForMetrics({ ...question, timeoutMs: Math.max(30_000, question.timeoutMs) }),
  });
  const window = async () => {
    await watch.askOnce();
    const { gauges, counters } = recorder.takeWindow();
    const short = ({ metric, labels }: { metric: string; labels: Readonly<Record<string, string>> }) =>
      [metric.replace("stashlight_", ""), ...Object.values(labels)].join(" ");
    return Object.fromEntries([
      ...gauges.map((each) => [short(each), each.value]),
      ...counters.filter(({ increase }) => increase > 0).map((each) => [short(each), each.increase]),
    ]);
  };
  return { watch, window, logger };
}

interface Wish {
  readonly urls: readonly string[];
  readonly tokenFile: string | null;
  readonly deviceCountMax: number;
}

const running = "drive_running ssd prod/osd.0";
const mean = "commit_mean_seconds ssd prod/osd.0 kv-sync";
const commits = "commits_total ssd prod/osd.0 kv-sync";
const answering = "scrape_answering prod";
const failed = (reason: string) => `scrapes_failed_total prod ${reason}`;

test("a mean covers the increase since the last answer; a first answer and a restart have none", async () => {
  const { window } = startWatch();
  answer = told(osd("osd.0", 100, 1000));
  expect(await window()).toEqual({ [answering]: 1, [running]: 1 });
  answer = told(osd("osd.0", 101, 1200));
  expect(await window()).toMatchObject({ [mean]: 0.005, [commits]: 200 });
  // Nothing was committed.
  expect(await window()).toEqual({ [answering]: 1, [running]: 1 });
  // The daemon restarted, and has since counted more than it had added in the last round.
  answer = told(osd("osd.0", 4, 900));
  expect(await window()).toEqual({ [answering]: 1, [running]: 1 });
  answer = told(osd("osd.0", 4.2, 1000));
  expect(await window()).toMatchObject({ [mean]: expect.closeTo(0.002, 9), [commits]: 100 });
});

test("a value that disappears is a gap at once, and starts over when it returns", async () => {
  const { window } = startWatch();
  answer = told(osd("osd.0", 100, 1000) + osd("osd.1", 1, 10));
  await window();
  answer = told(osd("osd.1", 2, 20));
  expect(await window()).not.toHaveProperty([running]);
  answer = told(osd("osd.0", 900, 9000));
  const back = await window();
  expect(back).toHaveProperty([running], 1);
  expect(back).not.toHaveProperty([mean]);
});

test("a duplicate series is counted once, and a late sample ignored", async () => {
  const { window } = startWatch();
  const late = `ceph_osd_up{ceph_daemon="osd.9"} 1 ${Date.now() - expositionBounds.ageMsMax - 60_000}\n`;
  answer = told(osd("osd.0", 1, 1, 0) + osd("osd.0", 1, 1, 1) + late);
  expect(await window()).toEqual({ [answering]: 1, [running]: 0 });
});

/** Sends 100 MB, as fast as the client reads. */
const endless: RequestListener = (_, response) => {
  response.setHeader("content-type", "text/plain");
  const part = `${`ceph_osd_flag_noup 0.0 # ${"x".repeat(1000)}\n`.repeat(100)}`;
  let left = Math.ceil(100_000_000 / part.length);
  const write = (): void => {
    while (left > 0) {
      left -= 1;
      if (!response.write(part)) return;
    }
    response.end();
  };
  response.on("drain", write).on("error", () => undefined);
  write();
};

test.each<[string, RequestListener, string]>([
  ["of 100 MB", endless, "too-large"],
  ["of HTML", (_, response) => void response.setHeader("content-type", "text/html").end("<p>"), "wrong-type"],
  [
    "that is compressed",
    (_, response) =>
      void response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end("x"),
    "wrong-type",
  ],
  ["that is not an exposition", told("ceph_osd_up{ceph_daemon=osd.0} 1\n"), "malformed"],
  ["of another program", told("up 1\n"), "nothing-known"],
  ["that is empty, as of a standby manager alone", told(""), "nothing-known"],
  ["with an error", (_, response) => void response.writeHead(500).end(), "status"],
  [
    "that redirects",
    (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    "status",
  ],
  [
    "that is truncated",
    (_, response) =>
      void response
        .writeHead(200, { "content-length": 9, "content-type": "text/plain" })
        .write("a", () => response.destroy()),
    "unreachable",
  ],
])("an answer %s is a failure with its reason, and all gauges are gaps", async (_, wrong, reason) => {
  const { window, logger } = startWatch();
  answer = told(osd("osd.0", 1, 1));
  await window();
  answer = wrong;
  expect(await window()).toEqual({ [answering]: 0, [failed(reason)]: 1 });
  expect(await window()).toEqual({ [answering]: 0, [failed(reason)]: 1 });
  expect(logger.warn).toHaveBeenCalledOnce();
  answer = told(osd("osd.0", 1, 1));
  expect(await window()).toEqual({ [answering]: 1, [running]: 1 });
});

test("an address that is down fails alone, and a slow one times out", async () => {
  const { port } = server.address() as AddressInfo;
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, "127.0.0.1", listening));
  const { port: closedPort } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const urls = [`http://127.0.0.1:${port}/metrics`, `http://127.0.0.1:${closedPort}/metrics`];
  const { window } = startWatch({ urls });
  answer = told(osd("osd.0", 1, 1));
  expect(await window()).toEqual({ [answering]: 0, [running]: 1, [failed("unreachable")]: 1 });
  // Sends headers, and then an occasional byte, forever.
  answer = (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).write("#");
  const question = { url: new URL(urls[0] ?? ""), tokenFile: null, caFile: null, wanted: new Set<string>() };
  const slow = askForMetrics({ ...question, timeoutMs: 50, nowMs: 0, signal: new AbortController().signal });
  await expect(slow).rejects.toMatchObject({ reason: "timeout" });
});

test("the medium of a drive is remembered while no answer reports it", async () => {
  const { window } = startWatch();
  answer = told(osd("osd.0", 1, 1));
  await window();
  answer = told('ceph_osd_up{ceph_daemon="osd.0"} 1\n');
  expect(await window()).toEqual({ [answering]: 1, [running]: 1 });
});

test("a stop cancels pending requests", async () => {
  const { watch } = startWatch();
  const asked = Promise.withResolvers<void>();
  answer = () => asked.resolve();
  watch.start();
  await asked.promise;
  await watch.stop();
});

test("a token is read for every request, and a missing one reported", async () => {
  const tokenFile = join(folder, "token");
  const { window } = startWatch({ tokenFile });
  expect(await window()).toEqual({ [answering]: 0, [failed("credentials")]: 1 });
  answer = (request, response) => {
    if (request.headers.authorization === "Bearer second") told(osd("osd.0", 1, 1))(request, response);
    else response.writeHead(403).end();
  };
  writeFileSync(tokenFile, "first\n");
  expect(await window()).toEqual({ [answering]: 0, [failed("status")]: 1 });
  writeFileSync(tokenFile, "second\n");
  expect(await window()).toMatchObject({ [answering]: 1 });
});

test.each(["169.254.169.254", "100.100.100.200", "224.0.0.1", "169.254.7.7"])(
  "no token is sent to a name that resolves to %s, while private networks are allowed",
  async (address) => {
    const question = { tokenFile: null, caFile: null, wanted: new Set<string>(), timeoutMs: 1000, nowMs: 0 };
    const signal = AbortSignal.abort();
    const asked = (resolved: string) =>
      askForMetrics({
        ...question,
        signal,
        url: new URL("http://mgr.example.org/metrics"),
        resolve: async () => [resolved],
      });
    await expect(asked(address)).rejects.toMatchObject({ reason: "address" });
    for (const usual of ["10.1.2.3", "192.168.1.1", "fd00::1", "8.8.8.8"]) {
      await expect(asked(usual)).rejects.toMatchObject({ reason: "unreachable" });
    }
  },
);

test("a name that cannot be resolved is unreachable, and a hanging resolver is abandoned", async () => {
  const question = { tokenFile: null, caFile: null, wanted: new Set<string>(), nowMs: 0 };
  const asked = (resolve: () => Promise<string[]>) =>
    askForMetrics({
      ...question,
      resolve,
      timeoutMs: 50,
      url: new URL("http://mgr.example.org/metrics"),
      signal: new AbortController().signal,
    });
  await expect(asked(async () => [])).rejects.toMatchObject({ reason: "unreachable" });
  await expect(asked(() => new Promise(() => undefined))).rejects.toMatchObject({ reason: "timeout" });
});

test("drives beyond the limit, and those of unknown medium, are left out and reported", async () => {
  const { window, logger } = startWatch({ deviceCountMax: 1 });
  answer = told(`${osd("osd.0", 1, 1)}${osd("osd.1", 1, 1)}ceph_osd_up{ceph_daemon="osd.2"} 1\n`);
  expect(await window()).toEqual({ [answering]: 1, [running]: 1 });
  expect(logger.warn.mock.calls.flat()).toContainEqual({
    source: "prod",
    left: [expect.stringMatching(/^1 of unknown medium/), expect.stringMatching(/^1 beyond 1 /)],
  });
});
