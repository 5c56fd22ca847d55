import { expect, expectNoAxeViolations, test } from "../support/test.ts";

test("an address without a page shows a message, and offers the overview", async ({ signedInAs, guard }) => {
  guard.expectError(/status of 404.*no-such-page/);
  const { page } = await signedInAs("viewer");
  const response = await page.goto("/no-such-page");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Go to the overview" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});

for (const path of ["/sign-in", "/", "/api/trpc/health.read", "/favicon.svg", "/favicon.ico"]) {
  test(`${path} carries the security headers`, async ({ page }) => {
    const headers = (await page.request.get(path)).headers();
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(headers["x-powered-by"]).toBeUndefined();
  });
}

test("a browser finds the icon at the default address", async ({ page }) => {
  const response = await page.request.get("/favicon.ico");
  expect(response.headers()["content-type"]).toContain("image/svg+xml");
  expect(await response.text()).toContain("<svg");
});

test("scripts run only with the page's own nonce, which is new in every response", async ({ page }) => {
  const policies = await Promise.all(
    [1, 2].map(async () => (await page.request.get("/sign-in")).headers()["content-security-policy"] ?? ""),
  );
  const nonces = policies.map((policy) => {
    const scripts = policy.split("; ").find((directive) => directive.startsWith("script-src ")) ?? "";
    expect(scripts).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    return /'nonce-([^']{22,})'/.exec(scripts)?.[1];
  });
  expect(nonces).toEqual([expect.any(String), expect.any(String)]);
  expect(nonces[0]).not.toBe(nonces[1]);
});

test("a change is refused if its origin or its fetch metadata shows another site", async ({
  signedInAs,
  rows,
}) => {
  const { page, user } = await signedInAs("viewer");
  const name = "Renamed by another site";
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreign) {
    const response = await page.request.post("/api/trpc/account.updateProfile", {
      headers,
      data: { json: { name } },
    });
    expect(response.status()).toBe(403);
    const signOut = await page.request.post("/api/auth/sign-out", { headers, data: {} });
    expect(signOut.status()).toBe(403);
  }
  expect(await rows("SELECT name FROM user_account WHERE id = $1", [user.id])).toEqual([{ name: user.name }]);
  expect(await rows("SELECT id FROM session WHERE user_id = $1", [user.id])).toHaveLength(1);
});
