import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Term } from "../help/term.tsx";
import { PlannerPage } from "./planner-page.tsx";

export const metadata: Metadata = { title: "Planner" };

export default async function PlannerRoute() {
  const { role } = await requirePrincipal();
  return (
    <PlannerPage
      description={
        <>
          How many SSDs the <Term name="Stash">stash</Term> needs, its <Term name="Headroom">headroom</Term>,
          and why.
        </>
      }
      role={role}
    />
  );
}
