/** Charts of the metric store that a user has put together, readable by all users if shared. */
import { z } from "zod";
import type { StoredPanel } from "../metrics/panel.ts";
import { nameSchema } from "../name.ts";
import { storedPanelSchema } from "./stored-panel.ts";

const dashboardId = z.uuid("There is no such dashboard.");
const panelId = z.uuid("There is no such panel.");
const name = nameSchema();

export const dashboardIdInput = z.object({ dashboardId });
export const createDashboardInput = z.object({ name });
export const renameDashboardInput = z.object({ dashboardId, name });
export const shareDashboardInput = z.object({ dashboardId, isShared: z.boolean() });
/** Null makes the Overview the start page again. */
export const setStartDashboardInput = z.object({ dashboardId: dashboardId.nullable() });
export const pinPanelInput = z.object({ dashboardId, title: name, query: storedPanelSchema });
export const panelIdInput = z.object({ panelId });
export const renamePanelInput = z.object({ panelId, title: name });
/** Null moves it to the end. */
export const movePanelInput = z.object({ panelId, beforePanelId: panelId.nullable() });

export interface DashboardRow {
  id: string;
  name: string;
  ownerName: string;
  /** Only the owner can change it. */
  isOwn: boolean;
  /** Every signed-in user may read it. */
  isShared: boolean;
  /** True if it is the reader's start page. */
  isStart: boolean;
  panelCount: number;
}

export interface DashboardPanelRow {
  id: string;
  title: string;
  /** As pinned: its metric or labels may no longer exist. */
  query: StoredPanel;
}

export interface DashboardDetail extends DashboardRow {
  panels: DashboardPanelRow[];
}
