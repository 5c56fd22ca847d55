import { panelWords } from "@stashlight/contracts/metrics/panel-words";
import { jsonColumn } from "./json-column.ts";

/** The words of a panel are compared with the catalogue where it is drawn, so a metric that is gone is still read. */
export const dashboardPanelColumns = { query: jsonColumn("dashboard_panel.query", panelWords) };
