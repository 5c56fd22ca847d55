import { beforeEach, describe, expect, test } from "vitest";
import {
  BUCKET,
  beginMultipart,
  Coordinators,
  context,
  put,
  putIn,
  putPart,
  remove,
  type TestCoordinator,
} from "../space/testing/coordinators.ts";
import { VaultError } from "../vault/errors.ts";
import { CautiousClock } from "./cautious-clock.ts";
import { Lifecycle, lifecycleTiming } from "./lifecycle.ts";
import { LIFECYCLE } from "./pass-turn.ts";

const DAY = 86_400_000;
const timing = lifecycleTiming();

let coordinators: Coordinators;
let first: TestCoordinator;
/** Time at which rules are evaluated. Versions in memory date from the first day of 1970. */
let timeMs: number;
let audit: object[];
let failures: unknown[];

beforeEach(async () => {
  ({ coordinators, first } = await Coordinators.start());
  timeMs = 0;
  audit = [];
  failures = [];
});

function start({ space, store }: TestCoordinator, readTimeMs = async () => timeMs): Lifecycle {
  return new Lifecycle({
    space,
    store,
    timing,
    audit: { append: async (line) => void audit.push(line) },
    wallMs: () => timeMs,
    steadyMs: () => coordinators.nowMs,
    readTimeMs,
    isBusy: () => false,
    onFailure: (error) => failures.push(error),
  });
}

/** Advances time until the coordinators have made another pass together. */
async function passOnce(...lifecycles: readonly Lifecycle[]): Promise<void> {
  const count = () => lifecycles.reduce((sum, { passCount }) => sum + passCount, 0);
  const wanted = count() + 1;
  for (let turn = 0; count() < wanted && turn < 1000; turn += 1) await step(...lifecycles);
  expect(count()).toBe(wanted);
}

async function step(...lifecycles: readonly Lifecycle[]): Promise<void> {
  coordinators.nowMs += timing.lookEveryMs;
  for (const lifecycle of lifecycles) await lifecycle.step();
}

const rule = (id: string, filter: string, action: string, status = "Enabled") =>
  `<Rule><ID>${id}</ID><Filter>${filter}</Filter><Status>${status}</Status>${action}</Rule>`;
const days = (count: number) => `<Expiration><Days>${count}</Days></Expiration>`;
const prefix = (text: string) => `<Prefix>${text}</Prefix>`;

async function setRules(...rules: readonly string[]): Promise<void> {
  const text =
    rules.length === 0 ? null : `<LifecycleConfiguration>${rules.join("")}</LifecycleConfiguration>`;
  await first.store.writeBucketSetting(context, { bucket: BUCKET, name: "lifecycle", text });
}

const keys = () => coordinators.vault.keysIn(BUCKET);

