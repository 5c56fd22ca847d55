/** Tests CORS: writing and reading rules, preflights, and the headers of answers to pages of other origins. */
import { beforeAll, describe, expect, test } from "vitest";
import { S3Error } from "../errors.ts";
import { openConnection, type RawAnswer, requestHead } from "../testing/raw-connection.ts";
import { useWireEdge } from "../testing/use-edge.ts";
import { exchange } from "../testing/wire.ts";

const ORIGIN = "https://app.example.org";

function rule(...elements: readonly (readonly [name: string, value: string])[]): string {
  return `<CORSRule>${elements.map(([name, value]) => `<${name}>${value}</${name}>`).join("")}</CORSRule>`;
}

function configuration(...rules: readonly string[]): string {
  return `<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rules.join("")}</CORSConfiguration>`;
}

const RULES = configuration(
  rule(
    ["ID", "uploads"],
    ["AllowedOrigin", ORIGIN],
    ["AllowedOrigin", "https://*.test.example.org"],
    ["AllowedMethod", "PUT"],
    ["AllowedMethod", "GET"],
    ["AllowedHeader", "x-amz-*"],
    ["AllowedHeader", "content-type"],
    ["ExposeHeader", "ETag"],
    ["MaxAgeSeconds", "600"],
  ),
  rule(["AllowedOrigin", "*"], ["AllowedMethod", "GET"]),
);
let isBusy = false;
const edge = await useWireEdge(
  {},
  {
    admit: async () => {
      if (isBusy) throw new S3Error("SlowDown");
      return () => undefined;
    },
  },
);

beforeAll(async () => {
  await exchange(edge, "PUT", "/bucket/k", { body: "hello" });
  expect((await exchange(edge, "PUT", "/bucket?cors", { body: RULES })).status).toBe(200);
  await exchange(edge, "PUT", "/plain");
});

async function preflight(url: string, headers: Record<string, string>): Promise<RawAnswer> {
  const connection = openConnection(edge.port);
  connection.write(requestHead("OPTIONS", url, { host: "127.0.0.1", ...headers }));
  const answer = await connection.answer();
  connection.close();
  return answer;
}

const asking = (origin: string, method: string, wished?: string) => ({
  origin,
  "access-control-request-method": method,
  ...(wished !== undefined && { "access-control-request-headers": wished }),
});

describe("a preflight", () => {
  test.each([
    [ORIGIN, "PUT", "content-type, X-Amz-Date", ORIGIN],
    ["https://a.test.example.org", "PUT", undefined, "https://a.test.example.org"],
    [ORIGIN, "GET", undefined, ORIGIN],
    ["https://other.example.org", "GET", undefined, "*"],
  ])("from %s for %s with the headers %s is allowed", async (origin, method, wished, allowed) => {
    const { status, headers } = await preflight("/bucket/k", asking(origin, method, wished));
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, allowed]);
    expect(headers.get("access-control-allow-headers")).toBe(wished);
    expect(headers.get("access-control-allow-credentials")).toBe(allowed === "*" ? undefined : "true");
    expect(headers.get("vary")).toMatch(/^Origin, /);
  });

  test("lists the allowed methods and headers, and how long they may be cached", async () => {
    const { headers } = await preflight("/bucket", asking(ORIGIN, "PUT"));
    expect(headers.get("access-control-allow-methods")).toBe("PUT, GET");
    expect(headers.get("access-control-expose-headers")).toBe("ETag");
    expect(headers.get("access-control-max-age")).toBe("600");
  });

  test.each([
    ["/bucket/k", ORIGIN, "DELETE", undefined],
    ["/bucket/k", ORIGIN, "PUT", "authorization"],
    ["/bucket/k", "https://other.example.org", "PUT", undefined],
    ["/bucket/k", "https://test.example.org", "PUT", undefined],
    ["/bucket/k", "http://app.example.org", "PUT", undefined],
    ["/plain/k", ORIGIN, "GET", undefined],
    ["/nobucket/k", ORIGIN, "GET", undefined],
  ])("to %s from %s for %s with the headers %s is refused", async (url, origin, method, wished) => {
    const answer = await preflight(url, asking(origin, method, wished));
    expect([answer.status, answer.body]).toEqual([
      403,
      expect.stringContaining("<Code>AccessForbidden</Code>"),
    ]);
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
  });

  test.each([
    ["/bucket/k", { origin: ORIGIN }],
    ["/bucket/k", { "access-control-request-method": "GET" }],
    ["/", asking(ORIGIN, "GET")],
  ])("to %s with %j is refused as malformed", async (url, headers) => {
    expect((await preflight(url, headers)).status).toBe(400);
  });

  test("passes admission like any read", async () => {
    isBusy = true;
    expect((await preflight("/bucket/k", asking(ORIGIN, "GET"))).status).toBe(503);
    isBusy = false;
  });
});

