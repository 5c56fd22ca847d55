import type { ReactNode } from "react";
import { MeasuredSinceProvider } from "../../client/metrics/measured-since.tsx";
import { doors } from "../../server/doors.ts";
import { currentContext, requirePrincipal } from "../../server/principal.ts";
import { ConsoleShell } from "./console-shell.tsx";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const principal = await requirePrincipal();
  const { productVersion, readMeasuredSinceMs } = doors();
  const measuredSinceMs = await readMeasuredSinceMs({ ctx: await currentContext() });
  return (
    <ConsoleShell principal={principal} version={productVersion}>
      <MeasuredSinceProvider value={measuredSinceMs}>{children}</MeasuredSinceProvider>
    </ConsoleShell>
  );
}
