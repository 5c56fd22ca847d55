import { encode } from "uqr";

/** Draws each run of dark modules as one bar: a path of a few kilobytes instead of a thousand rectangles. */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      [...darkRuns(row)].map(([start, length]) => `M${start} ${y}h${length}v1h-${length}z`),
    )
    .join("");
}

function* darkRuns(row: readonly boolean[]): Generator<[start: number, length: number]> {
  let start = -1;
  for (let x = 0; x <= row.length; x++) {
    if (row[x] && start < 0) start = x;
    if (!row[x] && start >= 0) {
      yield [start, x - start];
      start = -1;
    }
  }
}

/** Always dark on white, in both themes: some cameras cannot read the reverse. */
export function QrCode({ value, title, size = 176 }: { value: string; title: string; size?: number }) {
  const code = encode(value, { ecc: "M", border: 3 });
  return (
    <svg
      role="img"
      aria-label={title}
      width={size}
      height={size}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      className="max-w-full shrink-0 rounded-md border border-line"
    >
      <title>{title}</title>
      <rect width={code.size} height={code.size} fill="#ffffff" />
      <path d={qrPath(code.data)} fill="#0e1116" />
    </svg>
  );
}
