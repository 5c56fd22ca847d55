import { z } from "zod";

export const annotatedAnswer = z.object({ annotationId: z.string() });
