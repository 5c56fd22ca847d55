"use client";
import {
  type FirstStepName,
  type Role,
  roleIncludes,
  type FirstSteps as Steps,
} from "@stashlight/contracts/user";
import { UiLink } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Circle, CircleCheck, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../../../client/trpc.tsx";

const refetchMs = 5_000;

interface StepWords {
  readonly label: string;
  readonly hint: string;
  readonly href: (role: Role) => string;
}

const words: Record<FirstStepName, StepWords> = {
  vault: {
    label: "Run a vault",
    hint: "npm start includes one; nodes on other machines enrol with a token.",
    href: () => "/admin/nodes",
  },
  upload: {
    label: "Upload something of your own",
    hint: "Create an access key, set up a client with it and upload a file. Uploads of the demo and of benchmarks do not count.",
    href: (role) => (roleIncludes(role, "admin") ? "/admin/access-keys" : "/vaults"),
  },
  endpoint: {
    label: "Add and test an endpoint",
    hint: "A bucket at B2, S3 or any other store that you want to compare.",
    href: () => "/admin/endpoints",
  },
  benchmark: {
    label: "Run a benchmark",
    hint: "A schedule measures several endpoints side by side, and shows which one is faster.",
    href: () => "/benchmarks",
  },
  channel: {
    label: "Test a channel for alerts",
    hint: "Until a test message has arrived, alerts are shown on this page only.",
    href: () => "/admin/channels",
  },
  colleague: {
    label: "Invite a colleague",
    hint: "As viewer, operator or admin.",
    href: () => "/admin/users",
  },
  plan: {
    label: "Save a plan from the fleet",
    hint: "How many SSDs the stash needs for the measured load.",
    href: () => "/planner?fill=fleet",
  },
};

/** Steps of the first hour. Each checks itself off when it is done, and the list disappears after the last. */
export function FirstSteps({ role }: { role: Role }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const steps = useQuery(
    trpc.account.firstSteps.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data) ? false : refetchMs),
    }),
  );
  const hide = useMutation(
    trpc.account.hideFirstSteps.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.account.firstSteps.queryFilter()),
    }),
  );
  if (steps.isPending) return <Skeleton height={0} />;
  if (steps.data === undefined || isOver(steps.data)) return null;
  const { ownUploadId } = steps.data;
  const done = steps.data.steps.filter(({ isDone }) => isDone);
  return (
    <Section
      title="First steps"
      description={`${done.length} of ${steps.data.steps.length} done`}
      actions={
        <Button
          size="sm"
          variant="quiet"
          icon={<X aria-hidden="true" />}
          pending={hide.isPending}
          onClick={() => hide.mutate({ isHidden: true })}
        >
          Hide
        </Button>
      }
    >
      <ol className="grid gap-x-6 rounded-md border border-line bg-surface px-4 py-2 md:grid-cols-2 xl:grid-cols-3">
        {steps.data.steps.map(({ name, isDone }) => (
          <Step
            key={name}
            {...words[name]}
            href={words[name].href(role)}
            isDone={isDone}
            result={name === "upload" && ownUploadId !== null && <OwnUpload uploadId={ownUploadId} />}
          />
        ))}
      </ol>
    </Section>
  );
}

const isOver = ({ isHidden, steps }: Steps): boolean => isHidden || steps.every(({ isDone }) => isDone);

interface StepProps extends Omit<StepWords, "href"> {
  readonly href: string;
  readonly isDone: boolean;
  readonly result: ReactNode;
}

function Step({ label, hint, href, isDone, result }: StepProps) {
  return (
    <li className="flex items-start gap-2.5 py-1.5">
      {isDone ? (
        <CircleCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-good" />
      ) : (
        <Circle size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-faint" />
      )}
      <div className="min-w-0">
        <UiLink href={href}>{label}</UiLink>
        <span className="sr-only">{isDone ? ", done" : ", to do"}</span>
        {!isDone && <p className="text-sm text-pretty text-muted">{hint}</p>}
        {isDone && result}
      </div>
    </li>
  );
}

/** Link to the waterfall of the users' newest upload. */
function OwnUpload({ uploadId }: { uploadId: string }) {
  return (
    <p className="mt-1 text-sm">
      <UiLink
        href={`/write-path?${new URLSearchParams({ from: "now-2d", to: "now", upload: uploadId })}`}
        className="inline-flex min-h-6 items-center"
      >
        See the waterfall of your upload
      </UiLink>
    </p>
  );
}
