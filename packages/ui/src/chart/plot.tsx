"use client";
import { useId, useMemo } from "react";
import { cx } from "../core/cx.ts";
import { formatDateTime, formatElapsed } from "../core/format.ts";
import { UiLink } from "../core/provider.tsx";
import { StatusShape } from "../feedback/status.tsx";
import { ChartCanvas } from "./canvas.tsx";
import {
  ANNOTATION_LABELS_MAX,
  ANNOTATION_LINES,
  axisLabelsWidthPx,
  endLabelsWidthPx,
  hasEndLabels,
  LABEL_HEIGHT_PX,
  placeEndLabels,
} from "./labels.ts";
import type { ChartEvent, ChartRange, PreparedChart } from "./model.ts";
import type { PlotInsets } from "./option.ts";
import { type Moment, readAt } from "./readings.ts";
import { Swatch } from "./swatch.tsx";
import { type Selection, usePlotPointer } from "./use-plot-pointer.ts";

const RIGHT_PX = 10;

export interface PlotProps {
  readonly chart: PreparedChart;
  readonly title: string;
  readonly heightPx: number;
  readonly onZoom?: ((range: ChartRange) => void) | undefined;
}

/** The plot, with the crosshair, selection, gaps and annotations above it. */
export function Plot({ chart, title, heightPx, onZoom }: PlotProps) {
  const chartId = useId();
  const { crosshair, selection, handlers } = usePlotPointer({ chartId, chart, onZoom });
  const { fromMs, toMs } = chart.range;
  const insets = useMemo(
    (): PlotInsets => ({
      left: axisLabelsWidthPx(chart),
      right: hasEndLabels(chart) ? endLabelsWidthPx(chart) : RIGHT_PX,
      top: 8,
      bottom: 22,
    }),
    [chart],
  );
  const share = (timeMs: number) => `${(((timeMs - fromMs) / (toMs - fromMs)) * 100).toFixed(3)}%`;
  const pointedMs = crosshair === null ? null : crosshair.timeMs;
  const isInside = pointedMs !== null && pointedMs >= fromMs && pointedMs <= toMs;
  const isOwn = crosshair?.chartId === chartId;
  const moment = isInside && isOwn ? readAt(chart, pointedMs) : null;
  return (
    <div className="relative" style={{ height: heightPx }}>
      {/* Below the plot, so that limits and their names stay legible. */}
      <div className="absolute" style={insets}>
        <Gaps chart={chart} share={share} />
        <Spans chart={chart} share={share} />
      </div>
      <ChartCanvas chart={chart} insets={insets} />
      {hasEndLabels(chart) && <EndLabels chart={chart} insets={insets} heightPx={heightPx} />}
      <div className="absolute" style={insets}>
        <Events chart={chart} share={share} />
        {/* Presents the time axis to keyboards and screen readers as a slider. */}
        <div
          role="slider"
          tabIndex={0}
          aria-label={`Moment in “${title}”`}
          aria-valuemin={fromMs}
          aria-valuemax={toMs}
          aria-valuenow={isInside ? pointedMs : toMs}
          aria-valuetext={formatMoment(moment ?? readAt(chart, toMs), chart)}
          aria-description={onZoom ? zoomHelp : undefined}
          data-plot=""
          className="absolute inset-0 cursor-crosshair touch-pan-y select-none"
          {...handlers}
        />
        {isInside && (
          <span
            aria-hidden="true"
            data-crosshair=""
            className="pointer-events-none absolute inset-y-0 w-px bg-muted"
            style={{ left: share(pointedMs) }}
          />
        )}
        {selection !== null && <SelectionBand selection={selection} share={share} />}
        {moment !== null && isInside && (
          <MomentPanel
            chart={chart}
            moment={moment}
            isRight={pointedMs - fromMs < (toMs - fromMs) / 2}
            at={share(pointedMs)}
          />
        )}
      </div>
    </div>
  );
}

const zoomHelp =
  "Arrow keys move the cursor. Enter starts a selection, and Enter again zooms to it; Escape cancels.";

