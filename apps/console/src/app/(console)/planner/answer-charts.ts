/** The answer of a plan as pictures; what is drawn is decided here, and nowhere else. */
import {
  constraintNames,
  figureInWords,
  type MonteCarloAnswer,
  type PlanVariable,
  type StashAnswer,
} from "@stashlight/planner";
import {
  type PreparedFigure,
  prepareCounts,
  prepareCurves,
  prepareRows,
  prepareTornado,
} from "@stashlight/ui/figure";
import { fieldOf } from "./draft.ts";

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

const YEARS = [0, 2, 4, 6, 8, 10];

export function growthFigure({ growth }: StashAnswer): PreparedFigure {
  const { points, pool, outgrownAtMonth } = growth;
  const last = points.at(-1)?.month ?? 0;
  const top = Math.max(pool.carryingDrives * 4, 4);
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
        label: `drives that carry it (${pool.basis})`,
        tone: "warning",
        isDashed: true,
        points: [
          [0, pool.carryingDrives],
          [last, pool.carryingDrives],
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

export const uncertaintyFigure = ({ bars }: MonteCarloAnswer): PreparedFigure =>
  prepareCounts(bars, "servers needed");
