import { expect, test } from "vitest";
import { accept, createTestNode, useFreshInstallation } from "../../testing/index.ts";
import { readMeasuredSinceMs } from "./measured-since.ts";

const { installation } = useFreshInstallation();

test("the result is the end of the earliest window of any node, and null before the first window", async () => {
  const { ctx } = await installation.person("viewer");
  const node = await createTestNode(installation.platform, "stash-1");
  const other = await createTestNode(installation.platform, "stash-2");
  expect(await readMeasuredSinceMs({ ctx })).toBeNull();
  const nowMs = Math.floor(installation.clock.now().getTime() / 10_000) * 10_000;
  const window = (of: typeof node, ageMs: number) =>
    of.batch({
      endMs: nowMs - ageMs,
      gauges: [["stashlight_stash_used_bytes", { stash: of.name, device: "s1" }, 1]],
    });
  await accept(installation.platform, window(node, 10_000), window(other, 40_000), window(node, 20_000));
  expect(await readMeasuredSinceMs({ ctx })).toBe(nowMs - 40_000);
});

test("a user who is not signed in is refused", async () => {
  const { ctx } = await installation.person("viewer");
  await expect(readMeasuredSinceMs({ ctx: { ...ctx, principal: null } })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});
