import { S3ClientError } from "@stashlight/s3/client";
import { expect, test } from "vitest";
import { createRetrier } from "./retry-requests.ts";

function virtualPatience() {
  let nowMs = 0;
  const slept: number[] = [];
  const events: string[] = [];
  const request = createRetrier({
    everyMs: 500,
    firstDelayMs: 1000,
    delayMsMax: 4000,
    nowMs: () => nowMs,
    sleep: async (ms) => {
      slept.push(ms);
      nowMs += ms;
    },
    observe: ({ type }) => events.push(type),
  });
  return { request, slept, events };
}

const busy = new S3ClientError("answered", "Busy.", { code: "SlowDown", status: 503 });

test("requests start no faster than allowed", async () => {
  const { request, slept } = virtualPatience();
  for (let i = 0; i < 3; i++) await request(async () => i);
  expect(slept).toEqual([500, 500]);
});

test("requests wait for a vault that is down, longer each time up to a limit, and report it once", async () => {
  const { request, slept, events } = virtualPatience();
  let failures = 5;
  const result = await request(async () => {
    if (failures-- > 0) throw busy;
    return "stored";
  });
  expect(result).toBe("stored");
  expect(slept).toEqual([1000, 2000, 4000, 4000, 4000]);
  expect(events).toEqual(["waiting", "again"]);
});

test("permanent failures are not retried", async () => {
  const { request, slept } = virtualPatience();
  const denied = new S3ClientError("answered", "No.", { code: "AccessDenied", status: 403 });
  await expect(request(() => Promise.reject(denied))).rejects.toBe(denied);
  expect(slept).toEqual([]);
});
