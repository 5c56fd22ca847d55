import type { Metadata } from "next";
import { requirePrincipal } from "../../../../../server/principal.ts";
import { PlanPage } from "./plan-page.tsx";

export const metadata: Metadata = { title: "Benchmark schedule" };

export default async function PlanRoute({ params }: { params: Promise<{ planId: string }> }) {
  const { role } = await requirePrincipal();
  const { planId } = await params;
  return <PlanPage planId={planId} role={role} />;
}
