"use client";
/** Chooses two endpoints and the smallest relevant difference; the page's address keeps the choice. */
import type { BenchmarkPlanRow, MinimumEffectChoice } from "@stashlight/contracts/benchmark";
import { Checkbox } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";

const minimumOptions = [
  { value: "5%", label: "From 5 %" },
  { value: "10%", label: "From 10 %" },
  { value: "20%", label: "From 20 %" },
  { value: "5ms", label: "From 5 ms" },
  { value: "20ms", label: "From 20 ms" },
  { value: "0%", label: "Any difference" },
] as const;
const minimums: Record<(typeof minimumOptions)[number]["value"], MinimumEffectChoice> = {
  "0%": { kind: "share", share: 0 },
  "5%": { kind: "share", share: 0.05 },
  "10%": { kind: "share", share: 0.1 },
  "20%": { kind: "share", share: 0.2 },
  "5ms": { kind: "duration", duration: 5 },
  "20ms": { kind: "duration", duration: 20 },
};

const parsers = {
  a: parseAsString,
  b: parseAsString,
  minimum: parseAsStringLiteral(minimumOptions.map(({ value }) => value)).withDefault("5%"),
  published: parseAsBoolean.withDefault(false),
};

/** Smallest difference that matters, from the page's address. */
export const useMinimumEffect = (): MinimumEffectChoice => minimums[useQueryStates(parsers)[0].minimum];

export function useComparisonChoice({ endpoints }: BenchmarkPlanRow) {
  const [{ a, b, minimum, published }, set] = useQueryStates(parsers, { history: "replace" });
  const ids = endpoints.map(({ id }) => id);
  const endpointAId = ids.find((id) => id === a) ?? (ids[0] as string);
  const endpointBId =
    ids.find((id) => id === b && id !== endpointAId) ?? (ids.find((id) => id !== endpointAId) as string);
  return {
    endpointAId,
    endpointBId,
    minimum,
    minimumEffect: minimums[minimum],
    hasPublished: published,
    set,
  };
}

interface ComparisonChooserProps {
  plan: BenchmarkPlanRow;
  choice: ReturnType<typeof useComparisonChoice>;
}

export function ComparisonChooser({ plan, choice }: ComparisonChooserProps) {
  const { endpointAId, endpointBId, minimum, hasPublished, set } = choice;
  const options = plan.endpoints.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="w-56 max-md:w-full">
        <Select
          aria-label="Endpoint A"
          options={options}
          value={endpointAId}
          onValueChange={(value) => void set({ a: value })}
        />
      </span>
      <span className="text-muted">against</span>
      <span className="w-56 max-md:w-full">
        <Select
          aria-label="Endpoint B"
          options={options.map((option) => ({ ...option, disabled: option.value === endpointAId }))}
          value={endpointBId}
          onValueChange={(value) => void set({ b: value })}
        />
      </span>
      <span className="w-40 max-md:w-full">
        <Select
          aria-label="Smallest difference that matters"
          options={minimumOptions}
          value={minimum}
          onValueChange={(value) => void set({ minimum: value })}
        />
      </span>
      <Checkbox
        label="Published figures"
        checked={hasPublished}
        onCheckedChange={(checked) => void set({ published: checked === true })}
      />
    </div>
  );
}
