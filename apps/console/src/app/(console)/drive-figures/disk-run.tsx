"use client";
import type { DiskCellRow, DiskRunDetails } from "@stashlight/contracts/disk";
import { formatCount, UiLink } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Section } from "@stashlight/ui/layout";
import { useMemo } from "react";
import { latencyFigure, type RateUnit, secondsFigure, sweepPictures } from "./cell-figures.ts";
import { CellTable } from "./cell-table.tsx";

/** Cells of at least this many seconds have their own chart. */
const PICTURE_SECONDS_MIN = 30;
const PICTURES_MAX = 8;
const SWEEP_SIZES_MIN = 2;

/** Measurement of a drive: its limit, each long cell second by second, rates by block size, and all cells. */
export function DiskRun({ run, isModelled }: { run: DiskRunDetails; isModelled: boolean }) {
  const { cells, cellCount, sentences } = run;
  const long = cells.filter(({ result }) => result.perSecond.iops.length >= PICTURE_SECONDS_MIN);
  const caveats = isModelled ? ["modelled"] : [];
  return (
    <>
      <Findings sentences={sentences} cells={long} />
      {long.length > 0 && (
        <Section title="How does the rate change over time?">
          <div className="grid gap-4 xl:grid-cols-2">
            {long.slice(0, PICTURES_MAX).map((cell) => (
              <SecondsPanels key={cell.place} cell={cell} caveats={caveats} />
            ))}
          </div>
        </Section>
      )}
      <SweepPanels cells={cells} caveats={caveats} unit="bytes" />
      <Section title={`Cells: ${cells.length} of ${Math.max(cellCount, cells.length)} measured`}>
        <CellTable cells={cells} />
        {run.measuredWith !== null && (
          <p className="text-sm text-faint">
            Measured with {run.measuredWith} on {run.device ?? "a drive without kernel information"}.
          </p>
        )}
      </Section>
    </>
  );
}

function Findings({ sentences, cells }: { sentences: readonly string[]; cells: readonly DiskCellRow[] }) {
  const all = [
    ...cells.flatMap(({ limit, model, result }) => {
      const where = cells.length === 1 ? "" : `Queue depth ${result.cell.queueDepth}: `;
      return [limit?.sentence, model?.sentence].flatMap((text) =>
        text === undefined ? [] : `${where}${text}`,
      );
    }),
    ...sentences,
  ];
  if (all.length === 0) return null;
  return (
    <Callout status="info" title="What limits this drive">
      <ul className="flex max-w-[96ch] flex-col gap-1">
        {all.map((sentence, at) => (
          // Keyed by position too, because two checks may have the same text.
          <li key={at}>{sentence}</li>
        ))}
      </ul>
      <p className="mt-1 text-muted">
        For EBS, the limits for the month of the run are those in{" "}
        <UiLink href="/planner/volumes">Volume models</UiLink>.
      </p>
    </Callout>
  );
}

function SecondsPanels({ cell, caveats }: { cell: DiskCellRow; caveats: readonly string[] }) {
  const figure = useMemo(() => secondsFigure(cell), [cell]);
  const latency = useMemo(() => latencyFigure(cell), [cell]);
  const { queueDepth } = cell.result.cell;
  const { length } = cell.result.perSecond.iops;
  const source = `${formatCount(length)} seconds, n ${formatCount(cell.result.read.n + cell.result.write.n)}`;
  return (
    <>
      <FigurePanel
        title={`Is the rate sustained at queue depth ${queueDepth}?`}
        metric="I/Os that ended in each second; dashed: the finding and the volume’s model"
        figure={figure}
        source={source}
        caveats={caveats}
        exportName={`seconds-${cell.place}`}
        heightPx={240}
      />
      <FigurePanel
        title={`How long do requests take at queue depth ${queueDepth}?`}
        metric="mean latency of the requests that ended in each second"
        figure={latency}
        source={source}
        caveats={caveats}
        exportName={`latency-${cell.place}`}
        heightPx={240}
      />
    </>
  );
}

/** Empty unless several block sizes were measured. */
export function SweepPanels({
  cells,
  caveats,
  unit,
}: {
  cells: readonly DiskCellRow[];
  caveats: readonly string[];
  unit: RateUnit;
}) {
  const pictures = useMemo(() => sweepPictures(cells, unit), [cells, unit]);
  const sizes = new Set(cells.map(({ result }) => result.cell.blockBytes));
  if (sizes.size < SWEEP_SIZES_MIN) return null;
  return (
    <Section title="How fast is it at which block size?">
      <div className="grid items-start gap-4 xl:grid-cols-2">
        {pictures.map(({ key, title, figure }) => (
          <FigurePanel
            key={key}
            title={title}
            metric={`${unit === "iops" ? "IOPS" : "MB/s"} by block size; bars span the runs`}
            figure={figure}
            source={`${cells.length} cells`}
            caveats={caveats}
            exportName={`sweep-${key}`}
            heightPx={260}
          />
        ))}
      </div>
    </Section>
  );
}
