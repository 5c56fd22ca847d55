/** Types that JSON does not have. */
import { z } from "zod";

/** An instant, stored as ISO 8601 text. */
export const storedInstant = z.iso.datetime().pipe(z.coerce.date());

/** A computed figure: stored as null if it is not a number. */
export const storedNumber = z.union([z.number(), z.null().transform(() => Number.NaN)]);
