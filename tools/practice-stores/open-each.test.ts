import { expect, test } from "vitest";
import { openEach } from "./open-each.ts";

function fakeStore() {
  const store = {
    isClosed: false,
    close: async () => {
      store.isClosed = true;
    },
  };
  return store;
}

async function open(openings: Parameters<typeof openEach>[0], signal = new AbortController().signal) {
  const events: string[] = [];
  const stores = await openEach(
    openings,
    {
      onOpened: async (name) => void events.push(`${name} runs`),
      onFailed: (name, error) => void events.push(`${name}: ${error.message}`),
    },
    signal,
  );
  return { stores, events };
}

test("a store that fails does not close the others, and a slow one gets time to start", async () => {
  const [quick, slow] = [fakeStore(), fakeStore()];
  const gate = Promise.withResolvers<void>();
  const failing = {
    name: "failing",
    open: async () => {
      // The slow one is released by the failure, so that it is certainly the later one.
      gate.resolve();
      throw new Error("it did not start");
    },
  };
  const { stores, events } = await open([
    { name: "slow", open: () => gate.promise.then(() => slow) },
    { name: "quick", open: async () => quick },
    failing,
  ]);
  expect(stores).toEqual([slow, quick]);
  expect(events.toSorted()).toEqual(["failing: it did not start", "quick runs", "slow runs"]);
  expect([quick.isClosed, slow.isClosed]).toEqual([false, false]);
});

test("a store whose file cannot be written is closed and reported as failed", async () => {
  const store = fakeStore();
  const failed: string[] = [];
  const stores = await openEach(
    [{ name: "full", open: async () => store }],
    {
      onOpened: () => Promise.reject(new Error("the disk is full")),
      onFailed: (name, error) => void failed.push(`${name}: ${error.message}`),
    },
    new AbortController().signal,
  );
  expect(stores).toEqual([]);
  expect(failed).toEqual(["full: the disk is full"]);
  expect(store.isClosed).toBe(true);
});

test("a store that is still starting when all are stopped is stopped too, and is not reported", async () => {
  const ending = new AbortController();
  const starting = {
    name: "starting",
    open: (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  };
  const opened = open([starting], ending.signal);
  ending.abort(new Error("Ctrl-C"));
  expect(await opened).toEqual({ stores: [], events: [] });
});
