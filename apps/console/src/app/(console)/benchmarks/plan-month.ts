/** Chart of a plan's month: money if every price is known, otherwise uploaded bytes. */
import type { BenchmarkPlanPreview } from "@stashlight/contracts/benchmark";
import { type CurveInput, type PreparedFigure, prepareCurves } from "@stashlight/ui/figure";

const DAYS = 30;
const TICKS = [0, 10, 20, 30];

type Asked = Pick<BenchmarkPlanPreview, "costs" | "runsPerMonth" | "uploadedBytesPerRun">;

export function monthOfPlan(
  { costs, runsPerMonth, uploadedBytesPerRun }: Asked,
  budgetPerMonth: number | null,
): { metric: string; figure: PreparedFigure } {
  const prices = costs.flatMap(({ perMonth }) => (perMonth === null ? [] : [perMonth]));
  const isPriced = costs.length > 0 && prices.length === costs.length;
  const perMonth = isPriced
    ? prices.reduce((sum, price) => sum + price, 0)
    : uploadedBytesPerRun * runsPerMonth * Math.max(1, costs.length);
  const curves: CurveInput[] = [straight(isPriced ? "spent" : "uploaded", "stash", false, 0, perMonth)];
  if (isPriced && budgetPerMonth !== null) {
    curves.push(straight("budget", "warning", true, budgetPerMonth, budgetPerMonth));
  }
  return {
    metric: isPriced ? "dollars spent, all endpoints together" : "bytes uploaded, all endpoints together",
    figure: prepareCurves(curves, {
      quantity: isPriced ? "count" : "bytes",
      yLabel: isPriced ? "$" : "bytes",
      xLabel: "days",
      xMax: DAYS,
      xTicks: TICKS.map((day) => ({ x: day, label: String(day) })),
    }),
  };
}

const straight = (
  label: string,
  tone: CurveInput["tone"],
  isDashed: boolean,
  from: number,
  to: number,
): CurveInput => ({
  label,
  tone,
  isDashed,
  points: [
    [0, from],
    [DAYS, to],
  ],
});
