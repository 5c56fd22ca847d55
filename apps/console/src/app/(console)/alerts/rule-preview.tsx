"use client";
import { formatLabels } from "@stashlight/contracts/alert";
import { lazyPart } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { type RuleForm, toRule } from "./rule-form.ts";

// Loads charting with the first preview.
const EvaluatedPanel = lazyPart(async () => (await import("./evaluated-panel.tsx")).EvaluatedPanel);

const shownCount = 5;
const CHART_HEIGHT_PX = 180;

/** Replays the rule over stored data with the live evaluation code. */
export function RulePreview({ form }: { form: RuleForm }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const preview = useMutation({
    mutationFn: (rule: ReturnType<typeof toRule>) =>
      queryClient.fetchQuery(trpc.alert.preview.queryOptions(rule)),
  });
  const told = preview.data;
  const rule = preview.variables;
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Button icon={<History />} pending={preview.isPending} onClick={() => preview.mutate(toRule(form))}>
          Preview on the last 14 days
        </Button>
      </div>
      <div aria-live="polite" className="contents">
        {preview.isError && (
          <Callout status="bad" title="The preview failed">
            {describeError(preview.error)}
          </Callout>
        )}
        {told !== undefined && rule !== undefined && told.groups.length > 0 && (
          <EvaluatedPanel
            title="When would it have fired?"
            rule={rule}
            replay={told}
            range={{ fromMs: told.fromMs, toMs: told.toMs }}
            isLive={false}
            nowMs={preview.submittedAt}
            heightPx={CHART_HEIGHT_PX}
            fallback={<Skeleton height={CHART_HEIGHT_PX} />}
          />
        )}
        {told !== undefined && (
          <Callout status={told.firedCount === 0 ? "good" : "info"} title={told.sentence}>
            <p>
              Evaluated on {told.sampleCount.toLocaleString("en")}{" "}
              {told.sampleCount === 1 ? "point" : "points"} of {told.stepMs / 60_000} min in {told.groupCount}{" "}
              {told.groupCount === 1 ? "group" : "groups"}; a live rule is evaluated every 15 s.
            </p>
            <ul>
              {told.episodes.slice(0, shownCount).map(({ labels, startMs, endMs }) => (
                <li key={`${startMs} ${JSON.stringify(labels)}`}>
                  <Time value={startMs} /> to {endMs === null ? "now" : <Time value={endMs} />}{" "}
                  {formatLabels(labels)}
                </li>
              ))}
            </ul>
          </Callout>
        )}
      </div>
    </div>
  );
}
