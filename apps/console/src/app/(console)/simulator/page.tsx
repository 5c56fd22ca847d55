import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Term } from "../help/term.tsx";
import { SimulatorPage } from "./simulator-page.tsx";

export const metadata: Metadata = { title: "Simulator" };

export default async function SimulatorRoute() {
  const { role } = await requirePrincipal();
  return (
    <SimulatorPage
      description={
        <>
          Hours of a vault in seconds: the write path’s own code on <Term name="Modelled">modelled</Term>{" "}
          drives, under the faults that you choose. Everything here is simulated.
        </>
      }
      role={role}
    />
  );
}
