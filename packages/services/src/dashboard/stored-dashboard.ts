/** Finds dashboards for their readers and owners. Private dashboards of others do not exist for them. */
import type { DashboardRow } from "@stashlight/contracts/dashboard";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Prisma, Transaction } from "@stashlight/db";

/** A user needs a few; more are created by scripts. */
export const DASHBOARDS_PER_USER_MAX = 100;
/** Each panel queries the store separately; a page with more would be slow and too long to read. */
export const PANELS_PER_DASHBOARD_MAX = 40;

export const rowColumns = {
  id: true,
  name: true,
  ownerId: true,
  isShared: true,
  owner: { select: { name: true, startDashboardId: true } },
  _count: { select: { panels: true } },
} as const satisfies Prisma.DashboardSelect;

export const visibleTo = (userId: string) => ({
  OR: [{ ownerId: userId }, { isShared: true }],
});

type Selected = Prisma.DashboardGetPayload<{ select: typeof rowColumns }>;

export const toDashboardRow = (
  { id, name, ownerId, isShared, owner, _count: { panels } }: Selected,
  userId: string,
): DashboardRow => {
  const isOwn = ownerId === userId;
  return {
    id,
    name,
    isOwn,
    isShared,
    ownerName: owner.name,
    isStart: isOwn && owner.startDashboardId === id,
    panelCount: panels,
  };
};

export const noDashboard = (): StashlightError =>
  new StashlightError(
    "not_found",
    "There is no such dashboard: it was deleted, or its owner no longer shares it.",
  );

export interface OwnDashboard {
  readonly id: string;
  readonly name: string;
  readonly isShared: boolean;
}

/** Reads the owner's dashboard and locks it until the transaction ends, so that changes by two tabs are serialised. */
export async function lockOwnDashboard(
  tx: Transaction,
  dashboardId: string,
  userId: string,
): Promise<OwnDashboard> {
  await tx.$queryRaw`SELECT id FROM dashboard WHERE id = ${dashboardId}::uuid FOR UPDATE`;
  const found = await tx.dashboard.findFirst({
    where: { id: dashboardId, ...visibleTo(userId) },
    select: { id: true, name: true, isShared: true, ownerId: true, owner: { select: { name: true } } },
  });
  if (found === null) throw noDashboard();
  if (found.ownerId !== userId) {
    throw new StashlightError(
      "forbidden",
      `Only ${found.owner.name}, who owns the dashboard, can change it.`,
    );
  }
  return found;
}

export interface OwnPanel {
  readonly id: string;
  readonly title: string;
  readonly dashboard: OwnDashboard;
}

/** Reads a panel of the owner's dashboard, with the dashboard locked. */
export async function lockOwnPanel(tx: Transaction, panelId: string, userId: string): Promise<OwnPanel> {
  const place = await tx.dashboardPanel.findUnique({
    where: { id: panelId },
    select: { dashboardId: true },
  });
  if (place === null) throw noPanel();
  const dashboard = await lockOwnDashboard(tx, place.dashboardId, userId);
  const panel = await tx.dashboardPanel.findUnique({
    where: { id: panelId },
    select: { id: true, title: true },
  });
  if (panel === null) throw noPanel();
  return { ...panel, dashboard };
}

const noPanel = (): StashlightError =>
  new StashlightError("not_found", "There is no such panel: it was removed from its dashboard.");

export async function refuseTakenName(
  tx: Transaction,
  ownerId: string,
  name: string,
  ownId: string | null,
): Promise<void> {
  const taken = await tx.dashboard.findUnique({
    where: { ownerId_name: { ownerId, name } },
    select: { id: true },
  });
  if (taken === null || taken.id === ownId) return;
  throw new StashlightError("conflict", `You already have a dashboard "${name}"; choose another name.`, {
    field: "name",
  });
}

export const dashboardTarget = ({ id, name }: Pick<OwnDashboard, "id" | "name">) => ({
  kind: "dashboard",
  id,
  name,
});
