"use client";
import { Button, FormError, TextInput } from "@stashlight/ui/form";
import { Plus, X } from "lucide-react";
import { newObjectKey, type ObjectDraft } from "./draft.ts";
import { formatSource } from "./live.ts";
import { FleetButton, type FleetChoice, FleetText } from "./plan-field.tsx";
import type { PlanState } from "./use-plan.ts";

/** Object sizes and their weights. */
export function MixTable({ plan, live }: { plan: PlanState } & Pick<FleetChoice, "live">) {
  const { draft, problems, setMix } = plan;
  const own = problems.filter(({ field }) => field === "objects" || field.startsWith("objects."));
  return (
    <div className="flex flex-col gap-1.5">
      <table aria-label="Sizes of objects" className="w-full">
        <thead>
          <tr className="text-left text-base font-medium text-ink">
            <th scope="col" className="pb-1 font-medium">
              Object size <span className="font-normal text-faint">kB</span>
            </th>
            <th scope="col" className="pb-1 pl-2 font-medium">
              Share
            </th>
            <th scope="col">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {draft.objects.map((object, row) => (
            <MixRow
              key={object.key}
              object={object}
              row={row}
              isWrong={(leaf) => own.some(({ field }) => field === `objects.${row}.${leaf}`)}
              onChange={(part) =>
                setMix(draft.objects.map((each) => (each.key === object.key ? { ...each, ...part } : each)))
              }
              onRemove={
                draft.objects.length === 1
                  ? null
                  : () => setMix(draft.objects.filter(({ key }) => key !== object.key))
              }
            />
          ))}
        </tbody>
      </table>
      <FormError>{own[0]?.message}</FormError>
      <div className="print:hidden">
        <Button
          size="sm"
          icon={<Plus aria-hidden="true" />}
          onClick={() => setMix([...draft.objects, { key: newObjectKey(draft), bytes: "64", share: "1" }])}
        >
          Add a size
        </Button>
      </div>
      <p className="text-sm text-faint">
        Uploads above the largest small upload bypass the stash. Shares need not add up.
      </p>
      <MixSource plan={plan} live={live} />
    </div>
  );
}

interface MixRowProps {
  readonly object: ObjectDraft;
  readonly row: number;
  readonly isWrong: (leaf: "bytes" | "share") => boolean;
  readonly onChange: (part: { bytes?: string; share?: string }) => void;
  /** Null for the only row. */
  readonly onRemove: (() => void) | null;
}

function MixRow({ object: { bytes, share }, row, isWrong, onChange, onRemove }: MixRowProps) {
  return (
    <tr>
      <td className="pb-1">
        <TextInput
          inputMode="decimal"
          aria-label={`Size ${row + 1}, kB`}
          aria-invalid={isWrong("bytes") || undefined}
          value={bytes}
          onChange={(event) => onChange({ bytes: event.target.value })}
        />
      </td>
      <td className="pb-1 pl-2">
        <TextInput
          inputMode="decimal"
          aria-label={`Share of size ${row + 1}`}
          aria-invalid={isWrong("share") || undefined}
          value={share}
          onChange={(event) => onChange({ share: event.target.value })}
        />
      </td>
      <td className="w-10 pb-1 pl-1 print:hidden">
        <Button
          variant="quiet"
          aria-label={`Remove size ${row + 1}`}
          icon={<X aria-hidden="true" />}
          disabled={onRemove === null}
          onClick={() => onRemove?.()}
        />
      </td>
    </tr>
  );
}

function MixSource({ plan, live }: { plan: PlanState } & Pick<FleetChoice, "live">) {
  if (live === undefined) return null;
  const { figure, missing } = live.objects;
  if (figure === null) {
    return (
      <p className="text-sm">
        <FleetText isTaken={false}>Fleet: {missing}</FleetText>
      </p>
    );
  }
  const isTaken = plan.fromFleet.has("objects");
  return (
    <p className="text-sm">
      <FleetText isTaken={isTaken}>
        <span title={figure.source}>
          Fleet: {figure.classes.map(({ sizeClass }) => sizeClass).join(", ")} ·{" "}
          {formatSource(figure, { factor: 1, unit: "" })}
        </span>
        <FleetButton
          isTaken={isTaken}
          name="sizes of objects"
          onTake={() => plan.takeOne("objects", live)}
          onOverride={() => plan.override("objects")}
        />
      </FleetText>
    </p>
  );
}
