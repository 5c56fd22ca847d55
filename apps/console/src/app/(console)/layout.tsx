import { productVersion } from "@stashlight/api";
import type { ReactNode } from "react";
import { requirePrincipal } from "../../server/principal.ts";
import { ConsoleShell } from "./console-shell.tsx";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const principal = await requirePrincipal();
  return (
    <ConsoleShell principal={principal} version={productVersion}>
      {children}
    </ConsoleShell>
  );
}
