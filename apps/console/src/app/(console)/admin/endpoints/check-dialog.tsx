"use client";
import type { EndpointCheck, EndpointFinding } from "@stashlight/contracts/benchmark/endpoint";
import { Time } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Callout, ProgressBar, StatusDot } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import type { ReactNode } from "react";
import { describeError } from "../../../../client/errors.ts";
import { capabilityLabel, findingState, isUsable } from "./endpoint-labels.ts";
import type { TestedEndpoint, useCheck } from "./use-check.ts";

interface CheckDialogProps extends ReturnType<typeof useCheck> {
  readonly subject: TestedEndpoint;
  /** Next steps after a successful test: another endpoint, a comparison. */
  readonly next: (tested: TestedEndpoint) => ReactNode;
}

export function CheckDialog({ subject, dialog, check, start, next }: CheckDialogProps) {
  return (
    <Dialog
      open={dialog.open}
      onOpenChange={dialog.setOpen}
      size="lg"
      title={`Connection test of ${subject.name}`}
      description="Writes a few small objects under its own prefix, and deletes them again."
      footer={
        <>
          <Button pending={check.isPending} onClick={() => start(subject)}>
            Test again
          </Button>
          {check.data !== undefined && isUsable(check.data) && next(subject)}
          <Button variant="primary" onClick={() => dialog.setOpen(false)}>
            Done
          </Button>
        </>
      }
    >
      <div aria-live="polite" className="flex min-h-32 flex-col gap-4">
        {check.isPending && <ProgressBar label="Testing the connection" value={null} />}
        {check.isError && (
          <Callout status="bad" title="The test did not run">
            {describeError(check.error)}
          </Callout>
        )}
        {check.data !== undefined && <CheckResult check={check.data} />}
      </div>
    </Dialog>
  );
}

function CheckResult({ check }: { check: EndpointCheck }) {
  return (
    <>
      <Callout status={isUsable(check) ? "good" : "bad"} title={check.sentence}>
        Tested <Time value={check.checkedAt} />.
      </Callout>
      {check.findings.length > 0 && <Findings findings={check.findings} />}
    </>
  );
}

function Findings({ findings }: { findings: readonly EndpointFinding[] }) {
  return (
    <table className="w-full text-base">
      <caption className="pb-1 text-left font-medium text-ink">Capabilities</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Capability</th>
          <th scope="col">Supported</th>
          <th scope="col">Observed</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-y border-line">
        {findings.map((finding) => {
          const { label, status } = findingState(finding);
          return (
            <tr key={finding.capability} className="align-baseline">
              <th scope="row" className="py-1.5 pr-4 text-left font-normal text-ink">
                {capabilityLabel(finding.capability)}
              </th>
              <td className="py-1.5 pr-4">
                <StatusDot status={status} label={label} />
              </td>
              <td className="py-1.5 text-muted">{finding.evidence}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
