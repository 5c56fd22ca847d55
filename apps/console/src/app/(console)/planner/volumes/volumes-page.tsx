"use client";
import { useIsClient } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { lazy, Suspense } from "react";
import { ModelTabs } from "../planner-tabs.tsx";

// The models and their pictures come beside the page, behind a box that holds their place.
const VolumesBody = lazy(async () => ({ default: (await import("./volumes-body.tsx")).VolumesBody }));

/** What EBS volumes make of a demand. */
export function VolumesPage() {
  const box = <Skeleton height={640} />;
  return (
    <Page>
      <PageHeader
        title="Volume models"
        description="How an EBS volume handles a demand: how long its credits last, what is left after that, and what it costs."
        tabs={<ModelTabs />}
      />
      {/* A field that somebody types into before the page is awake would lose it. */}
      {useIsClient() ? (
        <Suspense fallback={box}>
          <VolumesBody />
        </Suspense>
      ) : (
        box
      )}
    </Page>
  );
}
