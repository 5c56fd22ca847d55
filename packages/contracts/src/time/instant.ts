import { z } from "zod";

/** Instant in milliseconds since 1970 (UTC), up to the last one that a Date can hold. */
export const instantMs = z.number().int().min(0).max(8.64e15);
