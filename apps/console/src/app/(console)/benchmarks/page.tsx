import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { PlansPage } from "./plans-page.tsx";

export const metadata: Metadata = { title: "Benchmarks" };

export default async function BenchmarksRoute() {
  const { role } = await requirePrincipal();
  return <PlansPage role={role} />;
}
