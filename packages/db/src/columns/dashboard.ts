import { storedPanelSchema } from "@stashlight/contracts/dashboard";
import { jsonColumn } from "./json-column.ts";

/**
 * The metric of a panel is checked against the catalogue only when it is drawn, so a removed metric can still be read.
 */
export const dashboardPanelColumns = { query: jsonColumn("dashboard_panel.query", storedPanelSchema) };
