import {
  createDashboardInput,
  dashboardIdInput,
  movePanelInput,
  panelIdInput,
  pinPanelInput,
  renameDashboardInput,
  renamePanelInput,
  setStartDashboardInput,
  shareDashboardInput,
} from "@stashlight/contracts/dashboard";
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  movePanel,
  pinPanel,
  removePanel,
  renameDashboard,
  renamePanel,
  setStartDashboard,
  shareDashboard,
} from "@stashlight/services/dashboard";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const dashboardRouter = router({
  list: query(listDashboards),
  get: queryWith(dashboardIdInput, getDashboard),
  create: mutationWith(createDashboardInput, createDashboard),
  rename: mutationWith(renameDashboardInput, renameDashboard),
  delete: mutationWith(dashboardIdInput, deleteDashboard),
  share: mutationWith(shareDashboardInput, shareDashboard),
  setStart: mutationWith(setStartDashboardInput, setStartDashboard),
  pinPanel: mutationWith(pinPanelInput, pinPanel),
  renamePanel: mutationWith(renamePanelInput, renamePanel),
  movePanel: mutationWith(movePanelInput, movePanel),
  removePanel: mutationWith(panelIdInput, removePanel),
});
