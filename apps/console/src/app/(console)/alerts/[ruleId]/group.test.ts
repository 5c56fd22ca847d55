import { expect, test } from "vitest";
import { labelsOfGroup } from "./group.ts";

test.each([
  ['["stash-1","s1"]', { node: "stash-1", device: "s1" }],
  ['["","s1"]', { device: "s1" }],
  [null, {}],
  ["[]", {}],
  ['["only one"]', {}],
  ["[1,2]", {}],
  ["{", {}],
])("the group %s of a link is read as %o", (group, labels) => {
  expect(labelsOfGroup(["node", "device"], group)).toEqual(labels);
});
