import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { SimulationPage } from "./simulation-page.tsx";

export const metadata: Metadata = { title: "Simulation" };

export default async function SimulationRoute({ params }: { params: Promise<{ simulationId: string }> }) {
  const { simulationId } = await params;
  const { role } = await requirePrincipal();
  return <SimulationPage simulationId={simulationId} role={role} />;
}
