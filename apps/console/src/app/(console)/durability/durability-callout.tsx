import type { VaultSilence } from "@stashlight/contracts/node";
import type { VaultDurability } from "@stashlight/contracts/vault-state";
import { useNow } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import type { ReactNode } from "react";
import { describeDurability, durabilityStatus, formatNines, hasNines } from "./durability-status.ts";

interface DurabilityCalloutProps {
  readonly durability: VaultDurability;
  /** Silent nodes of the vault. */
  readonly silence: VaultSilence | null;
  /** Link before the sentence, on pages that show several vaults. */
  readonly name?: ReactNode;
  readonly action?: ReactNode;
}

/** One vault's durability in a sentence, the remedy, and the assumption that moves it most. */
export function DurabilityCallout({ durability, silence, name, action }: DurabilityCalloutProps) {
  const { remedy, nines, missingCount, assumptions, reportedAt } = durability;
  const [first] = assumptions;
  const nowMs = useNow(1_000);
  // A vault with missing pods has the nines in its sentence.
  const shown = missingCount === 0 ? "" : `: ${formatNines(durability)}`;
  const title = (
    <>
      {name}
      {name !== undefined && ": "}
      {describeDurability(durability, silence, nowMs)}
    </>
  );
  return (
    <Callout status={durabilityStatus(durability, silence)} title={title} action={action}>
      {remedy !== null && <p className="text-ink">{remedy}</p>}
      {nines !== null && (
        <p>
          {hasNines(durability) && `Modelled${shown} for data stored now. Main assumption: ${first} `}
          {reportedAt !== null && (
            <>
              Reported <Time value={reportedAt} show="age" />.
            </>
          )}
        </p>
      )}
    </Callout>
  );
}
