import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Term } from "../help/term.tsx";
import { SystemPage } from "./system-page.tsx";

export const metadata: Metadata = { title: "Telemetry" };

export default async function SystemRoute() {
  await requirePrincipal();
  return (
    <SystemPage
      description={
        <>
          How measurements arrive from <Term name="Agent">agents</Term> at the{" "}
          <Term name="Ingest">ingest</Term>: which nodes lag, which <Term name="Window">windows</Term> are
          missing (<Term name="Gap">gaps</Term>) or refused, and what measuring costs.
        </>
      }
    />
  );
}
