/** What JSON has no form of its own for. */
import { z } from "zod";

/** An instant, which is kept as ISO 8601 text. */
export const storedInstant = z.iso.datetime().pipe(z.coerce.date());

/** A figure that was computed: one that is no number is kept as null. */
export const storedNumber = z.union([z.number(), z.null().transform(() => Number.NaN)]);
