/** Proves that the simulation finds mistakes: a deliberately broken build must fail, and soon. */
import { expect, test } from "vitest";
import { hunt } from "../cli/hunt.ts";

test.each(["ack-without-stash", "written-called-durable", "purge-before-flush-ended"])(
  "mutant %s is caught within 20 seeds",
  async (name) => {
    const { finding } = await hunt(name, 1, 20);
    expect(finding).not.toBeNull();
  },
  60_000,
);

test("the seeds that catch mutants find nothing in the unmodified write path", async () => {
  const { finding, seedCount } = await hunt(null, 1, 20);
  expect(finding).toBeNull();
  expect(seedCount).toBe(20);
}, 60_000);
