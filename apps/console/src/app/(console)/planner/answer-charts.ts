/** The answer of a plan as pictures; what is drawn is decided here, and nowhere else. */
import {
  constraintNames,
  figureInWords,
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
import { fieldOf } from "./draft.ts";
import type { PresentStash } from "./present-stash.ts";

const TORNADO_ROWS_MAX = 10;
const SENSITIVITY = "20 %";

export const labelOf = (path: PlanVariable | string): string => fieldOf(path)?.label ?? path;

/** Drives that each constraint needs, against the drives that still work when as many servers are dead as may be. */
export function constraintFigure({ plan, growth }: StashAnswer): PreparedFigure {
  const { carryingDrives, basis } = growth.pool;
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
        label: `${figureInWords(carryingDrives)} drives of the ${basis} pool with servers dead`,
      },
    },
  );
}

export function sensitivityFigure({ sensitivities, plan }: StashAnswer): PreparedFigure {
  return prepareTornado(
    sensitivities.slice(0, TORNADO_ROWS_MAX).map(({ variable, low, high, changesBinding }) => ({
      label: labelOf(variable),
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
  `${figureInWords(servers)} × ${figureInWords(drivesPerServer)}`;

function noteOf({ suffices, placementHolds }: PoolOption): string {
  if (suffices) return "suffices";
  return placementHolds ? "does not carry the planned load" : "too few for placement";
}

const pointOf = (option: PoolOption, note = noteOf(option)) => ({
  ...{ x: option.priceUsd / THOUSAND, y: option.times, note },
  name: poolName(option.servers, option.drivesPerServer),
});

/** Price against use: what another server buys, which pools suffice, and where the installed and the plan's are. */
export function poolsFigure(answer: StashAnswer, present: PresentStash | null): PreparedFigure {
  const { options, plan, filled } = answer;
  const others = options.filter(({ servers }) => servers !== plan.servers);
  const cheapest = options.filter(({ servers }) => servers === plan.servers);
  const points = (suffices: boolean) =>
    others.filter((option) => option.suffices === suffices).map((option) => pointOf(option));
  return prepareScatter(
    [
      group("does not suffice", "direct", points(false), true),
      group("suffices", "stash", points(true)),
      ...(filled === null
        ? []
        : [
            group(`filled: ${figureInWords(filled.drives)} drives`, "pod", [
              pointOf(filled, "filled servers"),
            ]),
          ]),
      ...installedGroup(answer, present),
      group(
        `cheapest: ${figureInWords(plan.drives)} drives`,
        "good",
        cheapest.map((option) => pointOf(option, "cheapest that suffices")),
      ),
    ],
    {
      ...{ xLabel: "price, thousand $", yLabel: "times the planned load", yUnit: "×" },
      nameLabel: "Servers × drives",
      limit: { y: 1, label: "the planned load" },
    },
  );
}

/** The pool that is there, at the prices of the plan's drives, where the fleet or the form tells of one. */
function installedGroup({ headroom, input }: StashAnswer, present: PresentStash | null): ScatterGroup[] {
  if (headroom === null || present === null) return [];
  const { servers, drivesPerServer, drives } = headroom.pool;
  const priceUsd = servers * input.serverPriceUsd + drives * input.drive.priceUsd;
  const y = headroom.timesAtHorizon * (present.times / headroom.times);
  const note = present.suffices ? "installed" : "installed, does not suffice";
  const name = poolName(servers, drivesPerServer);
  const tone = present.suffices ? "accent-ink" : "bad";
  return [
    group(`installed: ${figureInWords(drives)} drives`, tone, [{ x: priceUsd / THOUSAND, y, note, name }]),
  ];
}

const YEARS = [0, 2, 4, 6, 8, 10];

/** Installed drives of another size count as so many of the plan's as carry the same load. */
export function growthFigure(
  { growth, headroom }: StashAnswer,
  present: PresentStash | null,
): PreparedFigure {
  const { points, pool, outgrownAtMonth } = growth;
  const isOther = present !== null && headroom !== null && present.otherCapacityBytes !== null;
  const carryingDrives = isOther
    ? pool.carryingDrives * (present.times / headroom.times)
    : pool.carryingDrives;
  const last = points.at(-1)?.month ?? 0;
  const top = Math.max(carryingDrives * 4, 4);
  // Steep growth would press everything else onto the axis; the table has all of it.
  const shown = points.filter(
    ({ loadDrives, month }) => loadDrives <= top || month <= (outgrownAtMonth ?? 0),
  );
  return prepareCurves(
    [
      {
        label: "drives that the load needs",
        tone: "stash",
        isDashed: false,
        points: shown.map(({ month, loadDrives }) => [month, loadDrives] as const),
      },
      {
        label: `drives that carry it (${pool.basis}${isOther ? ", as drives of the plan" : ""})`,
        tone: "warning",
        isDashed: true,
        points: [
          [0, carryingDrives],
          [last, carryingDrives],
        ],
      },
    ],
    {
      quantity: "count",
      yLabel: "drives",
      xLabel: "months from today",
      xMax: last,
      xTicks: YEARS.map((years) => ({ x: years * 12, label: years === 0 ? "today" : `${years} y` })),
    },
  );
}

export const uncertaintyFigure = ({ bars }: MonteCarloAnswer): PreparedFigure | null =>
  // One bar of 100 % is a sentence, and the sentence stands beside it.
  bars.length < 2 ? null : prepareCounts(bars, "servers needed");
