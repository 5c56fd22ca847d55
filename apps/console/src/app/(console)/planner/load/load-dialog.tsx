"use client";
import { type ImportedLoad, type LoadPart, SMALL_BYTES_DEFAULT } from "@stashlight/planner/load-log";
import { Dialog } from "@stashlight/ui/dialog";
import { Callout, ProgressBar } from "@stashlight/ui/feedback";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { type FormEvent, useId, useState } from "react";
import type { PlanState } from "../use-plan.ts";
import { LoadPreview } from "./load-preview.tsx";
import { draftTexts, previewRows, progressWords, toDraftMix } from "./preview.ts";
import { type LoadReading, useLoadReading } from "./use-load-reading.ts";

interface LoadDialogProps {
  readonly plan: PlanState;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

const KB = 1000;
/** Limits from the vault's file. */
const SMALL_KB_MAX = 8_388.608;

/** Reads logs or listings in this browser, summarises them, and fills in what the user selects. */
export function LoadDialog({ plan, open, onOpenChange }: LoadDialogProps) {
  const { reading, start, cancel } = useLoadReading();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [smallKb, setSmallKb] = useState(String(SMALL_BYTES_DEFAULT / KB));
  const [problem, setProblem] = useState<string | null>(null);
  const [choice, setChoice] = useState<ReadonlySet<LoadPart> | null>(null);
  const formId = useId();
  const load = reading.state === "done" ? reading.load : null;
  const taken = choice ?? surelyTaken(load);
  const change = (next: boolean): void => {
    if (!next) cancel();
    onOpenChange(next);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const kb = Number(smallKb);
    if (files.length === 0) setProblem("Choose a file.");
    else if (!(kb >= 0.001 && kb <= SMALL_KB_MAX))
      setProblem(`The limit for small uploads must be between 0.001 and ${SMALL_KB_MAX} kB.`);
    else {
      setProblem(null);
      setChoice(null);
      start({ files, smallBytesMax: Math.round(kb * KB) });
    }
  };
  const fill = (): void => {
    if (load === null) return;
    plan.setLoad(draftTexts(load, taken), taken.has("objects") ? toDraftMix(load) : null);
    change(false);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      size="lg"
      title="Fill the load from a log"
      description="Your browser reads the files. They are not sent to Stashlight or anywhere else."
      footer={
        <>
          <Button onClick={() => change(false)}>Close</Button>
          <Button
            type="submit"
            form={formId}
            variant={load === null ? "primary" : "secondary"}
            pending={reading.state === "reading"}
          >
            {load === null ? "Read" : "Read again"}
          </Button>
          {load !== null && (
            <Button variant="primary" disabled={taken.size === 0} onClick={fill}>
              {taken.size === 1 ? "Fill in 1 figure" : `Fill in ${taken.size} figures`}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <form id={formId} className="grid gap-4 md:grid-cols-[minmax(0,1fr)_180px]" onSubmit={submit}>
          <LoadFields onFiles={setFiles} smallKb={smallKb} onSmallKb={setSmallKb} />
        </form>
        {problem !== null && <FormError>{problem}</FormError>}
        <ReadingState reading={reading} onCancel={cancel} />
        {load !== null && <LoadPreview load={load} plan={plan} taken={taken} onTaken={setChoice} />}
      </div>
    </Dialog>
  );
}

interface LoadFieldsProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly smallKb: string;
  readonly onSmallKb: (text: string) => void;
}

function LoadFields({ onFiles, smallKb, onSmallKb }: LoadFieldsProps) {
  return (
    <>
      <Field
        label="Files"
        hint="S3 server access logs (AWS, B2 and others), CloudFront or other W3C logs, JSON lines, aws s3 ls, list-objects JSON or S3 Inventory as CSV. Files may be compressed with gzip."
      >
        <TextInput type="file" multiple onChange={(event) => onFiles([...(event.target.files ?? [])])} />
      </Field>
      <Field label="Largest small upload, kB" hint="Larger uploads go direct.">
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          value={smallKb}
          onChange={(event) => onSmallKb(event.target.value)}
        />
      </Field>
    </>
  );
}

const surelyTaken = (load: ImportedLoad | null): ReadonlySet<LoadPart> =>
  new Set(
    load === null
      ? []
      : previewRows(load).flatMap(({ part, found, isSure }) => (found !== null && isSure ? [part] : [])),
  );

function ReadingState({ reading, onCancel }: { reading: LoadReading; onCancel: () => void }) {
  if (reading.state === "failed") {
    return (
      <Callout status="bad" title="The files could not be read">
        {reading.sentence}
      </Callout>
    );
  }
  if (reading.state !== "reading") return null;
  const { progress, startedMs } = reading;
  return (
    <div className="flex items-end gap-3">
      <ProgressBar
        className="min-w-0 flex-1"
        label="Reading"
        value={progress === null ? null : progress.bytesRead / Math.max(1, progress.bytesTotal)}
        {...(progress === null ? {} : { detail: progressWords(progress, performance.now() - startedMs) })}
      />
      <Button size="sm" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
