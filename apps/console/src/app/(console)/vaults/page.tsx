import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Term } from "../help/term.tsx";
import { VaultsPage } from "./vaults-page.tsx";

export const metadata: Metadata = { title: "Vaults" };

export default async function VaultsRoute() {
  const { role } = await requirePrincipal();
  return (
    <VaultsPage
      description={
        <>
          Every <Term name="Vault">vault</Term>, node and drive, from the whole fleet down to one disk.
        </>
      }
      role={role}
    />
  );
}