function formatMoment({ timeMs, readings, gapReason }: Moment, chart: PreparedChart): string {
  const said = readings
    .slice(0, 6)
    .map(({ label, value, detail }) => `${label} ${value}${detail && `, ${detail}`}`);
  const missing = gapReason === undefined ? [] : [gapReason];
  const parts = [...said, ...missing];
  return `${formatTime(chart, timeMs)}: ${parts.length > 0 ? parts.join("; ") : "no value"}${
    chart.isEmpty ? ", in the whole range" : ""
  }`;
}

const formatTime = ({ isElapsed }: PreparedChart, timeMs: number): string =>
  isElapsed ? formatElapsed(timeMs) : formatDateTime(timeMs);

type Share = (timeMs: number) => string;

function Gaps({ chart, share }: { chart: PreparedChart; share: Share }) {
  return chart.gaps.map(({ startMs, endMs, reason }) => (
    <span
      key={startMs}
      data-gap=""
      className="hatched @container pointer-events-none absolute inset-y-0 overflow-hidden opacity-80"
      style={{ left: share(startMs), right: `calc(100% - ${share(endMs)})` }}
    >
      {/* Shows the reason on hover if there is no room for text. */}
      <span className="mx-auto mt-1 hidden w-fit max-w-full rounded-sm text-center bg-surface px-1 text-xs text-muted @min-[6.5rem]:block">
        {reason}
      </span>
    </span>
  ));
}

function SelectionBand({ selection, share }: { selection: Selection; share: Share }) {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 border-x border-accent-ink bg-accent-ink/15"
      style={{
        left: share(Math.min(selection.anchorMs, selection.headMs)),
        right: `calc(100% - ${share(Math.max(selection.anchorMs, selection.headMs))})`,
      }}
    />
  );
}

const spanClasses = {
  warning: "border-warning bg-warning/15",
  bad: "border-bad bg-bad/15",
} as const;

/** The top edge distinguishes neighbours without relying on colour: a dashed edge is a warning. */
function Spans({ chart, share }: { chart: PreparedChart; share: Share }) {
  return (chart.spans ?? []).map(({ startMs, endMs, status, label }) => (
    <span
      key={`${startMs} ${label}`}
      data-span={status}
      className={cx(
        "pointer-events-none absolute inset-y-0 min-w-px border-t-2",
        status === "warning" && "border-dashed",
        spanClasses[status],
      )}
      style={{ left: share(startMs), right: `calc(100% - ${share(endMs)})` }}
    >
      <span className="sr-only">{`${formatTime(chart, startMs)} to ${formatTime(chart, endMs)}: ${label}`}</span>
    </span>
  ));
}

function Events({ chart, share }: { chart: PreparedChart; share: Share }) {
  const annotations = chart.events.filter(({ isAnnotation }) => isAnnotation);
  return (
    <>
      {annotations.map((event, index) => (
        <AnnotationMark
          key={`${event.timeMs} ${index}`}
          chart={chart}
          event={event}
          share={share}
          isLabelled={annotations.length <= ANNOTATION_LABELS_MAX}
          line={index % ANNOTATION_LINES}
        />
      ))}
      {chart.events.map((event, index) =>
        event.span === undefined ? (
          <EventMark key={`${event.timeMs} ${index}`} chart={chart} event={event} share={share} />
        ) : (
          <SpanMark
            key={`${event.timeMs} ${index}`}
            chart={chart}
            event={event}
            span={event.span}
            share={share}
          />
        ),
      )}
    </>
  );
}

/** Drawn beside the mark on the time axis, which carries the text for screen readers. */
function AnnotationMark(props: EventMarkProps & { isLabelled: boolean; line: number }) {
  const { chart, event, share, isLabelled, line } = props;
  const { fromMs, toMs } = chart.range;
  const startMs = Math.max(event.timeMs, fromMs);
  const endMs = Math.min(event.span?.endMs ?? startMs, toMs);
  return (
    <span
      aria-hidden="true"
      data-annotation=""
      className={cx(
        "pointer-events-none absolute inset-y-0 border-l border-dashed border-accent-ink",
        event.span && "border-r bg-accent-ink/10",
      )}
      style={{ left: share(startMs), right: `calc(100% - ${share(endMs)})` }}
    >
      {isLabelled && (
        <span
          className={cx(
            "absolute max-w-28 truncate rounded-sm bg-surface/80 px-1 text-xs text-accent-ink",
            // Placed towards the middle, where there is room.
            startMs > (fromMs + toMs) / 2 ? "right-0" : "left-0",
          )}
          style={{ top: line * LABEL_HEIGHT_PX }}
        >
          {event.label}
        </span>
      )}
    </span>
  );
}

