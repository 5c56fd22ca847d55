/** Judges a vault by everything known about it, so that no answer calls it good while it needs attention. Pure. */
import type { AlertSeverity } from "../alert/rule.ts";
import { describeSilence, type VaultSilence } from "../node/silence.ts";
import { describeFullness, vaultMark } from "../space/fill.ts";

export type JudgedState = "good" | "warning" | "bad" | "unknown";

export interface JudgedVault {
  readonly vault: string;
  /** Alerts that fire for it, with the sentence of pages and messages. */
  readonly alerts: readonly { readonly severity: AlertSeverity; readonly sentence: string }[];
  readonly silence: VaultSilence | null;
  /** Used share of its capacity for objects; null while no coordinator reports. */
  readonly fillShare: number | null;
}

const ofSeverity = { critical: "bad", warning: "warning", info: "good" } as const;
const ofMark = { full: "bad", warning: "warning", roomy: "good" } as const;
const order: readonly JudgedState[] = ["bad", "warning", "good"];

/** Returns the worst of the states; unknown ones count only if nothing else is known. */
export const worstState = (states: readonly JudgedState[]): JudgedState =>
  order.find((state) => states.includes(state)) ?? "unknown";

interface Reason {
  readonly state: JudgedState;
  readonly sentence: string;
}

export function judgeVault({ vault, alerts, silence, fillShare }: JudgedVault): {
  state: JudgedState;
  reasons: string[];
} {
  const fullness = fillShare === null ? null : describeFullness(vault, fillShare);
  const reasons: Reason[] = [
    ...alerts.map(({ severity, sentence }) => ({ state: ofSeverity[severity], sentence })),
    ...(silence === null ? [] : [{ state: "bad" as const, sentence: `${describeSilence(silence)}.` }]),
    ...(fullness === null || fillShare === null
      ? []
      : [{ state: ofMark[vaultMark(fillShare)], sentence: `${fullness}.` }]),
  ];
  const own = fillShare === null ? "unknown" : ofMark[vaultMark(fillShare)];
  return {
    state: worstState([own, ...reasons.map(({ state }) => state)]),
    reasons: reasons
      .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
      .map(({ sentence }) => sentence),
  };
}
