import type { ReactNode } from "react";
import { KnownVaults } from "../../client/metrics/known-vaults.tsx";
import { MeasuredSinceProvider } from "../../client/metrics/measured-since.tsx";
import { doors } from "../../server/doors.ts";
import { currentContext, currentStartDashboardId, requirePrincipal } from "../../server/principal.ts";
import { ConsoleShell } from "./console-shell.tsx";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const principal = await requirePrincipal();
  const { productVersion, readMeasuredSinceMs, listVaults } = doors();
  const ctx = await currentContext();
  const [measuredSinceMs, vaults, startDashboardId] = await Promise.all([
    readMeasuredSinceMs({ ctx }),
    listVaults({ ctx }),
    currentStartDashboardId(),
  ]);
  return (
    <ConsoleShell
      principal={principal}
      serverTimeMs={Date.now()}
      version={productVersion}
      overviewHref={startDashboardId === null ? "/" : "/overview"}
    >
      <KnownVaults value={vaults}>
        <MeasuredSinceProvider value={measuredSinceMs}>{children}</MeasuredSinceProvider>
      </KnownVaults>
    </ConsoleShell>
  );
}
