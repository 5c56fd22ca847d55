import { expect, expectNoAxeViolations, test, withRows } from "../support/test.ts";

test("verification reports an intact chain and, after tampering, the event at which it is broken", async ({
  stashlight,
  signedInAs,
  rows,
}) => {
  const { page, user } = await signedInAs("admin");
  await page.goto("/admin/audit");
  await page.getByRole("button", { name: "Verify chain" }).click();
  const verdict = page.getByRole("status").filter({ hasText: "The chain is" });
  await expect(verdict).toContainText("The chain is intact");
  const [verified] = await rows(
    "SELECT after FROM audit_event WHERE actor_id = $1 AND action = 'audit.verified'",
    [user.id],
  );
  expect(verified).toMatchObject({ after: { state: "intact" } });

  const [event] = await rows<{ sequence: string }>(
    "SELECT sequence FROM audit_event WHERE actor_id = $1 ORDER BY sequence LIMIT 1",
    [user.id],
  );
  const sequence = event?.sequence ?? "";
  const forge = "UPDATE audit_event SET actor_name = $1 WHERE sequence = $2";
  // Only the database's owner can change the log, not the role that the product runs as.
  await expect(rows(forge, ["Somebody else", sequence])).rejects.toThrow(/permission denied/);
  await withRows(stashlight.ownerDatabaseUrl, async (owner) => {
    await owner(forge, ["Somebody else", sequence]);
    try {
      await page.getByRole("button", { name: "Verify chain" }).click();
      await expect(verdict).toContainText(`The chain is broken at event ${sequence}`);
      await expect(verdict).toContainText(`Event ${sequence} is not what was written`);
      await expectNoAxeViolations(page);
    } finally {
      await owner(forge, [user.name, sequence]);
    }
  });
  await page.getByRole("button", { name: "Verify chain" }).click();
  await expect(verdict).toContainText("The chain is intact");
});
