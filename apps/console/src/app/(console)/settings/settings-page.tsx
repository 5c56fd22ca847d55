"use client";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { ApiTokensSection } from "./api-tokens-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { ProfileSection } from "./profile-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TwoFactorSection } from "./two-factor-section.tsx";

// Loads in parallel with the page, because it is the last section and requests its own data.
const WeeklyReportSection = lazyPart(
  async () => (await import("./weekly-report-section.tsx")).WeeklyReportSection,
);
WeeklyReportSection.preload();

export function SettingsPage() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.account.settings.queryOptions());
  return (
    <Page>
      <PageHeader title="Your settings" description="Your name, how you sign in, and your open sessions." />
      {settings.isPending && <Skeleton width="100%" height={480} />}
      {settings.data === undefined && settings.isError && (
        <QueryError what="Your settings" error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.data !== undefined && (
        <div className="flex max-w-[880px] flex-col gap-6">
          <ProfileSection settings={settings.data} />
          <PasswordSection settings={settings.data} />
          <TwoFactorSection settings={settings.data} />
          <SessionsSection settings={settings.data} />
          <WeeklyReportSection fallback={<Skeleton width="100%" height={160} />} />
          <ApiTokensSection />
        </div>
      )}
    </Page>
  );
}
