import { afterEach, expect, test } from "vitest";
import { AheadPace, LiveAnswerCache } from "./live-answer-cache.ts";

const HOUR_MS = 3_600_000;

interface Question {
  readonly metric: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A manual clock, and questions that take `tookMs` on it. */
function setUp(tookMs: number) {
  let nowMs = 1_000_000_000;
  let failsWith: Error | null = null;
  const made: Question[] = [];
  const cache = new LiveAnswerCache<Question, number>(
    async (question) => {
      made.push(question);
      nowMs += tookMs;
      if (failsWith !== null) throw failsWith;
      return made.length;
    },
    () => nowMs,
    new AheadPace(),
  );
  opened = cache;
  const lastHour = (metric = "uploads"): Question => {
    const toMs = Math.ceil(nowMs / 5000) * 5000;
    return { metric, fromMs: toMs - HOUR_MS, toMs };
  };
  return {
    cache,
    made,
    lastHour,
    pass: (ms: number) => {
      nowMs += ms;
    },
    fail: (error: Error | null) => {
      failsWith = error;
    },
  };
}

/** Requests the same answer again after five minutes, so that it is refreshed for as long as any. */
async function view({ cache, lastHour, pass }: ReturnType<typeof setUp>, metric?: string): Promise<void> {
  await cache.answer(lastHour(metric));
  pass(5 * 60_000);
  await cache.answer(lastHour(metric));
}

let opened: LiveAnswerCache<Question, number> | null = null;
afterEach(() => opened?.close());

test("a slow answer stays cached while the range moves on, a quick one only briefly", async () => {
  const slow = setUp(120);
  expect(await slow.cache.answer(slow.lastHour())).toBe(1);
  slow.pass(5000);
  expect(await slow.cache.answer(slow.lastHour())).toBe(1);
  slow.pass(1000);
  expect(await slow.cache.answer(slow.lastHour())).toBe(2);

  const quick = setUp(4);
  expect(await quick.cache.answer(quick.lastHour())).toBe(1);
  quick.pass(150);
  expect(await quick.cache.answer(quick.lastHour())).toBe(1);
  quick.pass(100);
  expect(await quick.cache.answer(quick.lastHour())).toBe(2);
});

test("no answer about an hour stays cached for more than ten seconds", async () => {
  const { cache, lastHour, pass } = setUp(5000);
  expect(await cache.answer(lastHour())).toBe(1);
  pass(4000);
  expect(await cache.answer(lastHour())).toBe(1);
  pass(2000);
  expect(await cache.answer(lastHour())).toBe(2);
});

test("another metric, another length and a past range are not answered from the cache", async () => {
  const { cache, made, lastHour } = setUp(120);
  const question = lastHour();
  await cache.answer(question);
  await cache.answer({ ...question, metric: "fsync" });
  await cache.answer({ ...question, fromMs: question.fromMs - HOUR_MS });
  const yesterday = {
    ...question,
    fromMs: question.fromMs - 24 * HOUR_MS,
    toMs: question.toMs - 24 * HOUR_MS,
  };
  await cache.answer(yesterday);
  await cache.answer(yesterday);
  expect(made).toHaveLength(5);
});

test("an answer that took no time is not cached", async () => {
  const { cache, lastHour } = setUp(0);
  expect(await cache.answer(lastHour())).toBe(1);
  expect(await cache.answer(lastHour())).toBe(2);
});

test("concurrent requests wait for the same answer", async () => {
  const { cache, made, lastHour } = setUp(120);
  const question = lastHour();
  expect(await Promise.all([cache.answer(question), cache.answer(question)])).toEqual([1, 1]);
  expect(made).toHaveLength(1);
});

test("a failure rejects its requests, and is not cached", async () => {
  const { cache, lastHour, fail } = setUp(120);
  fail(new Error("The database is starting."));
  await expect(cache.answer(lastHour())).rejects.toThrow("The database is starting.");
  fail(null);
  expect(await cache.answer(lastHour())).toBe(2);
});

test("a recently viewed answer is refreshed ahead for a later time, so that the next request does not wait", async () => {
  const viewed = setUp(120);
  const { cache, made, lastHour, pass } = viewed;
  await view(viewed);
  for (let second = 0; second < 120; second += 1) {
    pass(1000);
    await cache.makeAhead();
  }
  const madeAhead = made.length;
  expect(madeAhead).toBeGreaterThan(10);
  expect(await cache.answer(lastHour())).toBe(madeAhead);
  expect(made.at(-1)?.toMs).toBeGreaterThan((made[0]?.toMs ?? 0) + 100_000);
  expect(made.map(({ fromMs, toMs }) => toMs - fromMs)).toEqual(made.map(() => HOUR_MS));
});

test("an answer is not refreshed if it has not been requested for five minutes, or is quick anyway", async () => {
  const viewed = setUp(120);
  await view(viewed);
  viewed.pass(5 * 60_000 + 1000);
  await viewed.cache.makeAhead();
  expect(viewed.made).toHaveLength(2);

  const quick = setUp(4);
  await view(quick);
  quick.pass(1000);
  await quick.cache.makeAhead();
  expect(quick.made).toHaveLength(2);
});

test("an answer is refreshed ahead for twice as long as it was viewed, but not after a single request", async () => {
  const { cache, made, lastHour, pass } = setUp(120);
  await cache.answer(lastHour());
  pass(4000);
  await cache.makeAhead();
  expect(made).toHaveLength(1);
  pass(6000);
  await cache.answer(lastHour());
  for (let second = 0; second < 120; second += 1) {
    pass(1000);
    await cache.makeAhead();
  }
  // Viewed for ten seconds, so for twenty more it is refreshed each time that half of its six seconds have passed.
  expect(made.length).toBeGreaterThan(5);
  expect(made.length).toBeLessThan(10);
});

test("refreshing forty answers takes at most a quarter of the time", async () => {
  const { cache, made, lastHour, pass } = setUp(120);
  for (let i = 0; i < 40; i += 1) await cache.answer(lastHour(`metric ${i}`));
  pass(60_000);
  for (let i = 0; i < 40; i += 1) await cache.answer(lastHour(`metric ${i}`));
  const before = made.length;
  for (let step = 0; step < 400; step += 1) {
    pass(25);
    await cache.makeAhead();
  }
  // There were 400 steps of 25 ms, and each refreshed answer took 120 ms.
  const count = made.length - before;
  expect(count).toBeGreaterThan(10);
  expect((count * 120) / (400 * 25 + count * 120)).toBeLessThanOrEqual(0.26);
});

test("an answer that cannot be refreshed ahead is computed on request", async () => {
  const viewed = setUp(120);
  const { cache, made, lastHour, pass, fail } = viewed;
  await view(viewed);
  pass(7000);
  fail(new Error("The database is starting."));
  await cache.makeAhead();
  fail(null);
  expect(await cache.answer(lastHour())).toBe(4);
  expect(made).toHaveLength(4);
});

test("the two hundred most recently requested answers are kept", async () => {
  const { cache, made, lastHour, pass } = setUp(120);
  for (let i = 0; i < 201; i += 1) {
    await cache.answer(lastHour(`metric ${i}`));
    pass(-119);
  }
  expect(made).toHaveLength(201);
  await cache.answer(lastHour("metric 200"));
  expect(made).toHaveLength(201);
  await cache.answer(lastHour("metric 0"));
  expect(made).toHaveLength(202);
});

test("queries of several kinds are refreshed one after another, with one shared pause", async () => {
  let nowMs = 1_000_000_000;
  const pace = new AheadPace();
  const made: string[] = [];
  const keeping = (kind: string) =>
    new LiveAnswerCache<Question, number>(
      async () => {
        made.push(kind);
        nowMs += 100;
        return made.length;
      },
      () => nowMs,
      pace,
    );
  const [charts, heatmaps] = [keeping("chart"), keeping("heatmap")];
  const toMs = nowMs;
  const question = { metric: "fsync", fromMs: toMs - HOUR_MS, toMs };
  for (const each of [charts, heatmaps]) await each.answer(question);
  nowMs += 4_000;
  for (const each of [charts, heatmaps]) await each.answer(question);
  await Promise.all([charts.makeAhead(), heatmaps.makeAhead()]);
  expect(made).toEqual(["chart", "heatmap", "chart"]);
  await heatmaps.makeAhead();
  expect(made).toHaveLength(3);
  nowMs += 300;
  await heatmaps.makeAhead();
  expect(made).toEqual(["chart", "heatmap", "chart", "heatmap"]);
  for (const each of [charts, heatmaps]) each.close();
});
