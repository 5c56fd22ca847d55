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
  /** Heading until the report's own is loaded. */
  title: string;
  /** Must keep its identity between renders. */
  read: (token: string) => Promise<Report>;
  /** Replaces the report while it loads. */
  children: (report: Report, waiting: ReactNode) => ReactNode;
}

/** A report for anyone who has its link, or the reason that there is none. */
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

/** The token is in the fragment of the address, which browsers do not send; it travels in a request body instead. */
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