interface EventMarkProps {
  chart: PreparedChart;
  event: ChartEvent;
  share: Share;
}

function EventMark({ chart, event: { timeMs, label, status }, share }: EventMarkProps) {
  return (
    <span
      className="pointer-events-none absolute -bottom-1 flex -translate-x-1/2 flex-col items-center"
      style={{ left: share(timeMs) }}
    >
      <span className="sr-only">{`${formatTime(chart, timeMs)}: ${label}`}</span>
      <StatusShape status={status} size={8} />
    </span>
  );
}

/**
 * A bracket below an event's duration. It is above the slider so that it can be followed; Tab skips it, because a day
 * of marks on every chart of a page would add hundreds of stops.
 */
function SpanMark({
  chart,
  event: { timeMs, label },
  span: { endMs, href },
  share,
}: EventMarkProps & { span: NonNullable<ChartEvent["span"]> }) {
  const { fromMs, toMs } = chart.range;
  const words = `${formatTime(chart, timeMs)} to ${formatTime(chart, endMs)}: ${label}`;
  return (
    <UiLink
      href={href}
      tabIndex={-1}
      title={words}
      data-event-span=""
      className="absolute -bottom-1 z-10 h-2 border-x-2 border-b-2 border-accent-ink hover:bg-accent-ink/30"
      style={{
        left: share(Math.max(timeMs, fromMs)),
        right: `min(calc(100% - ${share(Math.min(endMs, toMs))}), calc(100% - ${share(Math.max(timeMs, fromMs))} - 8px))`,
      }}
    >
      <span className="sr-only">{words}</span>
    </UiLink>
  );
}

function EndLabels({
  chart,
  insets,
  heightPx,
}: {
  chart: PreparedChart;
  insets: PlotInsets;
  heightPx: number;
}) {
  const names = new Map(chart.readings.map((reading) => [reading.id, reading]));
  const places = placeEndLabels(chart, heightPx - insets.top - insets.bottom, LABEL_HEIGHT_PX);
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute"
      style={{ top: insets.top, right: 0, width: insets.right - 4 }}
    >
      {places.map(({ id, topPx }) => {
        const reading = names.get(id);
        if (reading === undefined) return null;
        return (
          <span
            key={id}
            className="absolute inset-x-0 truncate text-xs leading-[14px]"
            style={{ top: topPx - LABEL_HEIGHT_PX / 2, color: `var(--${reading.tone})` }}
          >
            {reading.label}
          </span>
        );
      })}
    </div>
  );
}

function MomentPanel({
  chart,
  moment,
  isRight,
  at,
}: {
  chart: PreparedChart;
  moment: Moment;
  isRight: boolean;
  at: string;
}) {
  const { timeMs, readings, gapReason, events } = moment;
  return (
    <div
      data-moment=""
      className={cx(
        "pointer-events-none absolute top-1 z-20 w-max max-w-[min(280px,60%)] rounded-md border border-line-strong bg-raised px-2 py-1.5 text-sm shadow-overlay",
        isRight ? "translate-x-2" : "-translate-x-[calc(100%+8px)]",
      )}
      style={{ left: at }}
    >
      <p className="text-faint tabular-nums">{formatTime(chart, timeMs)}</p>
      {gapReason !== undefined && readings.length === 0 && <p className="text-muted">{gapReason}</p>}
      <ul>
        {readings.slice(0, 10).map(({ id, label, tone, weight, value, detail }) => (
          <li key={id} className="flex items-center gap-1.5 whitespace-nowrap">
            <Swatch tone={tone} weight={weight} />
            <span className="min-w-0 flex-1 truncate text-muted">{label}</span>
            <span className="text-ink tabular-nums">{value}</span>
            {detail !== "" && <span className="text-faint tabular-nums">{detail}</span>}
          </li>
        ))}
        {readings.length > 10 && <li className="text-faint">and {readings.length - 10} more</li>}
      </ul>
      {events.map((event) => (
        <p key={event} className="truncate text-muted">
          {event}
        </p>
      ))}
    </div>
  );
}
