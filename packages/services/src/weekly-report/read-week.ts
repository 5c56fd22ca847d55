/** Reads the facts of a report by the same queries as pages. Leaves out simulated vaults. */
import type { BenchmarkLatestVerdict } from "@stashlight/contracts/benchmark";
import { type MetricAnswer, metricQueryInput } from "@stashlight/contracts/metrics/query";
import { alertEventColumns } from "@stashlight/db/columns/alert";
import { findVaults } from "../alert/group-vaults.ts";
import { inhibitedPrefix } from "../alert/muting.ts";
import type { WithCalculator } from "../benchmark-result/calculator.ts";
import { listLatestVerdicts } from "../benchmark-result/latest-verdicts.ts";
import type { Context } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { queryMetric } from "../metrics/query/query.ts";
import { listVaults } from "../vault/list.ts";
import { type Cause, weekCauses } from "./causes.ts";
import { type Fill, readFills } from "./fill.ts";
import { type ComparedTail, compareTails } from "./slower.ts";
import type { Week } from "./week.ts";

export interface WeekFacts {
  readonly week: Week;
  readonly causes: readonly Cause[];
  readonly fills: readonly Fill[];
  readonly uploads: readonly ComparedTail[];
  readonly drives: readonly ComparedTail[];
  readonly verdicts: readonly BenchmarkLatestVerdict[];
}

export type WithFacts = WithMerger & WithCalculator;

/** A week with more events than this cannot be summarised in a report. */
const EVENT_COUNT_MAX = 20_000;

/** Every recipient of a report may see all of its contents. */
const asViewer = <Needs>(platform: Needs): Context<Needs> => ({
  platform,
  principal: {
    userId: "weekly-report",
    sessionId: "",
    email: "",
    name: "weekly report",
    role: "viewer",
    twoFactorEnabled: false,
    timeZone: null,
  },
  origin: { ipAddress: "", userAgent: "weekly report" },
});

export async function readWeek(platform: WithFacts, week: Week, before: Week): Promise<WeekFacts> {
  const ctx = asViewer(platform);
  const known = await listVaults({ ctx });
  const measured = known.filter(({ isSimulated }) => !isSimulated).map(({ name }) => name);
  const vault = measured.length === 0 || measured.length === known.length ? undefined : measured;
  const ask = (question: object, { fromMs, toMs }: Week): Promise<MetricAnswer> =>
    queryMetric({
      ctx,
      input: metricQueryInput.parse({
        where: vault === undefined ? {} : { vault },
        ...question,
        fromMs,
        toMs,
      }),
    });
  const tails = async (metric: string, groupBy: string[], nameOf: Parameters<typeof compareTails>[2]) => {
    const question = { metric, groupBy, summarise: true };
    return compareTails(await ask(question, week), await ask(question, before), nameOf);
  };
  return {
    week,
    causes: weekCauses(await readEvents(platform, week), week),
    fills: await readFills(platform, vault, platform.now().getTime()),
    uploads: await tails("stashlight_upload_seconds", ["vault", "path"], ({ vault, path }) =>
      [vault, path].filter(Boolean).join(" "),
    ),
    drives: await tails("stashlight_fsync_seconds", ["vault", "node", "device"], ({ vault, node, device }) =>
      [vault, node, device].filter(Boolean).join(" / "),
    ),
    verdicts: await listLatestVerdicts({ ctx }),
  };
}

async function readEvents({ db }: WithFacts, { fromMs, toMs }: Week) {
  const events = await db.alertEvent.findMany({
    where: {
      kind: { in: ["firing", "resolved"] },
      occurredAt: { gte: new Date(fromMs), lt: new Date(toMs) },
    },
    orderBy: [{ occurredAt: "asc" }, { id: "asc" }],
    take: EVENT_COUNT_MAX,
  });
  const labels = events.map((event) => alertEventColumns.labels.read(event.labels, event.id));
  const vaultOf = await findVaults(db, labels);
  return events.map((event, index) => ({
    kind: event.kind === "resolved" ? ("resolved" as const) : ("firing" as const),
    ruleName: event.ruleName,
    severity: event.severity,
    group: event.group,
    vault: vaultOf(labels[index] ?? {}),
    atMs: event.occurredAt.getTime(),
    isInhibited: event.mutedBy?.startsWith(inhibitedPrefix) ?? false,
  }));
}
