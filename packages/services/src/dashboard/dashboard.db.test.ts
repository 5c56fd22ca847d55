import { createDashboardInput, pinPanelInput } from "@stashlight/contracts/dashboard";
import { usualPanel } from "@stashlight/contracts/metrics";
import { beforeEach, expect, test } from "vitest";
import { newId } from "../ids.ts";
import { auditEvents, type Person, useFreshInstallation } from "../testing/index.ts";
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  movePanel,
  pinPanel,
  readStartDashboardId,
  removePanel,
  renameDashboard,
  renamePanel,
  setStartDashboard,
  shareDashboard,
} from "./index.ts";
import { PANELS_PER_DASHBOARD_MAX } from "./stored-dashboard.ts";

const { installation } = useFreshInstallation();
let ada: Person;
let grace: Person;

beforeEach(async () => {
  ada = await installation.person("viewer", "Ada");
  grace = await installation.person("admin", "Grace");
});

const query = { ...usualPanel("stashlight_fsync_seconds"), where: {} };

async function make(name: string, person = ada): Promise<string> {
  const input = createDashboardInput.parse({ name });
  return (await createDashboard({ ctx: person.ctx, input })).dashboardId;
}
async function pin(dashboardId: string, title: string, more: object = {}): Promise<string> {
  const input = pinPanelInput.parse({ dashboardId, title, query: { ...query, ...more } });
  return (await pinPanel({ ctx: ada.ctx, input })).panelId;
}
const titles = async (dashboardId: string, person = ada) =>
  (await getDashboard({ ctx: person.ctx, input: { dashboardId } })).panels.map(({ title }) => title);

test("a viewer creates a dashboard, and orders, renames and removes its charts; each change is audited", async () => {
  const dashboardId = await make("On call");
  const { ctx } = ada;
  const first = await pin(dashboardId, "One");
  const second = await pin(dashboardId, "Two");
  const third = await pin(dashboardId, "Three");
  await movePanel({ ctx, input: { panelId: third, beforePanelId: first } });
  expect(await titles(dashboardId)).toEqual(["Three", "One", "Two"]);
  await movePanel({ ctx, input: { panelId: third, beforePanelId: null } });
  await renamePanel({ ctx, input: { panelId: second, title: "Second" } });
  await removePanel({ ctx, input: { panelId: first } });
  await renameDashboard({ ctx, input: { dashboardId, name: "Night" } });
  expect(await titles(dashboardId)).toEqual(["Second", "Three"]);
  expect(await listDashboards({ ctx })).toEqual([
    {
      id: dashboardId,
      name: "Night",
      ownerName: "Ada",
      panelCount: 2,
      isOwn: true,
      isShared: false,
      isStart: false,
    },
  ]);
  await deleteDashboard({ ctx, input: { dashboardId } });
  await expect(titles(dashboardId)).rejects.toMatchObject({ code: "not_found" });
  expect((await auditEvents(installation.platform)).map(({ action }) => action)).toEqual([
    "dashboard.created",
    ...Array.from({ length: 3 }, () => "dashboard.panel_pinned"),
    ...["dashboard.panel_moved", "dashboard.panel_moved", "dashboard.panel_renamed"],
    ...["dashboard.panel_removed", "dashboard.renamed", "dashboard.deleted"],
  ]);
});

test("charts that many tabs pin at once are all kept, up to the limit", async () => {
  const dashboardId = await make("Busy");
  const names = Array.from({ length: PANELS_PER_DASHBOARD_MAX }, (_, i) => `Chart ${i}`);
  await Promise.all(names.map((name) => pin(dashboardId, name)));
  expect((await titles(dashboardId)).sort()).toEqual(names.sort());
  await expect(pin(dashboardId, "One more")).rejects.toMatchObject({ code: "precondition_failed" });
});

