/** A simulation that finds nothing proves nothing: a deliberately broken build must fail, and soon. */
import { expect, test } from "vitest";
import { hunt } from "../cli/hunt.ts";

test.each([
  ["ack-without-stash", "S4"],
  ["written-called-durable", "S4"],
  ["purge-before-flush-ended", "S3"],
])("mutant %s is caught within 20 seeds, by %s", async (name, property) => {
  const { finding, seedCount } = await hunt(name, 1, 20);
  expect(finding?.property, finding?.sentence).toBe(property);
  expect(seedCount).toBeLessThanOrEqual(20);
});

test("the very seeds that catch them hold without a mistake", async () => {
  const { finding, seedCount } = await hunt(null, 1, 20);
  expect(finding).toBeNull();
  expect(seedCount).toBe(20);
});
