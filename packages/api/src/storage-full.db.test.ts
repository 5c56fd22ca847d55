import { isStorageFull } from "@stashlight/services/database-error";
import { openTestBrowser, testPassword, useSharedInstallation } from "@stashlight/services/testing";
import { expect, test, vi } from "vitest";
import { handleAuthRequest, handleTrpcRequest } from "./handle.ts";
import { knownError } from "./public-error.ts";

const origin = "http://console.test";
const sentence =
  "The disk of the database is full, so nothing can be stored; free space on it or enlarge it.";
const { installation } = useSharedInstallation();
const reportError = vi.fn();

const options = () => ({ platform: installation.platform, reportError });
const readError = async (response: Response) =>
  ((await response.json()) as { error: { json: { message: string; data: object } } }).error.json;

/** Makes writes to the table fail with the error that Postgres reports if a file cannot grow. */
async function whileFull(table: string, action: () => Promise<void>): Promise<void> {
  const { asOwner } = installation;
  const trigger = `full_${table}`;
  await asOwner(async (tx) => {
    await tx.$executeRawUnsafe(
      `CREATE OR REPLACE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
    );
    await tx.$executeRawUnsafe(
      `CREATE TRIGGER ${trigger} BEFORE INSERT OR UPDATE ON "${table}" EXECUTE FUNCTION disk_full()`,
    );
  });
  await action();
  await asOwner((tx) => tx.$executeRawUnsafe(`DROP TRIGGER ${trigger} ON "${table}"`));
}

test("a full disk of the database is named at every endpoint, and pages can still be read", async () => {
  const { email } = await installation.person("admin");
  const visitor = openTestBrowser(origin, "198.51.100.8");
  const signIn = () =>
    handleAuthRequest(
      options(),
      visitor.request("/api/auth/sign-in/email", { method: "POST", body: { email, password: testPassword } }),
    );
  const before = await signIn();
  expect(before.status).toBe(200);
  visitor.receive(before.headers.getSetCookie());
  // The counter of sign-in attempts is written before the session, which better-auth writes.
  for (const table of ["rate_limit", "session"]) {
    await whileFull(table, async () => {
      const response = await signIn();
      expect(response.status, table).toBe(503);
      expect(response.headers.get("retry-after")).toBe("30");
      expect(await response.json()).toMatchObject({ code: "storage_full", message: sentence });
    });
  }
  await whileFull("session", async () => {
    installation.clock.advance(120_000);
    const request = visitor.request("/api/trpc/health.read");
    expect((await handleTrpcRequest(options(), request)).status).toBe(200);
  });
  await whileFull("audit_event", async () => {
    const body = { json: { text: "Swapped." } };
    const request = visitor.request("/api/trpc/annotation.create", { method: "POST", body });
    const response = await handleTrpcRequest(options(), request);
    expect(response.status).toBe(503);
    expect(await readError(response)).toMatchObject({ message: sentence, data: { reason: "storage_full" } });
  });
});

test("a full disk is recognised by its code from every client of the database, and from a file", async () => {
  const { db, metrics } = installation.platform;
  const raise = "DO $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$";
  const attempts = [
    () => db.$executeRawUnsafe(raise),
    () => db.$transaction((tx) => tx.$executeRawUnsafe(raise)),
    () => metrics.query(raise),
  ];
  for (const attempt of attempts) {
    const error: unknown = await attempt().then(
      () => expect.fail("It did not fail."),
      (thrown: unknown) => thrown,
    );
    expect(knownError(error)).toMatchObject({ code: "storage_full", message: sentence });
  }
  const file = Object.assign(new Error("ENOSPC: write /secret/path"), { code: "ENOSPC" });
  expect(knownError(new Error("outer", { cause: file }))).toMatchObject({
    code: "storage_full",
    message:
      "A disk of the machine that runs Stashlight is full, so nothing can be stored; free space on it or enlarge it.",
  });
  expect(isStorageFull(Object.assign(new Error("full of words: disk full"), { code: "EIO" }))).toBe(false);
});
