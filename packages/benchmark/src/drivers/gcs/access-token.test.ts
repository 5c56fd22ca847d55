import { parseServiceAccount } from "@stashlight/contracts/endpoint";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testTarget } from "../../testing/index.ts";
import { startTokenServer } from "../../testing/token-server.ts";
import { AccessToken } from "./access-token.ts";

const START_MS = Date.parse("2026-11-29T12:00:00Z");
const { signal } = new AbortController();

let server: Awaited<ReturnType<typeof startTokenServer>>;
let nowMs = START_MS;
beforeEach(async () => {
  server = await startTokenServer();
  nowMs = START_MS;
});
afterEach(() => server.close());

function makeAccessToken(): AccessToken {
  const account = parseServiceAccount(server.credentials.secretAccessKey);
  if (account === null) throw new Error("The credentials are a service account's.");
  const target = testTarget("https://storage.example", { kind: "gcs", tokenAddress: "127.0.0.1" });
  return new AccessToken(account, target, () => nowMs);
}

const grant = (access_token: unknown, expires_in: unknown): void => {
  server.granted = { access_token, expires_in };
};

test("a token cannot be used before it was requested", async () => {
  const token = makeAccessToken();
  expect(() => token.value).toThrow("before it was requested");
  await token.renew(signal);
  expect(token.value).toBe("a-token");
});

test.each([
  ["at once", 3600, 0, 1],
  ["with more than ten minutes left", 3600, 2_999_999, 1],
  ["with ten minutes left", 3600, 3_000_000, 2],
  ["at its end", 3600, 3_600_000, 2],
  ["long after its end", 3600, 86_400_000, 2],
  ["at once, when it never had ten minutes", 300, 0, 2],
])(
  "%s, a token of %i s is renewed only when at most ten minutes are left",
  async (_, lifetimeSeconds, laterMs, askedCount) => {
    const token = makeAccessToken();
    grant("first", lifetimeSeconds);
    await token.renew(signal);
    grant("second", lifetimeSeconds);
    nowMs += laterMs;
    await token.renew(signal);
    expect(server.assertions).toHaveLength(askedCount);
    expect(token.value).toBe(askedCount === 1 ? "first" : "second");
  },
);

test("each assertion is made for the moment at which it is sent", async () => {
  const token = makeAccessToken();
  await token.renew(signal);
  nowMs += 3_600_000;
  await token.renew(signal);
  const claims = server.assertions.map((assertion) =>
    JSON.parse(Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString()),
  );
  const seconds = START_MS / 1000;
  expect(claims.map(({ iat, exp }) => [iat, exp])).toEqual([
    [seconds, seconds + 3600],
    [seconds + 3600, seconds + 7200],
  ]);
});

test("a refused renewal rejects with an error that names the token's host, and keeps the previous token", async () => {
  const token = makeAccessToken();
  await token.renew(signal);
  server.refuses = true;
  nowMs += 3_000_000;
  await expect(token.renew(signal)).rejects.toMatchObject({
    name: "EndpointError",
    message: expect.stringContaining("127.0.0.1"),
  });
  expect(token.value).toBe("a-token");
  server.refuses = false;
  await token.renew(signal);
  expect(server.assertions).toHaveLength(3);
});

test.each<[string, unknown, unknown]>([
  ["no token", undefined, 3600],
  ["a token that would end the header", "a\r\nx-injected: 1", 3600],
  ["a token with a space", "a b", 3600],
  ["a token of no characters", "", 3600],
  ["no lifetime", "a-token", undefined],
  ["a lifetime that is over", "a-token", 0],
  ["a lifetime of more than a day", "a-token", 86_401],
  ["a lifetime in words", "a-token", "an hour"],
])("an answer with %s is refused", async (_, accessToken, lifetimeSeconds) => {
  grant(accessToken, lifetimeSeconds);
  const token = makeAccessToken();
  await expect(token.renew(signal)).rejects.toMatchObject({ name: "EndpointError" });
  expect(() => token.value).toThrow();
});
