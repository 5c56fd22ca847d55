import { expect, test } from "vitest";
import { s3Url } from "./edge.ts";

const tls = { cert: "/s3.pem", key: "/s3.key" };

test.each([
  ["10.0.0.7", { host: "10.0.0.8", port: 9000 }, "http://10.0.0.8:9000"],
  ["10.0.0.7", { host: "0.0.0.0", port: 9000, tls }, "https://10.0.0.7:9000"],
  ["fd00::7", { host: "::", port: 443, tls }, "https://[fd00::7]:443"],
  ["10.0.0.7", { host: "s3.example.org", port: 9000 }, "http://s3.example.org:9000"],
])("a coordinator on %s with %o is reached at %s", (host, s3, url) => {
  expect(s3Url({ host, s3: { region: "us-east-1", ...s3 } })).toBe(url);
});