test("moving a panel before one that another tab removes loses nothing", async () => {
  const dashboardId = await make("Two tabs");
  const one = await pin(dashboardId, "One");
  const two = await pin(dashboardId, "Two");
  const three = await pin(dashboardId, "Three");
  await removePanel({ ctx: ada.ctx, input: { panelId: one } });
  await movePanel({ ctx: ada.ctx, input: { panelId: two, beforePanelId: one } });
  expect(await titles(dashboardId)).toEqual(["Three", "Two"]);
  const gone = removePanel({ ctx: ada.ctx, input: { panelId: one } });
  await expect(gone).rejects.toMatchObject({ code: "not_found" });
  await Promise.all([
    movePanel({ ctx: ada.ctx, input: { panelId: two, beforePanelId: three } }),
    removePanel({ ctx: ada.ctx, input: { panelId: three } }),
  ]);
  expect(await titles(dashboardId)).toEqual(["Two"]);
});

test("other users can read a shared dashboard but not change it, and no longer find it once it is private", async () => {
  const dashboardId = await make("Ours");
  const panelId = await pin(dashboardId, "One");
  const asGrace = { ctx: grace.ctx, input: { dashboardId } };
  await expect(getDashboard(asGrace)).rejects.toMatchObject({ code: "not_found" });
  await expect(deleteDashboard(asGrace)).rejects.toMatchObject({ code: "not_found" });
  await shareDashboard({ ctx: ada.ctx, input: { dashboardId, isShared: true } });
  expect(await getDashboard(asGrace)).toMatchObject({ isOwn: false, ownerName: "Ada" });
  expect(await listDashboards({ ctx: grace.ctx })).toMatchObject([{ name: "Ours", isOwn: false }]);
  const refused = { code: "forbidden", message: "Only Ada, who owns the dashboard, can change it." };
  await expect(deleteDashboard(asGrace)).rejects.toMatchObject(refused);
  await expect(removePanel({ ctx: grace.ctx, input: { panelId } })).rejects.toMatchObject(refused);
  await expect(setStartDashboard(asGrace)).rejects.toMatchObject(refused);
  await shareDashboard({ ctx: ada.ctx, input: { dashboardId, isShared: false } });
  await expect(getDashboard(asGrace)).rejects.toMatchObject({ code: "not_found" });
  expect(await listDashboards({ ctx: grace.ctx })).toEqual([]);
});

test("each reader chooses a start page, and the Overview replaces a deleted one", async () => {
  const dashboardId = await make("Start");
  await setStartDashboard({ ctx: ada.ctx, input: { dashboardId } });
  expect(await readStartDashboardId({ ctx: ada.ctx })).toBe(dashboardId);
  expect(await readStartDashboardId({ ctx: grace.ctx })).toBeNull();
  expect(await listDashboards({ ctx: ada.ctx })).toMatchObject([{ isStart: true }]);
  await setStartDashboard({ ctx: ada.ctx, input: { dashboardId: null } });
  expect(await readStartDashboardId({ ctx: ada.ctx })).toBeNull();
  await setStartDashboard({ ctx: ada.ctx, input: { dashboardId } });
  await deleteDashboard({ ctx: ada.ctx, input: { dashboardId } });
  expect(await readStartDashboardId({ ctx: ada.ctx })).toBeNull();
});

test("a name is unique per person, not between people", async () => {
  const one = await make("Same");
  await expect(make("Same")).rejects.toMatchObject({ code: "conflict", field: "name" });
  const other = await make("Other");
  const renamed = renameDashboard({ ctx: ada.ctx, input: { dashboardId: other, name: "Same" } });
  await expect(renamed).rejects.toMatchObject({ code: "conflict" });
  await renameDashboard({ ctx: ada.ctx, input: { dashboardId: one, name: "Same" } });
  await make("Same", grace);
});

test("a chart that the catalogue lacks cannot be pinned, but an existing one can still be read", async () => {
  const dashboardId = await make("Old");
  await expect(pin(dashboardId, "Gone", { metric: "stashlight_gone" })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("The catalogue has no metric “stashlight_gone”"),
  });
  const stored = { metric: "stashlight_gone", where: { colour: ["red"] }, splitBy: null, statistic: "p99" };
  await installation.platform.db.dashboardPanel.create({
    data: {
      id: newId(),
      dashboardId,
      position: 1,
      title: "Gone",
      query: stored,
      createdAt: installation.clock.now(),
    },
  });
  const { panels } = await getDashboard({ ctx: ada.ctx, input: { dashboardId } });
  expect(panels).toMatchObject([{ title: "Gone", query: stored }]);
});