describe("objects", () => {
  test("expire by prefix, size, tag and date, and others stay", async () => {
    for (const key of ["logs/a", "logs/b", "data/a", "tagged", "dated/a"]) await put(first, key, "body");
    await put(first, "data/large", "a body of several pieces");
    const tags = [{ key: "keep", value: "no" }];
    await first.store.putObjectTags(context, { bucket: BUCKET, key: "tagged", tags });
    const size = "<ObjectSizeGreaterThan>10</ObjectSizeGreaterThan>";
    await setRules(
      rule("logs", prefix("logs/"), days(1)),
      rule("large", `<And>${prefix("data/")}${size}</And>`, days(2)),
      rule("tagged", "<Tag><Key>keep</Key><Value>no</Value></Tag>", days(3)),
      rule("disabled", "", days(1), "Disabled"),
      rule("dated", prefix("dated/"), "<Expiration><Date>1970-01-10</Date></Expiration>"),
    );
    const lifecycle = start(first);
    timeMs = 2 * DAY - timing.everyMs;
    await passOnce(lifecycle);
    expect(keys()).toHaveLength(6);
    timeMs += timing.everyMs;
    await passOnce(lifecycle);
    expect(keys()).toEqual(["data/a", "data/large", "dated/a", "tagged"]);
    timeMs = 3 * DAY;
    await passOnce(lifecycle);
    expect(keys()).toEqual(["data/a", "dated/a", "tagged"]);
    timeMs = 9 * DAY;
    await passOnce(lifecycle);
    expect(keys()).toEqual(["data/a"]);
    await coordinators.pass(60_000);
    expect([coordinators.pieceKeys, failures]).toEqual([[], []]);
    expect(lifecycle.deletions).toMatchObject({ counts: { expire: 5 }, bytes: { expire: 4 * 4 + 24 } });
    const facts = { action: "lifecycle.expire", bucket: BUCKET };
    expect(audit).toEqual([
      { time: "1970-01-03T00:00:00.000Z", ...facts, ruleId: "logs", count: 2, bytes: 8 },
      { time: "1970-01-04T00:00:00.000Z", ...facts, ruleId: "large", count: 1, bytes: 24 },
      { time: "1970-01-10T00:00:00.000Z", ...facts, ruleId: "dated", count: 1, bytes: 4 },
      { time: "1970-01-10T00:00:00.000Z", ...facts, ruleId: "tagged", count: 1, bytes: 4 },
    ]);
  });

  test.each(["body", "a body of several pieces"])(
    "stay if a client rewrites them with the same bytes %j during the pass",
    async (body) => {
      for (const key of ["a", "b"]) await put(first, key, body);
      await setRules(rule("all", "", days(1)));
      let isOver = false;
      coordinators.vault.before = async (verb, bucket, key) => {
        if (isOver || verb !== "delete" || bucket !== BUCKET || key !== "a") return;
        isOver = true;
        await put(first, key, body);
      };
      const lifecycle = start(first);
      timeMs = 2 * DAY;
      await passOnce(lifecycle);
      await coordinators.pass(60_000);
      expect([keys(), lifecycle.deletions.counts.expire, failures]).toEqual([["a"], 1, []]);
      const reader = await first.store.getObject(context, { bucket: BUCKET, key: "a", customerKey: null });
      const chunks: Uint8Array[] = [];
      for await (const chunk of reader.read({ start: 0, end: body.length })) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).toBe(body);
    },
  );

  test("that a client deletes at the same time are not counted", async () => {
    await put(first, "a", "body");
    await setRules(rule("all", "", days(1)));
    let isOver = false;
    coordinators.vault.before = async (verb, bucket) => {
      if (isOver || verb !== "delete" || bucket !== BUCKET) return;
      isOver = true;
      await remove(first, "a");
    };
    const lifecycle = start(first);
    timeMs = 2 * DAY;
    await passOnce(lifecycle);
    expect([keys(), lifecycle.deletions.counts.expire, audit]).toEqual([[], 0, []]);
  });

  test("stay if the rule is removed before the pass reaches them", async () => {
    for (let at = 0; at < 1200; at += 1) await put(first, `k${String(at).padStart(4, "0")}`, "x");
    await setRules(rule("all", "", days(1)));
    let pageCount = 0;
    coordinators.vault.before = async (verb, bucket) => {
      if (verb !== "list" || bucket !== BUCKET) return;
      pageCount += 1;
      if (pageCount === 2) await setRules();
    };
    const lifecycle = start(first);
    timeMs = 2 * DAY;
    await passOnce(lifecycle);
    expect([keys().length, lifecycle.deletions.counts.expire]).toEqual([700, 500]);
  });

  test("stay if an edit during the pass excludes them from the rule", async () => {
    for (let at = 0; at < 1200; at += 1) await put(first, `k${String(at).padStart(4, "0")}`, "x");
    await setRules(rule("all", "", days(1)));
    let pageCount = 0;
    coordinators.vault.before = async (verb, bucket) => {
      if (verb !== "list" || bucket !== BUCKET) return;
      pageCount += 1;
      if (pageCount === 2) await setRules(rule("all", prefix("k0"), days(1)));
    };
    timeMs = 2 * DAY;
    await passOnce(start(first));
    expect(keys()).toEqual(Array.from({ length: 200 }, (_, at) => `k1${String(at).padStart(3, "0")}`));
  });

  test("of a bucket with unreadable rules stay, and the pass continues with other buckets", async () => {
    for (const bucket of ["later", "more"]) await first.store.createBucket(context, { bucket });
    const write = (bucket: string, text: string) =>
      first.store.writeBucketSetting(context, { bucket, name: "lifecycle", text });
    const all = `<LifecycleConfiguration>${rule("all", "", days(1))}</LifecycleConfiguration>`;
    await write("later", all.replace("<Filter>", "<Novelty/><Filter>"));
    for (const bucket of [BUCKET, "more"]) await write(bucket, all);
    for (const bucket of ["later", BUCKET, "more"]) await putIn(first, bucket, { key: "k", body: "body" });
    await beginMultipart(first, "k", "later");
    const lifecycle = start(first);
    timeMs = 100 * DAY;
    await passOnce(lifecycle);
    const kept = ["later", BUCKET, "more"].map((bucket) => coordinators.vault.keysIn(bucket));
    expect([kept, coordinators.vault.keysIn(".uploads").length]).toEqual([[["k"], [], []], 1]);
    expect([lifecycle.failureCount, failures]).toMatchObject([
      1,
      [
        {
          message: "The lifecycle rules of later cannot be read; it is skipped.",
          cause: { code: "MalformedXML" },
        },
      ],
    ]);
  });

  test("of a recreated bucket do not follow the rules of the earlier one", async () => {
    await put(first, "a", "body");
    await setRules(rule("all", "", days(1)));
    await remove(first, "a");
    await first.store.deleteBucket(context, { bucket: BUCKET });
    await first.store.createBucket(context, { bucket: BUCKET });
    await put(first, "a", "body");
    timeMs = 100 * DAY;
    await passOnce(start(first));
    expect(keys()).toEqual(["a"]);
  });
});

