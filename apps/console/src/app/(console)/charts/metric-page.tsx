"use client";
import { lazyPart } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useShortcuts } from "@stashlight/ui/shortcuts";
import { TimeRangePicker } from "@stashlight/ui/time-range";
import { History, Pause, Play } from "lucide-react";
import type { ReactNode } from "react";
import { useKnownVaults } from "../../../client/metrics/known-vaults.tsx";
import { PageTimeProvider, usePageTime } from "../../../client/metrics/page-time.tsx";
import { readTimeRange } from "../../../client/read-time-range.ts";
import { PinProvider } from "./pin.tsx";
import { ScopePlace } from "./scope-face.tsx";

const ScopeMenu = lazyPart(async () => (await import("./scope-menu.tsx")).ScopeMenu);

interface MetricPageProps {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** False on a page about one vault or its nodes. */
  readonly hasScope?: boolean;
  readonly children: ReactNode;
}

/** Frame of every page with charts: a shared time range, live or paused, and the comparison control. */
export function MetricPage(props: MetricPageProps) {
  return (
    <PageTimeProvider>
      <PinProvider>
        <Frame {...props} />
      </PinProvider>
    </PageTimeProvider>
  );
}

function Frame({ title, description, hasScope = true, children }: MetricPageProps) {
  const { expressions, setExpressions } = usePageTime();
  const hasChoice = useKnownVaults().length > 1;
  return (
    <Page>
      <PageHeader
        title={title}
        description={description}
        action={<TimeControls />}
        timeRange={
          <>
            {hasScope && hasChoice && <ScopeMenu fallback={<ScopePlace />} />}
            <TimeRangePicker value={expressions} onChange={setExpressions} resolve={readTimeRange} />
          </>
        }
      />
      {children}
    </Page>
  );
}

function TimeControls() {
  const { isLive, isPaused, setPaused, comparison, setCompared } = usePageTime();
  useShortcuts([
    { keys: "p", label: "Pause or resume live charts", group: "Charts", run: () => setPaused(!isPaused) },
    {
      keys: "c",
      label: "Compare with the period before",
      group: "Charts",
      run: () => setCompared(comparison === null),
    },
  ]);
  return (
    <>
      <Button
        variant={comparison === null ? "quiet" : "secondary"}
        aria-pressed={comparison !== null}
        icon={<History aria-hidden="true" />}
        onClick={() => setCompared(comparison === null)}
      >
        {comparison === null ? "Compare" : `With ${comparison.words}`}
      </Button>
      {isLive && (
        <Button
          variant="secondary"
          icon={isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? "Resume" : "Pause"}
        </Button>
      )}
    </>
  );
}
