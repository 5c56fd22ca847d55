import {
  annotationIdInput,
  createAnnotationInput,
  listAnnotationsInput,
} from "@stashlight/contracts/annotation";
import { createAnnotation, deleteAnnotation, listAnnotations } from "@stashlight/services/annotation";
import { mutationWith, queryWith, router } from "../trpc.ts";

export const annotationRouter = router({
  list: queryWith(listAnnotationsInput, listAnnotations),
  create: mutationWith(createAnnotationInput, createAnnotation),
  delete: mutationWith(annotationIdInput, deleteAnnotation),
});