describe("several coordinators", () => {
  const countOf = (...lifecycles: readonly Lifecycle[]) =>
    lifecycles.reduce((sum, { deletions }) => sum + deletions.counts.expire, 0);

  async function fill(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) await put(first, `k${String(at).padStart(4, "0")}`, "x");
    await setRules(rule("all", "", days(1)));
    timeMs = 2 * DAY;
  }

  test("make one pass together, and delete each object once", async () => {
    await fill(1200);
    const all = [start(first), start(coordinators.add()), start(coordinators.add())];
    await passOnce(...all);
    for (let turn = 0; turn < 20; turn += 1) await step(...all);
    expect(all.map(({ passCount }) => passCount).toSorted()).toEqual([0, 0, 1]);
    expect([keys(), countOf(...all), failures]).toEqual([[], 1200, []]);
  });

  test("complete the pass of a killed coordinator once it is considered dead", async () => {
    await fill(1200);
    const killed = start(first);
    while (countOf(killed) < 500) await step(killed);
    const other = start(coordinators.add());
    const lists: string[] = [];
    coordinators.vault.before = (verb, bucket) => {
      if (verb === "list" && bucket === BUCKET) lists.push(bucket);
    };
    await passOnce(other);
    expect([keys(), countOf(killed, other)]).toEqual([[], 1200]);
    expect(coordinators.nowMs).toBeGreaterThan(1_000_000 + timing.firstAfterMs + timing.staleMs);
  });

  test("delete each object once if one of them loses its turn", async () => {
    await fill(1200);
    const slow = start(first);
    while (countOf(slow) < 500) await step(slow);
    const other = start(coordinators.add());
    await passOnce(other);
    for (let turn = 0; turn < 20; turn += 1) await step(slow);
    expect([keys(), countOf(slow, other), slow.passCount, failures]).toEqual([[], 1200, 0, []]);
  });

  test("rest after a pass, unless the record of its end is in the future", async () => {
    const lifecycle = start(first);
    timeMs = 1000 * DAY;
    await passOnce(lifecycle);
    timeMs += timing.everyMs - 1;
    for (let turn = 0; turn < 20; turn += 1) await step(lifecycle);
    expect(lifecycle.passCount).toBe(1);
    timeMs = 10 * DAY;
    await passOnce(lifecycle);
  });
});

