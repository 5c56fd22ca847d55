import type { Locator, Page } from "@playwright/test";
import { startInstallation } from "../support/installation.ts";
import { type SpecObjectStore, startObjectStore } from "../support/object-store.ts";
import {
  expect,
  expectLoaded,
  expectNoAxeViolations,
  type Installation,
  test,
  withRows,
} from "../support/test.ts";

const ada = { name: "Ada Byron", email: "ada@example.org", password: "lantern orbit velvet mango" };

/** A verdict takes six slots, each with two runs in separate processes. */
const VERDICT_MS_MAX = 240_000;
const START_MS_MAX = 300_000;
const CLICKS_MAX = 12;

/** Counts clicks of the pointer; typing does not count. */
class Clicks {
  count = 0;
  async on(target: Locator): Promise<void> {
    await target.click({ timeout: VERDICT_MS_MAX });
    this.count += 1;
  }
}

/** Set up only by the last test. */
let installation: Installation;

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(START_MS_MAX);
  installation = await startInstallation();
});
test.afterAll(() => installation.stop());

test("weak passwords and links that are incomplete or expired create no user", async ({ visitor, guard }) => {
  guard.allowOrigin(installation.url);
  guard.expectError(/status of 4\d\d.*link\.describe/);
  guard.expectError(/status of 400.*link\.completeSetup/);
  const page = await visitor();
  const password = page.getByLabel("Password", { exact: true });
  const create = page.getByRole("button", { name: "Create admin" });
  await page.goto(installation.setupUrl);
  await page.getByRole("textbox", { name: "Name" }).fill(ada.name);
  await page.getByRole("textbox", { name: "E-mail" }).fill(ada.email);

  await password.fill("short");
  await create.click();
  expect(await password.evaluate((input: HTMLInputElement) => input.validity.tooShort)).toBe(true);
  await password.fill("qwertyuiop123");
  await create.click();
  await expect(password).toHaveAccessibleDescription(/on the list of most used passwords/);
  await expect(password).toHaveAttribute("aria-invalid", "true");

  const mangled = await visitor();
  await mangled.goto(installation.setupUrl.slice(0, -3));
  await expect(mangled.getByRole("main").getByRole("alert")).toContainText(
    "The link is incomplete; copy it whole.",
  );
  const bare = await visitor();
  await bare.goto(`${installation.url}/setup`);
  await expect(bare.getByRole("main").getByRole("alert")).toContainText("The link is incomplete");

  await withRows(installation.databaseUrl, async (rows) => {
    expect(await rows("SELECT id FROM user_account")).toEqual([]);
    expect(await rows("SELECT used_at FROM one_time_link")).toEqual([{ used_at: null }]);
    await rows("UPDATE one_time_link SET expires_at = now() - interval '1 second'");
    const late = await visitor();
    await late.goto(installation.setupUrl);
    await expect(late.getByRole("main").getByRole("alert")).toContainText(
      "has expired. Start Stashlight again to get another.",
    );
    // A page opened before the link expired must be refused as well.
    await password.fill(ada.password);
    guard.expectError(/status of 4\d\d.*link\.completeSetup/);
    await create.click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText("has expired");
    expect(await rows("SELECT id FROM user_account")).toEqual([]);
    await rows("UPDATE one_time_link SET expires_at = now() + interval '1 hour'");
  });
});

