import { expect, test } from "vitest";
import { changePassword } from "../account/change-password.ts";
import { testPassword, useSharedInstallation } from "../testing/index.ts";
import { changeRole } from "../user/change-role.ts";
import { disableUser } from "../user/disable.ts";
import { inviteUser } from "../user/invite.ts";
import { issuePasswordLink } from "../user/issue-password-link.ts";
import { describeLink } from "./describe.ts";

const { installation, admin: chief } = useSharedInstallation("admin");

const linkToken = ({ url }: { url: string }) => new URL(url).hash.slice(1);
const describe = (token: string) => describeLink({ ctx: installation.nobody, input: { token } });

test.each([
  ["disabled", (userId: string) => disableUser({ ctx: chief.ctx, input: { userId } })],
  [
    "no longer an admin",
    (userId: string) => changeRole({ ctx: chief.ctx, input: { userId, role: "viewer" } }),
  ],
] as const)("the links that an admin created end when the admin is %s", async (what, act) => {
  const admin = await installation.person("admin");
  const email = `${what.replaceAll(" ", "-")}@example.org`;
  const token = linkToken(await inviteUser({ ctx: admin.ctx, input: { email, role: "admin" } }));
  expect(await describe(token)).toMatchObject({ email });
  await act(admin.userId);
  await expect(describe(token)).rejects.toThrow("was replaced or revoked");
});

test("a password link ends when its user changes the password", async () => {
  const person = await installation.person("viewer");
  const token = linkToken(await issuePasswordLink({ ctx: chief.ctx, input: { userId: person.userId } }));
  await changePassword({
    ctx: person.ctx,
    input: { currentPassword: testPassword, newPassword: "quite another pass phrase" },
  });
  await expect(describe(token)).rejects.toThrow("was replaced or revoked");
});
