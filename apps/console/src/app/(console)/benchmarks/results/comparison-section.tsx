"use client";
import type {
  BenchmarkPlanRow,
  BenchmarkSubjectChoice,
  MinimumEffectChoice,
  Role,
} from "@stashlight/contracts";
import { roleIncludes } from "@stashlight/contracts/roles";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button, Checkbox } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Share2 } from "lucide-react";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { toProblem } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryError } from "../../query-state.tsx";
import { ShareDialog } from "../../report-links/share-dialog.tsx";
import { Comparison } from "./comparison.tsx";
import { Omission } from "./omission.tsx";

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

interface ComparisonSectionProps {
  plan: BenchmarkPlanRow;
  subject: BenchmarkSubjectChoice;
  period: { fromMs: number; toMs: number };
  role: Role;
}

export function ComparisonSection(props: ComparisonSectionProps) {
  if (props.plan.endpoints.length >= 2) return <Chosen {...props} />;
  return (
    <Section title="Which is faster?">
      <Callout status="info" title="This plan measures one endpoint">
        A comparison needs two in the same plan, because only runs of the same slot are compared. Change the
        plan to measure another one beside it.
      </Callout>
    </Section>
  );
}

function Chosen({ plan, subject, period, role }: ComparisonSectionProps) {
  const trpc = useTRPC();
  const [{ a, b, minimum, published }, setChoice] = useQueryStates(parsers, { history: "replace" });
  const client = useQueryClient();
  const share = useDialog<true>();
  const create = useMutation(
    trpc.benchmarkReport.create.mutationOptions({
      onSuccess: () => client.invalidateQueries(trpc.benchmarkReport.list.queryFilter()),
    }),
  );
  const { operation, sizeBytes, connectionCount } = subject;
  const ids = plan.endpoints.map(({ id }) => id);
  const endpointAId = ids.find((id) => id === a) ?? (ids[0] as string);
  const endpointBId =
    ids.find((id) => id === b && id !== endpointAId) ?? (ids.find((id) => id !== endpointAId) as string);
  const asked = { planId: plan.id, operation, sizeBytes, connectionCount, ...period };
  const question = { ...asked, endpointAId, endpointBId, minimumEffect: minimums[minimum] };
  const comparison = useQuery(
    trpc.benchmarkResult.compare.queryOptions(question, { placeholderData: keepPreviousData }),
  );
  const omission = useQuery(
    trpc.benchmarkResult.omission.queryOptions(asked, { placeholderData: keepPreviousData }),
  );
  const options = plan.endpoints.map(({ id, name }) => ({ value: id, label: name }));
  const isRefused = comparison.isError && toProblem(comparison.error).reason === "precondition_failed";
  return (
    <Section
      title="Which is faster?"
      actions={
        roleIncludes(role, "operator") && (
          <Button
            variant="secondary"
            icon={<Share2 aria-hidden="true" />}
            disabled={comparison.data === undefined || comparison.isError}
            onClick={() => share.show(true)}
          >
            Share report
          </Button>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-3">
        <span className="w-56 max-md:w-full">
          <Select
            aria-label="Endpoint A"
            options={options}
            value={endpointAId}
            onValueChange={(value) => void setChoice({ a: value })}
          />
        </span>
        <span className="text-muted">against</span>
        <span className="w-56 max-md:w-full">
          <Select
            aria-label="Endpoint B"
            options={options.map((option) => ({ ...option, disabled: option.value === endpointAId }))}
            value={endpointBId}
            onValueChange={(value) => void setChoice({ b: value })}
          />
        </span>
        <span className="w-40 max-md:w-full">
          <Select
            aria-label="Smallest difference that matters"
            options={minimumOptions}
            value={minimum}
            onValueChange={(value) => void setChoice({ minimum: value })}
          />
        </span>
        <Checkbox
          label="Published figures"
          checked={published}
          onCheckedChange={(checked) => void setChoice({ published: checked === true })}
        />
      </div>
      {isRefused && (
        <Callout status="info" title="Nothing to compare in this time">
          {toProblem(comparison.error).message}
        </Callout>
      )}
      {comparison.isError && !isRefused && (
        <QueryError
          what="The comparison"
          error={comparison.error}
          onRetry={() => void comparison.refetch()}
        />
      )}
      {comparison.isPending && <Skeleton height={360} />}
      {comparison.data !== undefined && !comparison.isError && (
        <Comparison comparison={comparison.data} hasPublished={published} />
      )}
      {omission.data !== undefined && omission.data.length > 0 && (
        <div className="flex flex-col gap-2">
          <h3 className="text-base font-medium text-ink">Does waiting hide stalls?</h3>
          <p className="text-sm text-faint">
            A client that waits for each answer asks less while a server stalls. Corrected: what one had seen
            that had gone on asking. Of the newest 50 runs without a failure.
          </p>
          <Omission views={omission.data} />
        </div>
      )}
      {share.subject !== null && (
        <ShareDialog
          key={share.key}
          subjectName={plan.name}
          description="Whoever has the link reads the comparison as it is at this moment, and nothing else, without signing in."
          share={(fields) => create.mutateAsync({ ...question, ...fields })}
          open={share.open}
          onOpenChange={share.setOpen}
        />
      )}
    </Section>
  );
}
