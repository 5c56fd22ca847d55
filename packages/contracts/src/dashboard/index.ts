export {
  createDashboardInput,
  type DashboardDetail,
  type DashboardPanelRow,
  type DashboardRow,
  dashboardIdInput,
  movePanelInput,
  panelIdInput,
  pinPanelInput,
  renameDashboardInput,
  renamePanelInput,
  setStartDashboardInput,
  shareDashboardInput,
} from "./dashboard.ts";
export { storedPanelSchema } from "./stored-panel.ts";
