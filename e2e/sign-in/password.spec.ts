import { expect, expectNoAxeViolations, submitSignIn, test } from "../support/test.ts";

const wrongCredentials = "The e-mail address or the password is wrong.";

test("a wrong password and an unknown address get the same message, and the right password signs in", async ({
  stashlight,
  visitor,
  rows,
  guard,
}) => {
  guard.expectError(/status of 401.*sign-in\/email/);
  const user = await stashlight.seed.user("viewer");
  const page = await visitor();
  await page.goto("/sign-in");
  await expectNoAxeViolations(page);
  await submitSignIn(page, { email: user.email, password: "not the password" });
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(wrongCredentials);
  await page.reload();
  await submitSignIn(page, { email: `nobody-${user.email}`, password: user.password });
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(wrongCredentials);
  expect(await page.context().cookies()).toEqual([]);

  await submitSignIn(page, { email: user.email.toUpperCase(), password: user.password });
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  const events = await rows(
    `SELECT action, actor_name FROM audit_event
     WHERE actor_name IN ($1, $2) OR actor_id = $3 ORDER BY sequence`,
    [user.email, `nobody-${user.email}`, user.id],
  );
  expect(events).toEqual([
    { action: "session.sign_in_failed", actor_name: user.email },
    { action: "session.sign_in_failed", actor_name: `nobody-${user.email}` },
    { action: "session.signed_in", actor_name: user.name },
  ]);
  for (const cookie of await page.context().cookies()) {
    expect(cookie, `cookie ${cookie.name}`).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  }
});

test("a disabled user cannot sign in, and sees why", async ({ stashlight, visitor, rows, guard }) => {
  guard.expectError(/status of 403.*sign-in\/email/);
  const user = await stashlight.seed.user("operator");
  await rows("UPDATE user_account SET disabled_at = now() WHERE id = $1", [user.id]);
  const page = await visitor();
  await page.goto("/sign-in");
  await submitSignIn(page, user);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText("This user is disabled; ask an admin.");
  expect(await rows("SELECT id FROM session WHERE user_id = $1", [user.id])).toEqual([]);
});

test("after too many attempts, an address cannot sign in and shows when to try again, while another address can", async ({
  stashlight,
  visitor,
  guard,
}) => {
  guard.expectError(/status of 429.*sign-in\/email/);
  const user = await stashlight.seed.user("viewer");
  const page = await visitor();
  await page.goto("/sign-in");
  for (let attempt = 1; attempt <= 30; attempt++) {
    const response = await page.request.post("/api/auth/sign-in/email", { data: {} });
    expect(response.status(), `attempt ${attempt}`).toBe(400);
  }
  await submitSignIn(page, user);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(
    /^Too many attempts; try again in \d+ s\.$/,
  );
  const elsewhere = await visitor();
  await elsewhere.goto("/sign-in");
  await submitSignIn(elsewhere, user);
  await expect(elsewhere.getByRole("heading", { name: "Overview" })).toBeVisible();
});
