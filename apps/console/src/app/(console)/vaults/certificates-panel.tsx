"use client";
import { certificateMarks } from "@stashlight/contracts/thresholds";
import { CodeBlock } from "@stashlight/ui/data";
import { Callout, ProgressBar } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { QueryError } from "../query-state.tsx";
import { type Certificates, renewCommand } from "./certificates.ts";

interface CertificatesPanelProps {
  readonly vault: string;
  /** Null if no node has a certificate. */
  readonly certificates: Certificates | null;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Shows when the nodes' certificates expire, and the command that renews all of them. */
export function CertificatesPanel({ vault, certificates, error, onRetry }: CertificatesPanelProps) {
  if (certificates === null) {
    if (error === null) return null;
    return (
      <Section title="Certificates">
        <QueryError what="Certificates" error={error} onRetry={onRetry} />
      </Section>
    );
  }
  const { summary, status, renewal } = certificates;
  return (
    <Section title="Certificates">
      <Callout status={status} title={`${summary}.`}>
        Run the command on the machine with the vault's folder. New certificates last{" "}
        {certificateMarks.lifetimeDays} days; nothing is restarted, and the command may be repeated until all
        nodes have one.
      </Callout>
      <div className="grid items-center gap-x-6 gap-y-3 lg:grid-cols-2">
        <CodeBlock label="renew all" code={renewCommand(vault)} />
        <ProgressBar
          label={renewal.isUnderWay ? "Renewal in progress" : "All nodes have the newest certificate"}
          value={renewal.doneShare}
          detail={renewal.detail}
        />
      </div>
    </Section>
  );
}
