import { beforeEach, expect, test } from "vitest";
import { statementsIn } from "../statements-in.ts";
import { useSharedInstallation } from "../testing/index.ts";
import { consumeRateLimit, enforceRateLimit } from "./consume.ts";

const rule = { windowSeconds: 60, requestCountMax: 2 };
const { installation } = useSharedInstallation();
beforeEach(() => installation.platform.db.rateLimit.deleteMany());

const consume = (key = "key") =>
  consumeRateLimit(statementsIn(installation.platform.db), key, rule, installation.clock.now());

test("a window begins with its first request and admits exactly its limit", async () => {
  const { clock } = installation;
  expect(await consume()).toEqual({ allowed: true, retryAfterSeconds: 60 });
  clock.advance(30_500);
  expect(await consume()).toEqual({ allowed: true, retryAfterSeconds: 30 });
  expect(await consume()).toEqual({ allowed: false, retryAfterSeconds: 30 });
  clock.advance(29_499);
  expect(await consume()).toEqual({ allowed: false, retryAfterSeconds: 1 });
  clock.advance(1);
  expect(await consume()).toEqual({ allowed: true, retryAfterSeconds: 60 });
});

test("keys are counted separately", async () => {
  await consume();
  await consume();
  expect((await consume()).allowed).toBe(false);
  expect((await consume("another")).allowed).toBe(true);
});

test("of fifty concurrent requests exactly as many as the limit are admitted", async () => {
  const [a, b] = [installation.platform, installation.anotherPlatform()];
  const wide = { windowSeconds: 60, requestCountMax: 17 };
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      consumeRateLimit(statementsIn((index % 2 ? a : b).db), "crowd", wide, installation.clock.now()),
    ),
  );
  expect(results.filter(({ allowed }) => allowed)).toHaveLength(17);
});

test("a refused request gets the time at which to retry", async () => {
  const enforce = () =>
    enforceRateLimit(statementsIn(installation.platform.db), "key", rule, installation.clock.now());
  await enforce();
  await enforce();
  await expect(enforce()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 60 });
});
