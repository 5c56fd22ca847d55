import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { FailureRatesPage } from "./failure-rates-page.tsx";

export const metadata: Metadata = { title: "Failure rates" };

export default async function FailureRatesRoute() {
  const { role } = await requirePrincipal();
  return <FailureRatesPage role={role} />;
}