describe("an answer", () => {
  test.each([
    ["GET", "/bucket/k", ORIGIN, 200, ORIGIN],
    ["GET", "/bucket/none", ORIGIN, 404, ORIGIN],
    ["GET", "/bucket/k", "https://other.example.org", 200, "*"],
    ["DELETE", "/bucket/none", ORIGIN, 204, undefined],
    ["GET", "/plain/none", ORIGIN, 404, undefined],
    ["GET", "/", ORIGIN, 200, undefined],
  ])(
    "to %s %s from %s has the headers of the matching rule, if any",
    async (method, url, origin, status, allowed) => {
      const answer = await exchange(edge, method, url, { headers: { origin } });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([status, allowed]);
    },
  );

  test("to a request without an origin has no CORS headers", async () => {
    const { headers } = await exchange(edge, "GET", "/bucket/k");
    expect([headers.has("access-control-allow-origin"), headers.has("vary")]).toEqual([false, false]);
  });
});

describe("rules", () => {
  const one = [
    ["AllowedOrigin", ORIGIN],
    ["AllowedMethod", "GET"],
  ] as const;

  test("are read back as written, until they are removed", async () => {
    const { body } = await exchange(edge, "GET", "/bucket?cors");
    expect(body).toContain("<ID>uploads</ID><AllowedHeader>x-amz-*</AllowedHeader>");
    await exchange(edge, "PUT", "/plain?cors", { body: configuration(rule(...one)) });
    expect((await exchange(edge, "GET", "/plain?cors")).body).toContain(ORIGIN);
    expect((await exchange(edge, "DELETE", "/plain?cors")).status).toBe(204);
    expect((await exchange(edge, "GET", "/plain?cors")).status).toBe(404);
  });

  test.each([
    ["no rule", configuration(), "MalformedXML"],
    ["too many rules", configuration(...Array.from({ length: 101 }, () => rule(...one))), "MalformedXML"],
    ["a rule without an origin", configuration(rule(["AllowedMethod", "GET"])), "MalformedXML"],
    ["a rule without a method", configuration(rule(["AllowedOrigin", "*"])), "MalformedXML"],
    ["another method", configuration(rule(...one, ["AllowedMethod", "PATCH"])), "InvalidRequest"],
    ["two wildcards", configuration(rule(...one, ["AllowedOrigin", "http://*.*"])), "InvalidRequest"],
    ["two wildcards in a header", configuration(rule(...one, ["AllowedHeader", "*a*"])), "InvalidRequest"],
    [
      "a line break to expose",
      configuration(rule(...one, ["ExposeHeader", "a&#13;&#10;b"])),
      "InvalidRequest",
    ],
    ["an age that is no number", configuration(rule(...one, ["MaxAgeSeconds", "-1"])), "MalformedXML"],
    ["a long id", configuration(rule(...one, ["ID", "i".repeat(256)])), "MalformedXML"],
    [
      "more than 64 KiB",
      `${configuration(rule(...one))}${" ".repeat(65_537 - configuration(rule(...one)).length)}`,
      "EntityTooLarge",
    ],
    ["XML that does not end", "<CORSConfiguration>", "MalformedXML"],
    ["no XML", "rules", "MalformedXML"],
  ])("with %s are refused", async (_, body, code) => {
    const answer = await exchange(edge, "PUT", "/plain?cors", { body });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(`<Code>${code}</Code>`)]);
    expect((await exchange(edge, "GET", "/plain?cors")).status).toBe(404);
  });
});
