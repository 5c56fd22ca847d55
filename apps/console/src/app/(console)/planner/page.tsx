import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { PlannerPage } from "./planner-page.tsx";

export const metadata: Metadata = { title: "Planner" };

export default async function PlannerRoute() {
  const { role } = await requirePrincipal();
  return <PlannerPage role={role} />;
}
