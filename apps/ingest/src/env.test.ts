import { expect, test } from "vitest";
import { parseEnv } from "./env.ts";

const good = {
  DATABASE_URL: "postgres://localhost/stashlight",
  STASHLIGHT_SECRET: "x".repeat(43),
  STASHLIGHT_PUBLIC_URL: "https://stashlight.example.org/",
};

test("a valid environment is parsed, with its defaults", () => {
  expect(parseEnv(good)).toMatchObject({ STASHLIGHT_INGEST_HOST: "127.0.0.1", STASHLIGHT_INGEST_PORT: 4685 });
});

test.each([
  [{ DATABASE_URL: undefined }, "DATABASE_URL is not set."],
  [{ STASHLIGHT_SECRET: "short" }, "STASHLIGHT_SECRET must have at least 32 characters."],
  [{ STASHLIGHT_INGEST_PORT: "many" }, "STASHLIGHT_INGEST_PORT must be a port number."],
  [{ STASHLIGHT_INGEST_PORT: "70000" }, "STASHLIGHT_INGEST_PORT must be a port number."],
  [{ STASHLIGHT_TRUSTED_PROXIES: "10.0.0.0/40" }, 'STASHLIGHT_TRUSTED_PROXIES is wrong: "10.0.0.0/40"'],
])("the environment %o is refused with a message that names the variable", (wrong, sentence) => {
  expect(() => parseEnv({ ...good, ...wrong })).toThrow(sentence);
});
