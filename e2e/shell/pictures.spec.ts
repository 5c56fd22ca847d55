import { expectLoaded, screenshot, test } from "../support/test.ts";

const paths = [
  "/",
  "/write-path",
  "/stash",
  "/fsync",
  "/vaults",
  "/alerts",
  "/system",
  "/jobs",
  "/health",
  "/admin/users",
  "/admin/nodes",
  "/admin/channels",
  "/admin/audit",
  "/settings",
];

/** For people to look at rather than a promise, so it is made when asked for. */
if (process.env.STASHLIGHT_UPDATE_SCREENSHOTS === "1") {
  test("every page is pictured at both widths in both themes", async ({
    signedInAs,
    stashlight,
    visitor,
  }) => {
    await stashlight.seed.measuredVault();
    const { page } = await signedInAs("admin");
    for (const path of paths) {
      await page.goto(path);
      await expectLoaded(page);
      await screenshot(page, path === "/" ? "overview" : path.slice(1).replaceAll("/", "-"));
    }
    const nobody = await visitor();
    await nobody.goto("/sign-in");
    await screenshot(nobody, "sign-in");
  });
}
