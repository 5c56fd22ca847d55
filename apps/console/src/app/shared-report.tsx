"use client";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { AuthCard, Page, PageHeader } from "@stashlight/ui/layout";
import { Printer } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { describeError } from "../client/errors.ts";
import { incompleteLink } from "../client/use-link.ts";

type Shared<Report> =
  | { state: "reading" }
  | { state: "gone"; message: string }
  | { state: "open"; report: Report };

const TOKEN_LENGTH_MIN = 20;

interface SharedReportProps<Report> {
  /** Heading until the report's own heading has loaded. */
  title: string;
  /** Pass the same function on every render. */
  read: (token: string) => Promise<Report>;
  /** Replaces the report while it loads. */
  children: (report: Report, waiting: ReactNode) => ReactNode;
}

/** Shows a report to anyone who has its link, or the reason that it cannot be shown. */
export function SharedReport<Report>({ title, read, children }: SharedReportProps<Report>) {
  const shared = useShared(read);
  if (shared.state === "gone") {
    return (
      <AuthCard title="This link does not work">
        <Callout status="warning" title={shared.message} />
      </AuthCard>
    );
  }
  const waiting = (
    <Page>
      <PageHeader title={title} />
      <Skeleton height={480} />
    </Page>
  );
  return (
    <main className="mx-auto max-w-6xl">
      {shared.state === "reading" ? waiting : children(shared.report, waiting)}
    </main>
  );
}

/** The token travels in the request body, because browsers do not send the fragment of the address that contains it. */
function useShared<Report>(read: (token: string) => Promise<Report>): Shared<Report> {
  const [shared, setShared] = useState<Shared<Report>>({ state: "reading" });
  useEffect(() => {
    const token = location.hash.slice(1);
    if (token.length < TOKEN_LENGTH_MIN) {
      setShared({ state: "gone", message: incompleteLink });
      return;
    }
    read(token)
      .then((report) => setShared({ state: "open", report }))
      .catch((error: unknown) => setShared({ state: "gone", message: describeError(error) }));
  }, [read]);
  return shared;
}

export function PrintButton() {
  return (
    <span className="print:hidden">
      <Button variant="secondary" icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
        Print
      </Button>
    </span>
  );
}
