import { expect, test } from "vitest";
import { openTestInstallation } from "../testing/index.ts";
import { checkAuditChain } from "./verify.ts";
import { writeAudit } from "./write.ts";

test("instants survive in a database whose time zone skips an hour", async () => {
  const installation = await openTestInstallation();
  const { name } = installation.database;
  await installation.asOwner((tx) =>
    tx.$executeRawUnsafe(`ALTER DATABASE ${name} SET timezone = 'Europe/Berlin'`),
  );
  const platform = installation.anotherPlatform();
  const instant = new Date("2026-03-29T02:30:00Z");
  installation.clock.set(instant);
  await platform.db.$transaction((tx) =>
    writeAudit(tx, { ...installation.nobody, platform }, { action: "user.enabled" }),
  );
  expect(await platform.db.auditEvent.findFirst()).toMatchObject({ occurredAt: instant });
  expect(await checkAuditChain(platform)).toMatchObject({ state: "intact" });
  await installation.close();
});
