import type { Shortage, UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { shortageMessage } from "./shortage-message.ts";

const shortage: Shortage = {
  upload: {} as UploadHeader,
  readableCount: 4,
  neededCount: 16,
  shardCount: 20,
  damagedPods: [3, 7],
  unreadablePods: [],
  missingPods: [9],
  silentPods: [11],
};

test("the message counts the shards and names the drives by fault", () => {
  expect(shortageMessage(shortage)).toBe(
    "4 of the object's 20 shards can be read and 16 are needed (damaged on p3, p7; missing on p9; no answer from p11). It can be read again as soon as enough drives are back.",
  );
});

test("the message omits causes that no drive has", () => {
  const nothing = { ...shortage, damagedPods: [], missingPods: [], silentPods: [] };
  expect(shortageMessage(nothing)).toContain("16 are needed. It can");
});
