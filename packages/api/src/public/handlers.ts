/** The verbs behind the public API. They check roles themselves; scopes are checked before any of them is called. */

import { formatSlots } from "@stashlight/contracts/benchmark";
import type { ApiAnswer, ApiInput, ApiOperationName, Json } from "@stashlight/contracts/public-api";
import { worstState } from "@stashlight/contracts/vault-state";
import {
  acknowledgeAlerts,
  endSilence,
  listFiring,
  listSilences,
  listSlowDrives,
  silenceAlerts,
} from "@stashlight/services/alert";
import { createAnnotation } from "@stashlight/services/annotation";
import type { TokenContext } from "@stashlight/services/api-token";
import {
  getBenchmarkPlan,
  getBenchmarkRun,
  listBenchmarkPlans,
  listBenchmarkSlots,
  runBenchmarkPlanNow,
} from "@stashlight/services/benchmark";
import { getBenchmarkPlanVerdict } from "@stashlight/services/benchmark-result";
import { listDurability } from "@stashlight/services/durability";
import {
  describeModelRate,
  importDriveStats,
  listFailureRates,
  markDrive,
} from "@stashlight/services/failure-rate";
import { readHealth } from "@stashlight/services/health";
import type { Platform } from "@stashlight/services/platform";
import { listForecastVaults, listVaultStates } from "@stashlight/services/vault";
import { queryByStatistic } from "./query-metric.ts";
import { parseRange } from "./range.ts";
import { toApiAlerts, toApiHealth, toApiVault } from "./state-answers.ts";

type Handlers = {
  [Name in ApiOperationName]: (
    ctx: TokenContext<Platform>,
    input: ApiInput<Name>,
  ) => Promise<ApiAnswer<Name>>;
};

/** Converts a value to its JSON form. */
const wire = <Value>(value: Value): Json<Value> => JSON.parse(JSON.stringify(value));

const answeredAt = ({ platform }: TokenContext<Platform>): string => platform.now().toISOString();

export const handlers: Handlers = {
  readHealth: async (ctx) => {
    const health = await readHealth({ ctx });
    const stashlight = worstState(health.checks.map(({ state }) => state));
    // An unavailable database is one of the checks, and must not hide the others.
    const rows = await listVaultStates({ ctx }).catch(() => []);
    const vaults = worstState(rows.map(({ state }) => state));
    const state = worstState([stashlight, vaults]);
    return { answeredAt: answeredAt(ctx), state, stashlight, vaults, ...wire(toApiHealth(health)) };
  },
  queryMetric: queryByStatistic,
  listVaults: async (ctx) => {
    const [vaults, durabilities, slow] = await Promise.all([
      listForecastVaults({ ctx }),
      listDurability({ ctx }),
      listSlowDrives({ ctx }),
    ]);
    const slowByVault = Map.groupBy(slow, ({ vault }) => vault);
    const byVault = new Map(durabilities.map((each) => [each.vault, each]));
    return {
      answeredAt: answeredAt(ctx),
      vaults: vaults.map((row) => toApiVault(row, byVault.get(row.name), slowByVault.get(row.name) ?? [])),
    };
  },
  listAlerts: async (ctx) => ({
    answeredAt: answeredAt(ctx),
    alerts: toApiAlerts(await listFiring({ ctx }), ctx.platform.options.publicUrl),
  }),
  acknowledgeAlert: async (ctx, input) => {
    await acknowledgeAlerts({ ctx, input });
    return { answeredAt: answeredAt(ctx) };
  },
  listSilences: async (ctx) => ({
    answeredAt: answeredAt(ctx),
    silences: wire(await listSilences({ ctx })),
  }),
  silenceAlerts: (ctx, input) => silenceAlerts({ ctx, input }),
  endSilence: async (ctx, input) => {
    await endSilence({ ctx, input });
    return { answeredAt: answeredAt(ctx) };
  },
  listPlans: async (ctx) => ({
    answeredAt: answeredAt(ctx),
    plans: wire(await listBenchmarkPlans({ ctx })),
  }),
  readPlan: async (ctx, input) => ({
    answeredAt: answeredAt(ctx),
    plan: wire(await getBenchmarkPlan({ ctx, input })),
  }),
  readVerdict: async (ctx, input) => {
    const { latest, slots } = await getBenchmarkPlanVerdict({ ctx, input });
    const counted = slots && { ...slots, sentence: formatSlots(slots) };
    return { answeredAt: answeredAt(ctx), verdict: wire(latest), slots: counted };
  },
  listRuns: async (ctx, { planId, from, to, limit }) => {
    const range = parseRange(from, to, ctx.platform.now());
    const slots = await listBenchmarkSlots({
      ctx,
      input: { ...range, pageSize: limit, ...(planId === undefined ? {} : { planId }) },
    });
    return {
      answeredAt: answeredAt(ctx),
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
      slots: wire(slots),
    };
  },
  readRun: async (ctx, input) => ({
    answeredAt: answeredAt(ctx),
    run: wire(await getBenchmarkRun({ ctx, input })),
  }),
  startRun: async (ctx, input) => {
    const { plannedAt } = await runBenchmarkPlanNow({ ctx, input });
    return { planId: input.planId, slotAt: plannedAt.toISOString() };
  },
  annotate: (ctx, input) => createAnnotation({ ctx, input }),
  listDrives: async (ctx) => {
    const [{ models, ...rest }, slow] = await Promise.all([
      listFailureRates({ ctx }),
      listSlowDrives({ ctx }),
    ]);
    const described = models.map((model) => ({ ...model, sentence: describeModelRate(model) }));
    return { answeredAt: answeredAt(ctx), models: described, slowDrives: wire(slow), ...wire(rest) };
  },
  markDrive: (ctx, input) => markDrive({ ctx, input }),
  importDriveStats: async (ctx, input) => wire(await importDriveStats({ ctx, input })),
};