test("a wall clock that jumps around an object's expiry deletes it neither early nor late", async () => {
  await put(first, "a", "body");
  await setRules(rule("all", "", days(1)));
  const startMs = coordinators.nowMs;
  const steadyMs = () => coordinators.nowMs;
  const trueMs = () => 1.5 * DAY + steadyMs() - startMs;
  let aheadMs = 0;
  const clock = new CautiousClock({ wallMs: () => trueMs() + aheadMs, steadyMs });
  const lifecycle = start(first, async () => clock.read());
  for (const jumpMs of [10 * DAY, 0, DAY, 0]) {
    aheadMs = jumpMs;
    for (let count = 0; count < 2; count += 1) await passOnce(lifecycle);
    expect(keys()).toEqual(["a"]);
  }
  while (trueMs() < 2 * DAY) await passOnce(lifecycle);
  await passOnce(lifecycle);
  expect([keys(), failures]).toEqual([[], []]);
});

test("a vault that does not answer is asked again, and the pass continues", async () => {
  await put(first, "a", "body");
  await setRules(rule("all", "", days(1)));
  timeMs = 2 * DAY;
  let left = 3;
  coordinators.vault.before = (verb, bucket) => {
    if (verb === "delete" && bucket === BUCKET && left-- > 0) throw new VaultError("unavailable");
  };
  const lifecycle = start(first);
  await passOnce(lifecycle);
  expect([keys(), lifecycle.failureCount, failures.length]).toEqual([[], 3, 3]);
});

test("no pass begins just after startup", async () => {
  const asked: string[] = [];
  coordinators.vault.before = (verb, bucket) => void asked.push(`${verb} ${bucket}`);
  const lifecycle = start(first);
  coordinators.nowMs += timing.firstAfterMs - 1;
  await lifecycle.step();
  expect(asked).toEqual([]);
  await step(lifecycle);
  expect(asked).toContain(`put ${LIFECYCLE}`);
});

describe("multipart uploads", () => {
  const uploads = async () => {
    const all = { bucket: BUCKET, prefix: "", keyMarker: "", uploadIdMarker: "", uploadCountMax: 100 };
    return (await first.store.listMultipartUploads(context, all)).uploads.map(({ key }) => key);
  };

  test("are aborted after the days of their rule, and after a week without one", async () => {
    for (const key of ["logs/a", "data/a"]) {
      const uploadId = await beginMultipart(first, key);
      await putPart(first, key, uploadId, 1, "a body of several pieces");
    }
    const abort =
      "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>";
    await setRules(rule("logs", prefix("logs/"), abort));
    const lifecycle = start(first);
    timeMs = 2 * DAY;
    await passOnce(lifecycle);
    expect(await uploads()).toEqual(["data/a"]);
    timeMs = 8 * DAY - timing.everyMs;
    await passOnce(lifecycle);
    expect(await uploads()).toEqual(["data/a"]);
    timeMs += timing.everyMs;
    await passOnce(lifecycle);
    expect(await uploads()).toEqual([]);
    await coordinators.pass(60_000);
    expect([coordinators.pieceKeys, failures]).toEqual([[], []]);
    expect(audit).toMatchObject([
      { action: "lifecycle.abort", ruleId: "logs", count: 1, bytes: 24 },
      { action: "lifecycle.abort", ruleId: "stashlight-default-abort-after-7-days", count: 1, bytes: 24 },
    ]);
  });

  test("of a deleted bucket are aborted too", async () => {
    const uploadId = await beginMultipart(first, "k");
    await putPart(first, "k", uploadId, 1, "a body of several pieces");
    await first.store.deleteBucket(context, { bucket: BUCKET });
    timeMs = 8 * DAY;
    await passOnce(start(first));
    await coordinators.pass(60_000);
    expect(coordinators.pieceKeys).toEqual([]);
  });
});
