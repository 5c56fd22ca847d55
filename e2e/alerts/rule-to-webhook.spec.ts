import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "@playwright/test";
import { insertSilentNode } from "../support/silent-node.ts";
import { expect, expectNoAxeViolations, screenshot, test } from "../support/test.ts";

/** Time for the worker, which evaluates rules every 15 s. */
const LOOK_MS_MAX = 120_000;

interface Told {
  kind: string;
  summary: string;
  url: string;
}

/** Receives the webhook calls of the installation. */
async function receiveWebhooks() {
  const told: Told[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    told.push(JSON.parse(body));
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/alerts`, told, close };
}

async function createChannel(page: Page, name: string, address: string): Promise<void> {
  await page.goto("/admin/channels");
  await page.getByRole("button", { name: "New channel" }).click();
  const channelDialog = page.getByRole("dialog", { name: "New channel" });
  await channelDialog.getByLabel("Name", { exact: true }).fill(name);
  await channelDialog.getByLabel("Address").fill(address);
  await channelDialog.getByRole("button", { name: "Create channel" }).click();
  const made = page.getByRole("dialog", { name: "Channel created" });
  await expect(made.getByText(/^slw_[A-Za-z0-9_-]{43}$/)).toBeVisible();
  await made.getByRole("button", { name: "I have saved it" }).click();
}

/** Sends two test messages; the first is refused, because the webhook's network is not allowed yet. */
async function sendTestMessages(page: Page, channel: string, told: readonly Told[]): Promise<void> {
  const notices = page.getByRole("region", { name: "Notifications" });
  const sendTest = page.getByRole("button", { name: `Send a test to ${channel}` });
  await sendTest.click();
  await expect(notices.getByText("Test message not accepted")).toBeVisible();
  expect(told).toEqual([]);
  await page.getByRole("textbox", { name: "Network" }).fill("127.0.0.1/32");
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await expect(page.getByRole("button", { name: "Remove network 127.0.0.1/32" })).toBeVisible();
  await sendTest.click();
  await expect(notices.getByText("Test message sent")).toBeVisible();
  expect(told).toMatchObject([{ kind: "test" }]);
}

/** Creates a rule for one node, without delays, after a preview of its past. */
async function createRule(page: Page, name: string, node: string): Promise<void> {
  await page.getByRole("button", { name: "New rule" }).click();
  const dialog = page.getByRole("dialog", { name: "New rule" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Only where").fill(`node=${node}`);
  await dialog.getByLabel("Fires after, seconds").fill("0");
  await dialog.getByLabel("Resolves after, seconds").fill("0");
  await dialog.getByRole("button", { name: "Preview on the last 14 days" }).click();
  await expect(dialog.getByText("In the last 14 days this rule would have fired once.")).toBeVisible();
  const preview = dialog.getByRole("region", { name: "When would it have fired?" });
  await expect(preview.getByText(/^evaluated: above 80 %/)).toBeVisible();
  await expect(preview.locator('[data-span="bad"]')).toHaveText(/firing/);
  await screenshot(page, "alert-rule-preview");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Create rule" }).click();
}

test("an admin creates a channel and a rule, and the webhook is notified when the rule fires and when it resolves", async ({
  signedInAs,
  stashlight,
}) => {
  const webhook = await receiveWebhooks();
  const node = await stashlight.seed.stashNode();
  try {
    const { page } = await signedInAs("admin");
    const channel = `Ops ${node.name}`;
    await createChannel(page, channel, webhook.url);
    await sendTestMessages(page, channel, webhook.told);

    await node.report(0.95);
    await page.goto("/alerts");
    const rule = `Full ${node.name}`;
    await createRule(page, rule, node.name);

    const summary = `${rule}: 95 %, above 80 %.`;
    const firing = page.getByRole("region", { name: "Firing and pending" });
    await expect(firing.getByText(summary)).toBeVisible({ timeout: LOOK_MS_MAX });
    await expect
      .poll(() => webhook.told.at(-1), { timeout: LOOK_MS_MAX })
      .toMatchObject({
        kind: "firing",
        summary,
      });

    // The message's link leads to the chart, at the time of the event.
    const link = webhook.told.at(-1)?.url ?? "";
    expect(new URL(link).origin).toBe(stashlight.url.replace("127.0.0.1", "localhost"));
    await page.goto(new URL(link).pathname + new URL(link).search);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(rule);
    const evaluated = page.getByRole("region", { name: rule });
    await expect(evaluated.getByText(/^evaluated: above 80 % · %$/)).toBeVisible();
    await expect(evaluated.locator('[data-span="bad"]').last()).toHaveText(/firing: /);
    await screenshot(page, "alert-rule-evaluated");
    const history = page.getByRole("table", { name: "Alert history" });
    const incident = history.getByRole("row").filter({ hasText: `${rule}: above 80 %; worst 95 %.` });
    await expect(incident).toHaveCount(1);
    await expect(incident).toContainText("Firing");
    await expect(incident).toContainText(channel);
    await expectNoAxeViolations(page);

    await expect
      .poll(
        async () => {
          await node.report(0.2);
          return webhook.told.at(-1);
        },
        { timeout: LOOK_MS_MAX, intervals: [5_000] },
      )
      .toMatchObject({ kind: "resolved", summary: `${rule}: resolved, 20 %.` });
    await page.goto("/alerts");
    await expect(page.getByRole("region", { name: "Firing and pending" }).getByText(rule)).toHaveCount(0);
    await expect(incident).toHaveCount(1);
    await expect(incident).not.toContainText("Firing");
  } finally {
    webhook.close();
  }
});

test("an operator silences a rule, and a viewer sees the silence but cannot change it", async ({
  signedInAs,
  stashlight,
  rows,
  guard,
}) => {
  guard.expectError(/status of 400.*alert\.silence/);
  const { page: viewing } = await signedInAs("viewer");
  const { page, user } = await signedInAs("operator");
  await page.goto("/alerts");
  await page.getByText(/ rules are not applicable: /).click();
  const row = page.getByRole("row").filter({ hasText: "Stash filling up" });
  await row.getByRole("button", { name: "Actions for Stash filling up" }).click();
  await page.getByRole("menuitem", { name: "Silence rule" }).click();
  const dialog = page.getByRole("dialog", { name: "Silence Stash filling up" });
  await dialog.getByRole("button", { name: "Silence", exact: true }).click();
  await expect(dialog.getByText("Give a reason for later readers.")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Drives are swapped");
  await dialog.getByRole("button", { name: "Silence", exact: true }).click();
  const silence = page
    .getByRole("table", { name: "Silences" })
    .getByRole("row")
    .filter({ hasText: "Drives are swapped" });
  await expect(silence).toContainText(user.name);
  const [stored] = await rows<{ reason: string }>(
    "SELECT reason FROM alert_silence WHERE created_by_id = $1 AND ends_at > now()",
    [user.id],
  );
  expect(stored).toEqual({ reason: "Drives are swapped" });

  await viewing.goto(`${stashlight.url}/alerts`);
  await expect(viewing.getByText("Drives are swapped")).toBeVisible();
  await expect(viewing.getByRole("button", { name: /New rule|End the silence|^Silence/ })).toHaveCount(0);

  await silence.getByRole("button", { name: "End the silence of Stash filling up" }).click();
  await expect(silence).toHaveCount(0);
});

interface AcknowledgedAlert {
  readonly title: string;
  readonly userName: string;
}

async function acknowledgeAndWithdraw(page: Page, firing: Locator, alert: AcknowledgedAlert): Promise<void> {
  const { title, userName } = alert;
  await page.getByRole("button", { name: `Acknowledge ${title}` }).click();
  const acknowledging = page.getByRole("dialog", { name: "Acknowledge the alert" });
  await acknowledging.getByLabel("Note").fill("On my way");
  await expectNoAxeViolations(page);
  await acknowledging.getByRole("button", { name: "Acknowledge", exact: true }).click();
  await expect(firing.getByText(`Acknowledged by ${userName}`)).toContainText("On my way");
  await expect(page.getByRole("table", { name: "Alert history" })).toContainText(
    `Acknowledged by ${userName}: On my way`,
  );
  await page.getByRole("button", { name: `Withdraw the acknowledgement of ${title}` }).click();
  await expect(page.getByText("Acknowledgement withdrawn")).toBeVisible();
  await expect(firing.getByText(`Acknowledged by ${userName}`)).toHaveCount(0);
}

async function planAndEndMaintenance(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Plan maintenance" }).click();
  const planning = page.getByRole("dialog", { name: "Plan maintenance" });
  await planning.getByLabel("Reason").fill("Cables are swapped");
  await planning.getByLabel("Nodes").fill("no-such-node");
  await expectNoAxeViolations(page);
  await planning.getByRole("button", { name: "Plan maintenance" }).click();
  await expect(planning.getByText('There is no node "no-such-node".')).toBeVisible();
  await planning.getByLabel("Nodes").fill("");
  await planning.getByLabel("Every week").check();
  await planning.getByRole("button", { name: "Plan maintenance" }).click();
  const silences = page.getByRole("table", { name: "Silences" });
  await expect(silences.getByRole("row").filter({ hasText: "Cables are swapped" })).toContainText(
    "maintenance, every week",
  );
  await screenshot(page, "alert-maintenance");
  await silences.getByRole("button", { name: "End the maintenance of every rule" }).click();
  await expect(silences.getByText("Cables are swapped")).toHaveCount(0);
}

async function addAndDeleteAnnotation(page: Page, userName: string): Promise<void> {
  await page.getByRole("button", { name: "Add annotation" }).click();
  const adding = page.getByRole("dialog", { name: "Add annotation" });
  await adding.getByLabel("Text").fill("Deploy 4.2");
  await expectNoAxeViolations(page);
  await adding.getByRole("button", { name: "Add annotation" }).click();
  const annotations = page.getByRole("table", { name: "Annotations" });
  await expect(annotations.getByRole("row").filter({ hasText: "Deploy 4.2" })).toContainText(userName);
  await annotations.getByRole("button", { name: "Delete Deploy 4.2" }).click();
  await expect(annotations.getByText("Deploy 4.2")).toHaveCount(0);
}

test("alerts of a vault's drives that fire together are one row with one silence, and one problem on the overview", async ({
  signedInAs,
  stashlight,
  rows,
  guard,
}) => {
  guard.expectError(/status of 400.*alert\.planMaintenance/);
  const { rule, vault, node } = await stashlight.seed.firingDrives(21);
  const { page, user } = await signedInAs("operator");
  await page.goto("/alerts");
  const title = `${rule} (vault ${vault}, node ${node}): 21 of 21 drives, above 1 GB; worst 1.1 GB (device s20).`;
  const firing = page.getByRole("region", { name: "Firing and pending" });
  await expect(firing.getByText(title)).toBeVisible();
  await expect(firing.getByText("No alerts are firing")).toHaveCount(0);
  await expect(page).toHaveTitle(/^\([1-9]\d*\) Alerts · Stashlight$/);
  const link = page.getByRole("link", { name: "Alerts", exact: true });
  await expect(link).toHaveAccessibleDescription(/^[1-9]\d* alerts? firing$/);
  await expect(link.locator("[data-count]")).toHaveAttribute("data-count", /^[1-9]\d*$/);
  const desktop = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const menu = page.getByRole("button", { name: "Open navigation" });
  await expect(menu).toHaveAccessibleDescription(/^[1-9]\d* alerts? firing$/);
  if (desktop !== null) await page.setViewportSize(desktop);
  const members = firing.getByRole("listitem").filter({ hasText: rule });
  await expect(members.first()).toBeHidden();
  await firing.getByText("Show all 21").click();
  await expect(members).toHaveCount(21);
  await expectNoAxeViolations(page);
  await screenshot(page, "alert-cause");
  await acknowledgeAndWithdraw(page, firing, { title, userName: user.name });
  await page.getByRole("button", { name: `Silence ${title}` }).click();
  const dialog = page.getByRole("dialog", { name: `Silence ${rule}` });
  await expect(dialog).toContainText(`vault ${vault}`);
  await dialog.getByLabel("Reason").fill("Rack is moved");
  await dialog.getByRole("button", { name: "Silence", exact: true }).click();
  await expect(firing.getByText("silenced until")).toBeVisible();
  await planAndEndMaintenance(page);
  await addAndDeleteAnnotation(page, user.name);
  await page.goto("/");
  const problems = page.getByRole("region", { name: "Problems" });
  await expect(problems.getByText(title)).toBeVisible();

  // Alerts of drives are inhibited once their node is silent.
  await rows(insertSilentNode, [JSON.stringify([node]), JSON.stringify({ node })]);
  await page.reload();
  await expect(problems.getByText(`Inhibits 21 alerts: ${rule}.`)).toBeVisible();
  await expect(problems.getByText(title)).toHaveCount(0);
  await page.goto("/alerts");
  await expect(firing.getByText(title)).toBeVisible();
  await expect(firing.getByText(`node ${node} is silent`)).toBeVisible();
  await expectNoAxeViolations(page);
  await screenshot(page, "alert-inhibition");
});
