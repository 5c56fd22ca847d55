"use client";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { ModelTabs } from "../planner-tabs.tsx";

// Loads the models and pictures in parallel with the page, behind a placeholder.
const VolumesBody = lazyPart(async () => (await import("./volumes-body.tsx")).VolumesBody);

/** Models EBS volumes under a demand. */
export function VolumesPage() {
  return (
    <Page>
      <PageHeader
        title="Volume models"
        description="How an EBS volume handles a demand: how long its credits last, what is left after that, and what it costs."
        tabs={<ModelTabs />}
      />
      <VolumesBody fallback={<Skeleton height={640} />} />
    </Page>
  );
}
