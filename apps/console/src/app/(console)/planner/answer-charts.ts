/** Prepares the charts of a plan's answer; all decisions about them are made here. */
import {
  constraintNames,
  formatFigure,
  type MonteCarloAnswer,
  type PlanVariable,
  type PoolOption,
  type StashAnswer,
} from "@stashlight/planner";
import {
  type PreparedFigure,
  prepareCounts,
  prepareCurves,
  prepareRows,
  prepareScatter,
  prepareTornado,
  type ScatterGroup,
} from "@stashlight/ui/figure";
import { findField } from "./draft.ts";
import { NOT_JUDGED, type PlanBasis } from "./load-source.ts";

const TORNADO_ROWS_MAX = 10;
const SENSITIVITY = "20 %";

export const variableLabel = (path: PlanVariable | string): string => findField(path)?.label ?? path;

/** Drives that each constraint needs, against the working drives with the maximum number of dead servers. */
export function constraintFigure({ plan, planned }: StashAnswer): PreparedFigure {
  const { carryingDrives } = planned.pool;
  return prepareRows(
    constraintNames.map((name) => ({
      label: name === plan.bindingConstraint ? `${name} (binding)` : name,
      value: plan.drivesByConstraint[name],
      tone: name === plan.bindingConstraint ? "accent-ink" : "stash",
      note: name === plan.bindingConstraint ? "binding" : "",
    })),
    {
      xLabel: "drives that the load needs",
      limit: {
        value: carryingDrives,
        label: `${formatFigure(carryingDrives)} drives of the planned pool with servers dead`,
      },
    },
  );
}

export function sensitivityFigure({ sensitivities, plan }: StashAnswer): PreparedFigure {
  return prepareTornado(
    sensitivities.slice(0, TORNADO_ROWS_MAX).map(({ variable, low, high, changesBinding }) => ({
      label: variableLabel(variable),
      atLow: low.loadDrives,
      atHigh: high.loadDrives,
      note: changesBinding ? "another constraint binds" : "",
    })),
    {
      middle: plan.drivesByConstraint[plan.bindingConstraint],
      xLabel: "drives for the load",
      ends: [`input ${SENSITIVITY} lower`, `input ${SENSITIVITY} higher`],
    },
  );
}

const THOUSAND = 1000;

const group = (
  label: string,
  tone: ScatterGroup["tone"],
  points: ScatterGroup["points"],
  isHollow = false,
): ScatterGroup => ({ label, tone, isHollow, points });

const poolName = (servers: number, drivesPerServer: number): string =>
  `${formatFigure(servers)} × ${formatFigure(drivesPerServer)}`;

function describeOption({ suffices, placementHolds }: PoolOption): string {
  if (suffices) return "suffices";
  return placementHolds ? "does not carry the planned load" : "too few for placement";
}

const optionPoint = (option: PoolOption, note = describeOption(option)) => ({
  x: option.priceUsd / THOUSAND,
  y: option.times,
  note,
  name: poolName(option.servers, option.drivesPerServer),
});

/**
 * Price against use: what one more server changes, which pools suffice, and the positions of the installed and the
 * planned pool.
 */
export function poolsFigure(answer: StashAnswer, { unjudged }: PlanBasis): PreparedFigure {
  const { options, plan, filled } = answer;
  const others = options.filter(({ servers }) => servers !== plan.servers);
  const cheapest = options.filter(({ servers }) => servers === plan.servers);
  const points = (suffices: boolean) =>
    others.filter((option) => option.suffices === suffices).map((option) => optionPoint(option));
  return prepareScatter(
    [
      group("does not suffice", "direct", points(false), true),
      group("suffices", "stash", points(true)),
      ...(filled === null
        ? []
        : [
            group(`filled: ${formatFigure(filled.drives)} drives`, "pod", [
              optionPoint(filled, "filled servers"),
            ]),
          ]),
      ...installedGroup(answer, unjudged !== null),
      group(
        `cheapest: ${formatFigure(plan.drives)} drives`,
        "good",
        cheapest.map((option) => optionPoint(option, "cheapest that suffices")),
      ),
    ],
    {
      xLabel: "price, thousand $",
      yLabel: "times the planned load",
      yUnit: "×",
      nameLabel: "Servers × drives",
      limit: { y: 1, label: "the planned load" },
    },
  );
}

/** The installed pool, if the fleet or the form has one. */
function installedGroup({ installed }: StashAnswer, isUnjudged: boolean): ScatterGroup[] {
  if (installed === null) return [];
  const { pool, cost, timesAtHorizon: y, suffices } = installed;
  const note = isUnjudged
    ? `installed, ${NOT_JUDGED}`
    : suffices
      ? "installed"
      : "installed, does not suffice";
  const name = poolName(pool.servers, pool.drivesPerServer);
  const point = { x: cost.totalUsd / THOUSAND, y, note, name };
  return [
    group(`installed: ${formatFigure(pool.drives)} drives`, suffices || isUnjudged ? "accent-ink" : "bad", [
      point,
    ]),
  ];
}

const YEARS = [0, 2, 4, 6, 8, 10, 15, 20];

/** The load, and the multiple of it that each pool supports, in one unit for drives of any size. */
export function growthFigure({ growth, planned, installed }: StashAnswer): PreparedFigure {
  const last = growth.at(-1)?.month ?? 0;
  const pools = installed === null ? [planned] : [installed, planned];
  // Cuts off steep growth and idle pools, which would flatten everything else; the table has all values.
  const top = Math.max(4, 4 * Math.min(...pools.map(({ times }) => times)));
  const outgrown = Math.max(...pools.map(({ outgrownAtMonth }) => outgrownAtMonth ?? 0));
  const shown = growth.filter(({ times, month }) => times <= top || month <= outgrown);
  const reach = Math.max(top, ...shown.map(({ times }) => times));
  return prepareCurves(
    [
      {
        label: "load",
        tone: "stash",
        isDashed: false,
        points: shown.map(({ month, times }) => [month, times] as const),
      },
      ...pools
        .filter(({ times }) => times <= reach)
        .map(({ pool, times, placementHolds }) => ({
          label: `${pool.basis} pool carries${placementHolds ? "" : ", but placement does not hold"}`,
          tone: pool.basis === "installed" ? ("warning" as const) : ("good" as const),
          isDashed: true,
          points: [
            [0, times],
            [last, times],
          ] as const,
        })),
    ],
    {
      quantity: "count",
      yLabel: "times today's load",
      xLabel: "time from today",
      xMax: last,
      xTicks: YEARS.filter((years) => years * 12 <= last).map((years) => ({
        x: years * 12,
        label: years === 0 ? "today" : `${years} y`,
      })),
    },
  );
}

export const uncertaintyFigure = ({ bars }: MonteCarloAnswer): PreparedFigure | null =>
  // A single bar of 100 % shows nothing; the sentence beside it states the result.
  bars.length < 2 ? null : prepareCounts(bars, "servers needed");
