import type { Metadata } from "next";
import { requirePrincipal } from "../../server/principal.ts";
import { Overview } from "./overview/overview.tsx";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { role } = await requirePrincipal();
  return <Overview role={role} />;
}
