import type { ReactNode } from "react";
import { KnownVaults } from "../../client/metrics/known-vaults.tsx";
import { MeasuredSinceProvider } from "../../client/metrics/measured-since.tsx";
import { doors } from "../../server/doors.ts";
import { currentContext, requirePrincipal } from "../../server/principal.ts";
import { ConsoleShell } from "./console-shell.tsx";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const principal = await requirePrincipal();
  const { productVersion, readMeasuredSinceMs, listVaults } = doors();
  const ctx = await currentContext();
  const [measuredSinceMs, vaults] = await Promise.all([readMeasuredSinceMs({ ctx }), listVaults({ ctx })]);
  return (
    <ConsoleShell principal={principal} version={productVersion}>
      <KnownVaults value={vaults}>
        <MeasuredSinceProvider value={measuredSinceMs}>{children}</MeasuredSinceProvider>
      </KnownVaults>
    </ConsoleShell>
  );
}
