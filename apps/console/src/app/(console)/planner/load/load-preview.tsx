"use client";
import type { ImportedLoad, LoadPart } from "@stashlight/planner/load-log";
import { Time } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Checkbox } from "@stashlight/ui/form";
import { FigureTable } from "../figure-table.tsx";
import type { PlanState } from "../use-plan.ts";
import {
  contentWords,
  hoursFigure,
  type PreviewRow,
  previewRows,
  readWords,
  sizesFigure,
} from "./preview.ts";

interface LoadPreviewProps {
  readonly load: ImportedLoad;
  readonly plan: PlanState;
  readonly taken: ReadonlySet<LoadPart>;
  readonly onTaken: (taken: ReadonlySet<LoadPart>) => void;
}

/** Shows the lines read, what was skipped, and the resulting values beside the form's current ones. */
export function LoadPreview({ load, plan, taken, onTaken }: LoadPreviewProps) {
  const unread = load.files.filter(({ problem }) => problem !== null);
  const hasAny = load.small.count + load.large.count > 0;
  return (
    <div className="flex flex-col gap-4" aria-live="polite">
      {unread.length > 0 && (
        <Callout status="warning" title={unread.length === 1 ? "A file was not read" : "Files were not read"}>
          <ul>
            {unread.map(({ name, problem }) => (
              <li key={name}>
                {name}: {problem}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {load.lineCount > 0 && (
        <p>
          {readWords(load)} {contentWords(load)}
          {load.firstMs !== null && load.lastMs !== null && (
            <>
              {" "}
              From <Time value={load.firstMs} /> to <Time value={load.lastMs} />.
            </>
          )}
        </p>
      )}
      {load.malformedCount > 0 && <Malformed load={load} />}
      {hasAny && (
        <>
          <FigureTable
            label="What will be filled in"
            columns={["Take", "Found", "In the form", "From"]}
            endsInWords
            rows={previewRows(load).map((row) => ({
              name: row.label,
              cells: [row.found ?? "–", current(plan, row.part), row.from],
            }))}
          />
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {previewRows(load).map((row) => (
              <Choice key={row.part} row={row} taken={taken} onTaken={onTaken} />
            ))}
          </div>
          <LoadFigures load={load} />
        </>
      )}
      {load.notes.length > 0 && hasAny && (
        <ul className="list-disc pl-5 text-sm text-muted">
          {load.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function LoadFigures({ load }: { load: ImportedLoad }) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <FigurePanel
        title="How large are small uploads?"
        metric="uploads by size, mean of each class"
        figure={sizesFigure(load)}
        empty="No small uploads found."
        exportName="upload-sizes"
        heightPx={220}
      />
      <FigurePanel
        title="When do they arrive?"
        metric="share of a day with the mean rate of each hour"
        figure={hoursFigure(load)}
        empty="The lines have no times, or all fall within two minutes."
        exportName="uploads-by-hour"
        heightPx={220}
      />
    </div>
  );
}

/** Current values of the form. */
function current({ draft }: PlanState, part: LoadPart): string {
  if (part !== "objects") return draft.texts[part] ?? "";
  const [first] = draft.objects;
  return draft.objects.length === 1 ? `${first?.bytes} kB` : `${draft.objects.length} sizes`;
}

interface ChoiceProps extends Pick<LoadPreviewProps, "taken" | "onTaken"> {
  readonly row: PreviewRow;
}

function Choice({ row: { part, label, found }, taken, onTaken }: ChoiceProps) {
  return (
    <Checkbox
      label={`Fill in ${label.toLowerCase()}`}
      disabled={found === null}
      checked={taken.has(part)}
      onCheckedChange={(isTaken) =>
        onTaken(new Set(isTaken ? [...taken, part] : [...taken].filter((each) => each !== part)))
      }
    />
  );
}

function Malformed({ load }: { load: ImportedLoad }) {
  return (
    <details className="rounded-md border border-line px-3 py-2">
      <summary className="text-warning">Lines that cannot be read, such as</summary>
      <ul className="mt-2 text-sm text-muted">
        {load.malformedExamples.map(({ file, line, message }) => (
          <li key={`${file} ${line}`}>
            {file}, line {line}: {message}
          </li>
        ))}
      </ul>
    </details>
  );
}
