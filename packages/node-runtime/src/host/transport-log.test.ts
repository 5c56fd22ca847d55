import type { TransportEvent } from "@stashlight/transport";
import type { Logger } from "pino";
import { expect, test } from "vitest";
import { createTransportLog } from "./transport-log.ts";

function createLog() {
  const lines: string[] = [];
  const write = (fields: { untoldCount?: number } | string, text?: string) => {
    const line = typeof fields === "string" ? fields : text;
    lines.push(
      typeof fields === "object" && fields.untoldCount ? `${fields.untoldCount} ${line}` : `${line}`,
    );
  };
  const logger = { info: write, warn: write, error: write, debug: write } as unknown as Logger;
  const clock = { nowMs: 0 };
  return { lines, clock, log: createTransportLog(logger, () => clock.nowMs) };
}

const refused = (reason: "frame" | "notProved", text: string): TransportEvent => {
  return { type: "refused", nodeId: null, reason, text };
};

test("a thousand refusals in a minute are logged as ten lines, and the next minute logs the number omitted", () => {
  const { lines, clock, log } = createLog();
  for (let count = 0; count < 1_000; count += 1) log(refused("frame", "no frame"));
  expect(lines).toEqual(Array.from({ length: 10 }, () => "no frame"));
  clock.nowMs = 60_000;
  log(refused("frame", "again"));
  expect(lines.slice(10)).toEqual(["990 further refusals were not logged", "again"]);
});

test("refusals for one reason do not hide those for another, and connections are always logged", () => {
  const { lines, log } = createLog();
  for (let count = 0; count < 20; count += 1) log(refused("frame", "no frame"));
  log(refused("notProved", "no key"));
  for (let count = 0; count < 20; count += 1) log({ type: "disconnected", nodeId: "pod-1", text: "gone" });
  expect(lines.filter((line) => line === "no key")).toHaveLength(1);
  expect(lines.filter((line) => line === "gone")).toHaveLength(20);
});
