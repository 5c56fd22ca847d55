"use client";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { ModelTabs } from "../planner-tabs.tsx";

// The models and their pictures come beside the page, behind a box that holds their place.
const VolumesBody = lazyPart(async () => (await import("./volumes-body.tsx")).VolumesBody);

/** What EBS volumes make of a demand. */
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
