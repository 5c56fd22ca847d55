/** A line or bars too small for axes; text beside it gives the values. */

export interface SparklineInput {
  readonly range: { readonly fromMs: number; readonly toMs: number };
  readonly stepMs: number;
  /** Point i covers the time from `endMs[i] - stepMs` to `endMs[i]`; times without a point are gaps. */
  readonly endMs: readonly number[];
  readonly values: readonly (number | null)[];
}

/** SVG paths in a box of size `sparklineBox`. */
export interface PreparedSparkline {
  readonly line: string;
  /** Area between the line and zero. */
  readonly area: string;
  readonly bars: string;
  /** Minimum and maximum drawn; null if nothing is. */
  readonly extent: { readonly least: number; readonly most: number } | null;
}

export const sparklineBox = { width: 120, height: 28 } as const;
/** Half the stroke width, so that the highest value is not clipped. */
const INSET = 1;

interface Point {
  readonly endMs: number;
  readonly value: number;
}

/** Scales from zero to the maximum, because a scale from the minimum would exaggerate every ripple. */
export function prepareSparkline({ range, stepMs, endMs, values }: SparklineInput): PreparedSparkline {
  const points = endMs.flatMap((end, i): Point[] => {
    const value = values[i] ?? null;
    return value === null || end <= range.fromMs || end - stepMs >= range.toMs ? [] : [{ endMs: end, value }];
  });
  if (points.length === 0) return { line: "", area: "", bars: "", extent: null };
  const shown = points.map(({ value }) => value);
  const extent = { least: Math.min(...shown), most: Math.max(...shown) };
  const { width, height } = sparklineBox;
  const x = (ms: number): number =>
    round(Math.min(1, Math.max(0, (ms - range.fromMs) / (range.toMs - range.fromMs))) * width);
  const y = (value: number): number =>
    round(height - INSET - (extent.most > 0 ? Math.max(0, value / extent.most) : 0) * (height - 2 * INSET));
  const runs = connectedRuns(points, stepMs);
  const line = runs.map((run) => sparklineRun(run, stepMs, x, y)).join("");
  const area = runs
    .map((run) => {
      const [first, last] = [run[0] as Point, run[run.length - 1] as Point];
      return `${sparklineRun(run, stepMs, x, y)}L${x(last.endMs)} ${height}H${x(first.endMs - stepMs)}Z`;
    })
    .join("");
  const bars = points
    .filter(({ value }) => value > 0)
    .map(({ endMs: end, value }) => `M${x(end - stepMs)} ${height}V${y(value)}H${x(end)}V${height}Z`)
    .join("");
  return { line, area, bars, extent };
}

/** Groups points without gaps between them. */
function connectedRuns(points: readonly Point[], stepMs: number): Point[][] {
  const runs: Point[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || point.endMs - last.endMs > 1.5 * stepMs)
      runs.push([point]);
    else run.push(point);
  }
  return runs;
}

/** A run begins at the start of its first point's window, so that a single point is a line too. */
function sparklineRun(
  run: readonly Point[],
  stepMs: number,
  x: (ms: number) => number,
  y: (value: number) => number,
): string {
  const first = run[0] as Point;
  const start = `M${x(first.endMs - stepMs)} ${y(first.value)}`;
  return start + run.map(({ endMs, value }) => `L${x(endMs)} ${y(value)}`).join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;
