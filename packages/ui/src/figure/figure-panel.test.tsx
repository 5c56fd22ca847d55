import { expect, test } from "vitest";
import { tickShift } from "./figure-panel.tsx";

test.each([
  [0.05, "256 kB", "translateX(max(-50%, -5cqw))"],
  [0, "12 h", "translateX(max(-50%, 0cqw))"],
  [0, "0", "translateX(-50%)"],
])("a label at %f, %j, stays clear of the other axis", (at, label, transform) => {
  expect(tickShift({ at, label })).toBe(transform);
});
