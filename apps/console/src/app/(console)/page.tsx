import type { Metadata } from "next";
import { Overview } from "./overview.tsx";
import { requirePrincipal } from "../../server/principal.ts";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { role } = await requirePrincipal();
  return <Overview role={role} />;
}
