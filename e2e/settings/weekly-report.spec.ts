import { openMailServer } from "@stashlight/services/testing/mail-server";
import { post } from "../support/post.ts";
import { expect, screenshot, test } from "../support/test.ts";

test("a user subscribes to the weekly report, and gets last week's by e-mail at once", async ({
  signedInAs,
  stashlight,
}) => {
  const mail = await openMailServer();
  const { page: admin } = await signedInAs("admin");
  const { page, user } = await signedInAs("viewer");
  const ask = (procedure: string, input: object) =>
    post<{ channelId: string }>(admin.request, stashlight.url, procedure, input);
  await page.goto("/settings");
  const wanted = page.getByRole("switch", { name: "Mail me the weekly report" });
  await expect(page.getByText(/No e-mail channel is turned on/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Send last week's report now" })).toBeDisabled();
  await ask("channel.allowNetwork", { cidr: "127.0.0.1/32" });
  const { channelId } = await ask("channel.create", {
    name: "Reports",
    isDefault: false,
    config: {
      kind: "email",
      host: "127.0.0.1",
      port: mail.port,
      security: "none",
      from: "stashlight@example.org",
      to: ["ops@example.org"],
    },
  });
  try {
    await page.reload();
    await expect(page.getByText(/mail server of the channel Reports/)).toBeVisible();
    await expect(page.getByText(/Next one: .*Monday 08:00/)).toBeVisible();
    await wanted.click();
    await expect(wanted).toBeChecked();
    await expect(wanted).toBeEnabled();
    await page.reload();
    await expect(wanted).toBeChecked();
    await screenshot(page, "weekly-report");
    await page.getByRole("button", { name: "Send last week's report now" }).click();
    await expect(page.getByText("Report sent")).toBeVisible();
    expect(mail.letters.map(({ to }) => to)).toEqual([[user.email]]);
    expect(mail.letters[0]?.text).toMatch(/Subject: Stashlight, /);
    expect(mail.letters[0]?.text).toContain("What got slower");
  } finally {
    await ask("channel.delete", { channelId });
    await mail.close();
  }
});
