import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { expect, expectNoAxeViolations, test } from "../support/test.ts";

/** Presses Tab until the element has the focus, as a user without a mouse does. */
async function tabTo(page: Page, target: Locator, pressCountMax = 60): Promise<void> {
  await target.waitFor();
  for (let count = 0; count < pressCountMax; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${target} was not reached by ${pressCountMax} presses of Tab.`);
}

test("pages can be reached by the command palette, by shortcuts and by the skip link", async ({
  signedInAs,
}) => {
  const { page } = await signedInAs("admin");
  await page.goto("/");
  await expect(page.getByRole("region", { name: "Installation" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("combobox", { name: "Search everything" });
  await expect(palette).toBeFocused();
  await expectNoAxeViolations(page);
  // Slows the palette's fade, during which keys go to the page.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.evaluate(() => {
    document.styleSheets[0]?.insertRule("[role=dialog] { transition-duration: 20s !important }");
  });
  await page.keyboard.type("people");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Users", level: 1 })).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { name: "System health", level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page.getByRole("heading", { name: "Users", level: 1 })).toBeVisible();
  await page.emulateMedia({ reducedMotion: "reduce" });

  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Go to system health")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);

  await page.goto("/health");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("keys pressed before the palette's code has loaded are entered into it", async ({ signedInAs }) => {
  const { page } = await signedInAs("admin");
  await page.goto("/health");
  let release = (): void => {};
  const typed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await typed;
    await route.fallback();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("peopel");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("le");
  await expect(page.getByRole("combobox", { name: "Search everything" })).toHaveCount(0);
  release();
  const palette = page.getByRole("combobox", { name: "Search everything" });
  await expect(palette).toHaveValue("people");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Users", level: 1 })).toBeVisible();
});

test("a short window scrolls the navigation to the current item", async ({ signedInAs }) => {
  const { page } = await signedInAs("admin");
  await page.setViewportSize({ width: 1440, height: 600 });
  const linkTo = (name: string) =>
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });
  await page.goto("/admin/audit");
  await expect(linkTo("Audit log")).toBeInViewport({ ratio: 1 });
  await expect(linkTo("Overview")).not.toBeInViewport();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await expect(linkTo("Overview")).toBeInViewport({ ratio: 1 });
});

test("a user can sign in, invite a user and join without a mouse", async ({ stashlight, visitor, rows }) => {
  const user = await stashlight.seed.user("admin");
  const email = `keys-${randomUUID().slice(0, 8)}@example.org`;
  const page = await visitor();
  await page.goto("/sign-in?next=/admin/users");
  await expect(page.getByRole("textbox", { name: "E-mail" })).toBeFocused();
  await page.keyboard.type(user.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(user.password);
  await page.keyboard.press("Enter");

  await tabTo(page, page.getByRole("button", { name: "Invite user" }));
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "Invite user" });
  // The first field has the focus, not the button that closes the dialog.
  await expect(form.getByRole("textbox", { name: "E-mail" })).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await expect(form.getByRole("radio", { name: /viewer/i })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(form.getByRole("radio", { name: /operator/i })).toBeChecked();
  await page.keyboard.press("Enter");
  const result = page.getByRole("dialog", { name: `Invitation for ${email}` });
  const link = (await result.getByRole("code").textContent()) ?? "";
  await tabTo(page, result.getByRole("button", { name: "Done" }));
  await page.keyboard.press("Enter");
  await expect(result).toHaveCount(0);

  const joining = await visitor();
  await joining.goto(link);
  await tabTo(joining, joining.getByRole("textbox", { name: "Name" }));
  await joining.keyboard.type("Keys Only");
  await tabTo(joining, joining.getByLabel("Password", { exact: true }));
  await joining.keyboard.type("saddle prism oyster wheat");
  await joining.keyboard.press("Enter");
  await expect(joining.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(await rows("SELECT name, role FROM user_account WHERE email = $1", [email])).toEqual([
    { name: "Keys Only", role: "operator" },
  ]);
});
