import { startPodAgent } from "../support/agent.ts";
import { post } from "../support/post.ts";
import { expect, seedUser, signIn, test } from "../support/test.ts";

const LIVE_MS_MAX = 90_000;

test("a new installation draws live charts on a page that stays open", async ({
  browser,
  guard,
  install,
}) => {
  const installation = await install();
  const admin = await seedUser(installation, "admin");
  const context = await browser.newContext({ baseURL: installation.url });
  await guard.watch(context);
  await signIn(context, installation.url, admin);
  const asked = { vault: "new", role: "pod", isAutoApproved: true };
  const { token } = await post<{ token: string }>(
    context.request,
    installation.url,
    "node.createToken",
    asked,
  );
  const agent = await startPodAgent({
    vault: "new",
    ingestUrl: installation.ingestUrl,
    enrolmentToken: token,
  });
  try {
    const page = await context.newPage();
    await page.goto("/system");
    const panel = page.getByRole("region", { name: "How much memory do agents take?" });
    const plot = panel.getByRole("slider");
    await expect(plot).toBeVisible({ timeout: LIVE_MS_MAX });
    await expect(page.getByRole("button", { name: "Time range: Last 5 minutes" })).toBeVisible();
    await expect(panel.locator("[data-gap]").first()).toContainText("Before the first window");
    // A live chart moves on without any action of the user.
    const shownMs = Number(await plot.getAttribute("aria-valuemax"));
    await expect
      .poll(async () => Number(await plot.getAttribute("aria-valuemax")), { timeout: LIVE_MS_MAX })
      .toBeGreaterThan(shownMs);
    await panel.getByRole("button", { name: /as table$/ }).click();
    await expect(panel.getByRole("row").nth(1)).toContainText(/\d{2,3}/);
  } finally {
    await agent.stop();
    await context.close();
  }
});
