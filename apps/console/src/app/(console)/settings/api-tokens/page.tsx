import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { ApiTokensPage } from "./api-tokens-page.tsx";

export const metadata: Metadata = { title: "API tokens" };

export default async function Page() {
  const { role } = await requirePrincipal();
  return <ApiTokensPage role={role} />;
}
