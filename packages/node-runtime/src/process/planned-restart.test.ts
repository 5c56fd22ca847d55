import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PlannedRestart } from "./planned-restart.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Page {
  readonly instance: string;
  readonly nodeIds: readonly string[];
  readonly phase: string;
}

function start(isSupervised = true) {
  const calls: string[] = [];
  const restart = new PlannedRestart({
    nodeIds: () => ["pod-1", "stash-1"],
    isSupervised,
    restart: async () => void calls.push("restart"),
  });
  restart.onAnnounced(() => calls.push("announced"));
  const [[, page]] = restart.pages() as [[string, () => object]];
  const [[, act]] = restart.actions() as [[string, (body: unknown) => object]];
  return { restart, calls, page: () => page() as Page, ask: (body: object) => act(body) as Page };
}

test("a restart is announced, and follows once after its notice, even if it is requested again", () => {
  const { restart, calls, page, ask } = start();
  const { instance } = page();
  expect(page()).toMatchObject({ nodeIds: ["pod-1", "stash-1"], phase: "serving" });
  expect(restart.unreadiness).toBeNull();
  expect(ask({ instance, noticeMs: 5000 })).toMatchObject({ phase: "announced" });
  expect(restart.unreadiness).toBe("The agent restarts, as requested by vault restart.");
  vi.advanceTimersByTime(4999);
  ask({ instance, noticeMs: 0 });
  expect(calls).toEqual(["announced"]);
  vi.advanceTimersByTime(1);
  expect(page()).toMatchObject({ phase: "stopping" });
  ask({ instance, noticeMs: 0 });
  vi.runAllTimers();
  expect(calls).toEqual(["announced", "restart"]);
});

test.each<[string, boolean, object, RegExp]>([
  ["without a supervisor", false, {}, /^No supervisor would start the agent again/],
  ["for another process", true, { instance: crypto.randomUUID() }, /has been started again/],
  ["with a notice of an hour", true, { noticeMs: 3_600_000 }, /a notice of up to 120000 ms\.$/],
])("a restart is refused %s", (_, isSupervised, changes, sentence) => {
  const { calls, page, ask } = start(isSupervised);
  expect(() => ask({ instance: page().instance, noticeMs: 0, ...changes })).toThrow(sentence);
  vi.runAllTimers();
  expect(calls).toEqual([]);
});
