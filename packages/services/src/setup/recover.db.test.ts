import { expect, test } from "vitest";
import { auditEvents, useSharedInstallation } from "../testing/index.ts";
import { resetPassword } from "../user/reset-password.ts";
import { recoverUser } from "./recover.ts";

const { installation } = useSharedInstallation();

function recover(email: string) {
  const { databaseUrl, secret } = installation.platform.options;
  return recoverUser({ databaseUrl, secret, publicUrl: "http://console.test", email });
}

test("a locked-out admin regains access by a link that works once, and the audit log records that", async () => {
  const { db } = installation.platform;
  const admin = await installation.person("admin");
  await db.user.update({
    where: { id: admin.userId },
    data: { disabledAt: new Date(), twoFactorEnabled: true },
  });
  const { url } = await recover(admin.email.toUpperCase());
  expect(await db.user.findUniqueOrThrow({ where: { id: admin.userId } })).toMatchObject({
    disabledAt: null,
    twoFactorEnabled: false,
  });
  expect(await db.session.count({ where: { userId: admin.userId } })).toBe(0);
  const [event] = (await auditEvents(installation.platform)).slice(-1);
  expect(event).toMatchObject({ action: "user.recovered", targetId: admin.userId });
  const token = new URL(url).hash.slice(1);
  const input = { token, password: "another long pass phrase" };
  // The link uses the real clock; the installation's own is fixed in the past or the future.
  installation.clock.set(new Date());
  await resetPassword({ ctx: installation.nobody, input });
  await expect(resetPassword({ ctx: installation.nobody, input })).rejects.toThrow("was used already");
});

test("an unknown address is named in the error", async () => {
  await expect(recover("nobody@example.org")).rejects.toThrow("nobody@example.org");
});
