import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { SimulatorPage } from "./simulator-page.tsx";

export const metadata: Metadata = { title: "Simulator" };

export default async function SimulatorRoute() {
  const { role } = await requirePrincipal();
  return <SimulatorPage role={role} />;
}
