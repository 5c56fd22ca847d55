import type { ReactNode } from "react";
import { doors } from "../../server/doors.ts";
import { requirePrincipal } from "../../server/principal.ts";
import { ConsoleShell } from "./console-shell.tsx";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const principal = await requirePrincipal();
  return (
    <ConsoleShell principal={principal} version={doors().productVersion}>
      {children}
    </ConsoleShell>
  );
}
