import { lostObjectsReportedEveryMs } from "@stashlight/contracts/lost-object";
import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { VaultError } from "../vault/errors.ts";
import { LostReports } from "./lost-reports.ts";
import { LostRecheck } from "./recheck.ts";
import { testLost, testShortage, testUpload } from "./testing.ts";

type Head = (bucket: string, key: string) => Promise<UploadHeader | null>;

function recheckOf(ids: string[], head: Head, clock = { nowMs: 1 }) {
  const present = new Set(ids);
  const vault = {
    head,
    lostObjects: () => [...present].map((id) => testLost(testShortage({ uploadId: id, key: id }))),
    forgetLost: (uploadId: string) => void present.delete(uploadId),
  };
  return { recheck: new LostRecheck({ vault, everyMs: 1000, nowMs: () => clock.nowMs }), present };
}

test("objects that were deleted or overwritten are no longer lost, and the others stay", async () => {
  const heads: Record<string, Head> = {
    deleted: async () => null,
    overwritten: async () => testUpload({ uploadId: "newer" }),
    lost: async () => testUpload({ uploadId: "lost" }),
    silent: () => Promise.reject(new VaultError("unavailable")),
  };
  const { recheck, present } = recheckOf(Object.keys(heads), async (bucket, key) => {
    return (await heads[key]?.(bucket, key)) ?? null;
  });
  await recheck.round();
  expect([...present]).toEqual(["lost", "silent"]);
});

test("an object is listed once it is known to exist, or has been unknown for ten seconds", async () => {
  const clock = { nowMs: 1 };
  const heads: Record<string, Head> = {
    deleted: async () => null,
    lost: async () => testUpload({ uploadId: "lost" }),
    silent: () => Promise.reject(new VaultError("unavailable")),
  };
  const { recheck } = recheckOf(
    Object.keys(heads),
    async (_, key) => (await heads[key]?.("", key)) ?? null,
    clock,
  );
  const listed = () => recheck.listed().map(({ shortage }) => shortage.upload.uploadId);
  expect(listed()).toEqual([]);
  await recheck.confirm();
  expect(listed()).toEqual(["lost"]);
  clock.nowMs = 10_001;
  expect(listed()).toEqual(["lost", "silent"]);
});

test("a round checks fifty objects, and the next rounds the others", async () => {
  const ids = Array.from({ length: 120 }, (_, at) => String(at).padStart(3, "0"));
  const looked: string[] = [];
  const { recheck } = recheckOf(ids, async (_, key) => {
    looked.push(key);
    return testUpload({ uploadId: key });
  });
  await recheck.round();
  expect(looked).toHaveLength(50);
  await recheck.round();
  await recheck.round();
  expect(new Set(looked).size).toBe(120);
  expect(looked).toHaveLength(150);
});

test("a report is due at first, when the number changes, and once per minute", () => {
  let [nowMs, total] = [0, 0];
  const reports = new LostReports(
    () => ({ total, objects: [] }),
    () => nowMs,
  );
  const send = (): boolean => {
    const due = reports.due();
    if (due !== null) reports.taken(due);
    return due !== null;
  };
  expect([send(), send()]).toEqual([true, false]);
  total = 1;
  expect([send(), send()]).toEqual([true, false]);
  total = 0;
  expect([send(), send()]).toEqual([true, false]);
  nowMs = lostObjectsReportedEveryMs;
  expect([send(), send()]).toEqual([true, false]);
});

test("a report that the ingest did not accept stays due", () => {
  const reports = new LostReports(
    () => ({ total: 1, objects: [] }),
    () => 0,
  );
  expect([reports.due(), reports.due()]).toEqual([
    { total: 1, objects: [] },
    { total: 1, objects: [] },
  ]);
});
