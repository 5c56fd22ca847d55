import { expect, test } from "vitest";
import { describeUserAgent } from "./user-agent.ts";

test.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
    "Chrome on Linux",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1",
    "Safari on iOS",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 15.0; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on macOS"],
  ["curl/8.10.0", "curl"],
  ["stashlight-probe/1.0 (x)", "stashlight-probe/1.0"],
  ["", "Unknown program"],
])("the user agent %s is described as %s", (userAgent, name) => {
  expect(describeUserAgent(userAgent)).toBe(name);
});
