import { expect, test } from "vitest";
import { isActivePath } from "./active-path.ts";

test.each([
  ["/", "/", false, true],
  ["/users", "/", false, false],
  ["/users", "/users", false, true],
  ["/users/7", "/users", false, true],
  ["/users/7", "/users", true, false],
  ["/users-of-old", "/users", false, false],
  ["/users?sort=name", "/users#top", true, true],
  ["/users/", "/users", true, true],
])("at %s, a link to %s with exact: %s is active: %s", (currentPath, href, exact, active) => {
  expect(isActivePath(currentPath, href, exact)).toBe(active);
});
