import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { VaultsPage } from "./vaults-page.tsx";

export const metadata: Metadata = { title: "Vaults" };

export default async function VaultsRoute() {
  const { role } = await requirePrincipal();
  return <VaultsPage role={role} />;
}