test(`a new user gets from npm start to a verdict on two local endpoints in at most ${CLICKS_MAX} clicks`, async ({
  visitor,
  guard,
}, testInfo) => {
  testInfo.setTimeout(testInfo.timeout + VERDICT_MS_MAX);
  guard.allowOrigin(installation.url);
  guard.expectError(/status of 4\d\d.*link\.describe/);
  const [one, other] = await Promise.all([startObjectStore(), startObjectStore()]);
  try {
    const page = await visitor();
    const clicks = new Clicks();
    await setUp(page, installation, clicks);
    await addEndpoints(page, clicks, [one, other]);
    const verdict = await compare(page, clicks);
    await expect(verdict).toBeVisible({ timeout: VERDICT_MS_MAX });
    expect(clicks.count).toBeLessThanOrEqual(CLICKS_MAX);
    await putStepsAway(page, installation);
    const second = await visitor();
    await second.goto(installation.setupUrl);
    await expect(second.getByRole("heading", { name: "This link does not work" })).toBeVisible();
    await expect(second.getByRole("main").getByRole("alert")).toContainText("was used already");
    await expectNoAxeViolations(second);
    await second.getByRole("link", { name: "Go to sign-in" }).click();
    await expect(second.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(second.getByText("This installation has no admin yet")).toHaveCount(0);
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
});

/** Follows the set-up link from the sign-in page's hint, and pastes it over an open page. */
async function setUp(page: Page, installation: Installation, clicks: Clicks): Promise<void> {
  await page.goto(installation.url);
  await expect(page.getByText("This installation has no admin yet")).toBeVisible();
  await expect(page.getByText(/Open the set-up link that Stashlight printed/)).toBeVisible();
  await expectNoAxeViolations(page);
  // Pastes the link over the same page, which changes only the fragment and loads no page.
  await page.goto(`${installation.url}/setup`);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("The link is incomplete");
  await page.goto(installation.setupUrl);
  await expect(page.getByRole("heading", { name: "Set up Stashlight" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("textbox", { name: "Name" }).fill(ada.name);
  await page.getByRole("textbox", { name: "E-mail" }).fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await clicks.on(page.getByRole("button", { name: "Create admin" }));
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(page.getByRole("button", { name: `Account of ${ada.name}` })).toBeVisible();
  await withRows(installation.databaseUrl, async (rows) => {
    expect(await rows("SELECT name, email, role FROM user_account")).toEqual([
      { name: ada.name, email: ada.email, role: "admin" },
    ]);
    expect(await rows("SELECT action FROM audit_event ORDER BY sequence")).toEqual([
      { action: "setup.completed" },
      { action: "session.signed_in" },
    ]);
  });
}

const firstSteps = (page: Page) => page.getByRole("region", { name: "First steps" });

async function addEndpoints(page: Page, clicks: Clicks, stores: [SpecObjectStore, SpecObjectStore]) {
  await expect(firstSteps(page)).toContainText("0 of 7 done");
  await expectNoAxeViolations(page);
  await clicks.on(firstSteps(page).getByRole("link", { name: "Add and test an endpoint" }));
  await page.getByRole("textbox", { name: "Network" }).fill("127.0.0.1/32");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Remove network 127.0.0.1/32" })).toBeVisible();
  await clicks.on(page.getByRole("button", { name: "New endpoint" }));
  const dialog = page.getByRole("dialog", { name: "New endpoint" });
  await clicks.on(dialog.getByRole("combobox", { name: "Kind" }));
  await clicks.on(page.getByRole("option", { name: "Other S3 store" }));
  await expectNoAxeViolations(page);
  const fill = async (name: string, store: SpecObjectStore): Promise<void> => {
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Address", { exact: true }).fill(store.url);
    await dialog.getByLabel("Bucket").fill(store.bucket);
    await dialog.getByLabel("Access key ID").fill(store.accessKeyId);
    await dialog.getByLabel("Secret access key").fill(store.secretAccessKey);
    await clicks.on(dialog.getByRole("button", { name: "Add and test" }));
  };
  await fill("One", stores[0]);
  await clicks.on(page.getByRole("button", { name: "Add another" }));
  await fill("Other", stores[1]);
}

/** Waits for the verdict after six slots, in the schedule's row. */
async function compare(page: Page, clicks: Clicks): Promise<Locator> {
  await clicks.on(page.getByRole("link", { name: "Compare with One" }));
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("One against Other");
  await clicks.on(dialog.getByText("Advanced", { exact: true }));
  await dialog.getByLabel("Sizes", { exact: true }).fill("4 KiB");
  await dialog.getByLabel("Repetitions").fill("20");
  await dialog.getByLabel("Pings").fill("2");
  await clicks.on(dialog.getByRole("button", { name: "Create schedule" }));
  const row = page.getByRole("row").filter({ hasText: "One against Other" });
  await clicks.on(row.getByRole("button", { name: "Run until verdict" }));
  await expect(row.getByText(/(running|queued), (at least .* left|about to end)/)).toBeVisible();
  // Accepts contaminated runs too, as on a busy machine, where the slots do not count.
  return row.getByText(
    /is faster than|are not distinguishable|differ too little|succeeds more often|: 6 slots, .*undisturbed|over 6 undisturbed/,
  );
}

/**
 * Checks that finished steps are checked off, and that the list stays hidden until the palette
 * shows it again.
 */
async function putStepsAway(page: Page, { url }: Installation): Promise<void> {
  await page.goto(url);
  const steps = firstSteps(page);
  await expect(steps).toContainText("2 of 7 done");
  await expect(steps.getByRole("listitem").filter({ hasText: "Run a benchmark" })).toContainText("done");
  await steps.getByRole("button", { name: "Hide" }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expectLoaded(page);
  await expect(steps).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search everything" }).fill("first steps");
  await page.keyboard.press("Enter");
  await expect(steps).toBeVisible();
}
