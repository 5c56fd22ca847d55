import { expect, test } from "vitest";
import { usByStage } from "./cpu-profile.ts";

const node = (id: number, functionName: string, url = "", children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

const profile = {
  nodes: [
    node(1, "(root)", "", [2, 3, 4, 6, 7]),
    node(2, "(idle)"),
    node(3, "(garbage collector)"),
    node(4, "encodeBody", "file:///x/packages/erasure/src/body.ts", [5]),
    node(5, "wasm-function[3]", "wasm://wasm/1f"),
    node(6, "step", "file:///x/packages/write-path/src/pod/step.ts"),
    node(7, "listOnTimeout", "node:internal/timers"),
  ],
  startTime: 1000,
  samples: [2, 3, 5, 4, 6, 7],
  timeDeltas: [0, 100, 100, 100, 100, 100, 50],
};

test("attributes time to the stage of the code, and WebAssembly's to its caller", () => {
  expect(Object.fromEntries(usByStage(profile, 1000, 2000))).toEqual({
    collector: 100,
    encode: 200,
    step: 100,
    "sockets and streams": 50,
  });
});

test("ignores time outside the two moments", () => {
  expect(Object.fromEntries(usByStage(profile, 1200, 1400))).toEqual({ encode: 200 });
});
