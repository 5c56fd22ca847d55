import { expect, test } from "vitest";
import { isSameOrigin } from "./same-origin.ts";

const publicUrl = "https://console.example.org/";

test.each([
  ["no browser at all", {}, true],
  ["the public address", { origin: "https://console.example.org", "sec-fetch-site": "same-origin" }, true],
  ["an old browser without Sec-Fetch", { origin: "https://console.example.org" }, true],
  ["typed into the address bar", { "sec-fetch-site": "none" }, true],
  ["the address the page came from", { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }, true],
  ["behind a proxy that ends TLS", { origin: "https://nas:3000", host: "nas:3000" }, true],
  ["another site", { origin: "https://evil.example", host: "console.example.org" }, false],
  ["another site, without an Origin", { "sec-fetch-site": "cross-site" }, false],
  ["a neighbour of the same domain", { "sec-fetch-site": "same-site" }, false],
  [
    "marked cross-site, with our own Origin",
    { origin: "https://console.example.org", "sec-fetch-site": "cross-site" },
    false,
  ],
  ["a sandboxed frame", { origin: "null", host: "console.example.org" }, false],
  ["another port", { origin: "https://console.example.org:8443", host: "console.example.org" }, false],
  ["plain HTTP of the public name", { origin: "http://console.example.org" }, false],
  [
    "a longer name",
    { origin: "https://console.example.org.evil.example", host: "console.example.org" },
    false,
  ],
])("the origin of a request is checked: %s", (_, headers, expected) => {
  expect(isSameOrigin(new Headers(headers as Record<string, string>), publicUrl)).toBe(expected);
});
