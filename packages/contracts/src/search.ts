/** Results other than pages that the palette finds by name: objects of the installation that the reader may see. */
import { z } from "zod";

export type FoundKind =
  | "vault"
  | "node"
  | "drive"
  | "dashboard"
  | "endpoint"
  | "benchmark plan"
  | "run"
  | "capacity plan"
  | "simulation"
  | "alert rule"
  | "upload"
  | "user";

export interface Found {
  kind: FoundKind;
  /** Distinguishes it from others of its kind. */
  id: string;
  label: string;
  /** Place or outcome. */
  detail: string;
  href: string;
}

export const searchInput = z.object({
  text: z.string().trim().min(2, "Enter at least two characters.").max(100, "At most 100 characters."),
});
