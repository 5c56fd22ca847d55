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
  metricHeatmapInput,
  metricLabelsInput,
  metricQueryInput,
  stallsInput,
} from "@stashlight/contracts/metrics/query";
import { getTraceInput, listTracesInput } from "@stashlight/contracts/upload";
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
import {
  findLiveStalls,
  listMetricLabels,
  queryLiveHeatmap,
  queryLiveMetric,
} from "@stashlight/services/metrics/query";
import { getTrace, listTraces } from "@stashlight/services/trace";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const metricRouter = router({
  query: queryWith(metricQueryInput, queryLiveMetric),
  heatmap: queryWith(metricHeatmapInput, queryLiveHeatmap),
  labels: queryWith(metricLabelsInput, listMetricLabels),
  stalls: queryWith(stallsInput, findLiveStalls),
});

export const traceRouter = router({
  list: queryWith(listTracesInput, listTraces),
  get: queryWith(getTraceInput, getTrace),
});

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
