import { post } from "../support/post.ts";
import { expect, expectNoAxeViolations, test } from "../support/test.ts";

test("a channel and an endpoint in a private network get a notice, from which an admin allows the address", async ({
  signedInAs,
  stashlight: { url },
  guard,
}) => {
  const { page, user } = await signedInAs("admin");
  const name = `Hook ${user.id.slice(0, 8)}`;
  // An address in a network that no other spec allows; nothing is sent there.
  const address = `10.77.0.${1 + (Number.parseInt(user.id.slice(-4), 16) % 250)}`;
  const { channelId } = await post<{ channelId: string }>(page.request, url, "channel.create", {
    name,
    config: { kind: "webhook", url: `http://${address}/hook` },
    isDefault: false,
    isEnabled: false,
  });
  const { endpointId } = await post<{ endpointId: string }>(page.request, url, "endpoint.create", {
    name,
    kind: "s3-compatible",
    url: `http://${address}:9000`,
    region: "us-east-1",
    bucket: "benchmarks",
    credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/abcd" },
  });
  const notice = page
    .getByRole("listitem")
    .filter({ hasText: `${name} is at ${address}, which belongs to a private network (10.0.0.0/8).` });

  const { page: operatorPage } = await signedInAs("operator");
  await operatorPage.goto("/admin/endpoints");
  await expect(operatorPage.getByText("Ask an admin to allow the networks on this page.")).toBeVisible();
  await expect(operatorPage.getByRole("button", { name: /^Allow / })).toHaveCount(0);

  await page.goto("/admin/endpoints");
  await expect(notice).toBeVisible();
  await expectNoAxeViolations(page);
  await page.goto("/admin/channels");
  await expect(notice).toBeVisible();
  await expectNoAxeViolations(page);
  await notice.getByRole("button", { name: `Allow ${address}/32` }).click();
  await expect(notice).toHaveCount(0);
  const remove = page.getByRole("button", { name: `Remove network ${address}/32` });
  await expect(remove).toHaveText("Remove network");
  await page.goto("/admin/endpoints");
  await expect(remove).toBeVisible();
  await expect(notice).toHaveCount(0);

  guard.expectError(/ERR_FAILED.*channel\.removeNetwork/);
  await page.route(/channel\.removeNetwork/, (route) => route.abort(), { times: 1 });
  await remove.click();
  const failure = page.getByRole("alertdialog", { name: `${address}/32 was not removed` });
  await expect(failure).toBeVisible();
  await expectNoAxeViolations(page);
  await failure.getByRole("button", { name: "Dismiss" }).press("Enter");
  await expect(failure).toHaveCount(0);

  await remove.click();
  await expect(notice).toBeVisible();
  await expect(remove).toHaveCount(0);

  await post(page.request, url, "channel.delete", { channelId });
  await post(page.request, url, "endpoint.delete", { endpointId, name });
});
