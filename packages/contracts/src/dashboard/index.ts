export * from "./dashboard.ts";
export { storedPanelSchema } from "./stored-panel.ts";
