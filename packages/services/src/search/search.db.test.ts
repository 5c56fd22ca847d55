import type { UploadTraceData } from "@stashlight/contracts/upload";
import { beforeAll, expect, test } from "vitest";
import { createDashboard, listDashboards, shareDashboard } from "../dashboard/index.ts";
import {
  accept,
  createTestEndpoint,
  createTestNode,
  type Person,
  useSharedInstallation,
} from "../testing/index.ts";
import { acceptTraces } from "../trace/accept.ts";
import { findByName } from "./find-by-name.ts";

const { installation, viewer } = useSharedInstallation("viewer");
let admin: Person;

beforeAll(async () => {
  const { platform, clock } = installation;
  admin = await installation.person("admin", "Ada Byron");
  const node = await createTestNode(platform, "stash-7", false, "Photos");
  const nowMs = clock.now().getTime();
  const labels = { tier: "stash", device: "s3", operation: "commit" };
  await accept(
    platform,
    node.batch({ endMs: nowMs, histograms: [["stashlight_fsync_seconds", labels, [0.001]]] }),
  );
  const moments = { podSentUs: 0, podWrittenUs: 1, stashSentUs: 0, stashDurableUs: 2, purgedUs: null };
  const trace: UploadTraceData = {
    uploadId: "upload-of-holiday",
    bucket: "holiday",
    sizeBytes: 100_000,
    path: "stash",
    result: "stored",
    startedAtMs: nowMs - 60_000,
    totalUs: 10_000,
    keptBecause: ["slowest"],
    verify: { startUs: null, endUs: null },
    encode: { startUs: -2_000, endUs: -500 },
    podQuorumUs: 7_000,
    stashQuorumUs: 9_000,
    quorumUs: 9_500,
    shards: [
      { index: 0, ...moments, flushedUs: 5 },
      { index: 1, ...moments, flushedUs: null },
    ],
  };
  await acceptTraces({ client: platform.metrics, nodeId: node.id, nowMs, traces: [trace] });
  await createTestEndpoint(platform, { name: "B2 of west", bucket: "bench" });
  await createTestEndpoint(platform, { name: "100%_sure", bucket: "other" });
});

const find = async (text: string, person = admin) => findByName({ ctx: person.ctx, input: { text } });

test("a vault, a node and a drive are found by parts of their names, in any case and order", async () => {
  expect(await find("photos")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "vault", label: "Photos", href: "/vaults?vault=Photos" }),
      expect.objectContaining({ kind: "node", href: "/vaults?vault=Photos&node=stash-7" }),
    ]),
  );
  const drive = expect.objectContaining({
    kind: "drive",
    label: "s3 of stash-7",
    href: "/vaults?vault=Photos&node=stash-7&device=s3",
  });
  expect(await find("STASH-7 s3")).toEqual([drive]);
  expect(await find("s3 PHOTOS")).toEqual([drive]);
});

test("an upload is found by its bucket, with how many of its shards are durable", async () => {
  expect(await find("holi")).toEqual([
    expect.objectContaining({
      kind: "upload",
      detail: "1 of 2 shards durable on pods",
      href: "/write-path?upload=upload-of-holiday",
    }),
  ]);
});

test("an admin finds users and endpoints, and a viewer neither", async () => {
  expect((await find("byron")).map(({ kind }) => kind)).toEqual(["user"]);
  expect(await find("byron", viewer)).toEqual([]);
  expect((await find("b2 of west")).map(({ kind }) => kind)).toEqual(["endpoint"]);
  expect(await find("b2 of west", viewer)).toEqual([]);
});

test("wildcards are plain text, and a query without matches finds nothing", async () => {
  for (const text of ["%%", "__", "nothing of that name"]) expect(await find(text)).toEqual([]);
  expect((await find("0%_s")).map(({ label }) => label)).toEqual(["100%_sure"]);
});

test("dashboards are found by their owner, and by others once they are shared", async () => {
  await createDashboard({ ctx: admin.ctx, input: { name: "Night shift" } });
  expect(await find("shift night")).toMatchObject([{ kind: "dashboard", detail: "your dashboard" }]);
  expect(await find("night", viewer)).toEqual([]);
  const [{ id: dashboardId } = { id: "" }] = await listDashboards({ ctx: admin.ctx });
  await shareDashboard({ ctx: admin.ctx, input: { dashboardId, isShared: true } });
  expect(await find("night", viewer)).toMatchObject([
    { kind: "dashboard", detail: "dashboard of Ada Byron", href: `/dashboards/${dashboardId}` },
  ]);
});
