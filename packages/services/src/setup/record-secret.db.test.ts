import { expect, test } from "vitest";
import { assertInstallationSecret } from "../secret/assert-installation-secret.ts";
import { auditEvents, createTestEndpoint, useFreshInstallation } from "../testing/index.ts";
import { recordInstallationSecret } from "./record-secret.ts";

const refused = {
  code: "precondition_failed",
  message: expect.stringContaining("The secret is not the one"),
};
const other = "another secret of the tests, long enough to be one";
const { installation } = useFreshInstallation();

const optionsWith = (secret: string, isNewAccepted = false) => {
  const { databaseUrl, publicUrl } = installation.platform.options;
  return { databaseUrl, publicUrl, secret, isNewAccepted };
};
const record = (secret: string, isNewAccepted?: boolean) =>
  recordInstallationSecret(optionsWith(secret, isNewAccepted));
const assertSecret = (secret: string) => assertInstallationSecret(optionsWith(secret));

test("the first secret stays in force, and every process accepts it and refuses any other", async () => {
  const { secret } = installation.platform.options;
  await record(secret);
  await record(secret);
  await assertSecret(secret);
  await expect(record(other)).rejects.toMatchObject(refused);
  await expect(assertSecret(other)).rejects.toMatchObject(refused);
  await assertSecret(secret);
});

test("a database of an earlier version has the secret that sealed its credentials", async () => {
  const { secret } = installation.platform.options;
  await createTestEndpoint(installation.platform, { name: "sealed" });
  await expect(record(other)).rejects.toMatchObject(refused);
  await record(secret);
  await assertSecret(secret);
});

test("if two processes start for the first time with different secrets, one is refused", async () => {
  const { secret } = installation.platform.options;
  const outcomes = await Promise.allSettled([record(secret), record(other)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a lost secret is replaced on request, and the audit log records that", async () => {
  const { secret } = installation.platform.options;
  await record(secret);
  await record(other, true);
  await assertSecret(other);
  await expect(assertSecret(secret)).rejects.toMatchObject(refused);
  const actions = (await auditEvents(installation.platform)).map(({ action }) => action);
  expect(actions).toEqual(["installation.secret_replaced"]);
});
