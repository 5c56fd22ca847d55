import { expect, test } from "vitest";
import { addSpaces } from "./store-space.ts";

test.each([
  ["one vault", [{ takenBytes: 300, capacityBytes: 1000 }], { capacityBytes: 1000, availableBytes: 700 }],
  [
    "several vaults",
    [
      { takenBytes: 300, capacityBytes: 1000 },
      { takenBytes: 0, capacityBytes: 50 },
    ],
    { capacityBytes: 1050, availableBytes: 750 },
  ],
  [
    "a vault that shrank below its content",
    [{ takenBytes: 9, capacityBytes: 5 }],
    { capacityBytes: 5, availableBytes: 0 },
  ],
  [
    "a vault whose pods have not reported",
    [
      { takenBytes: 300, capacityBytes: 1000 },
      { takenBytes: null, capacityBytes: 1000 },
    ],
    null,
  ],
])("the space of %s is added up or unknown", (_, spaces, expected) => {
  expect(addSpaces(spaces)).toEqual(expected);
});
