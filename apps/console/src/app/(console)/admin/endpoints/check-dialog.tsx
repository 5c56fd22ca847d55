"use client";
import type { EndpointCheck, EndpointFinding, EndpointRow } from "@stashlight/contracts/endpoint";
import { Time } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Callout, ProgressBar, StatusDot } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { describeError } from "../../../../client/errors.ts";
import { capabilityLabel, endpointState, findingState, isUsable } from "./endpoint-labels.ts";
import type { TestedEndpoint, useCheck } from "./use-check.ts";
import { useMeasureTwice } from "./use-measure-twice.ts";

type CheckDialogProps = ReturnType<typeof useCheck> &
  Omit<NextStepsProps, "tested"> & { readonly subject: TestedEndpoint };

/** The most recently started test, with next steps after a successful one. */
export function CheckDialog({ subject, dialog, check, start, ...next }: CheckDialogProps) {
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
          {check.data !== undefined && isUsable(check.data) && <NextSteps tested={subject} {...next} />}
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

interface NextStepsProps {
  readonly tested: TestedEndpoint;
  readonly endpoints: readonly EndpointRow[];
  readonly isAdmin: boolean;
  readonly onAdd: (like: EndpointRow) => void;
}

/** Guides from one usable endpoint to a second, and from two to a schedule that compares them. */
function NextSteps({ tested, endpoints, isAdmin, onAdd }: NextStepsProps) {
  const measureTwice = useMeasureTwice();
  const own = endpoints.find(({ id }) => id === tested.id);
  const others = endpoints.filter((each) => each.id !== tested.id && endpointState(each).status === "good");
  const newest = others.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];
  return (
    <>
      {own !== undefined && isAdmin && <Button onClick={() => onAdd(own)}>Add another</Button>}
      {own !== undefined && isAdmin && !own.isBuiltIn && newest === undefined && (
        <Button onClick={() => measureTwice(own)}>Measure against itself</Button>
      )}
      {newest !== undefined && (
        <LinkButton href={`/benchmarks?compare=${newest.id},${tested.id}`} variant="secondary">
          Compare with {newest.name}
        </LinkButton>
      )}
    </>
  );
}
