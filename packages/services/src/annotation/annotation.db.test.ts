import { createAnnotationInput } from "@stashlight/contracts/annotation";
import { expect, test } from "vitest";
import { auditEvents, createTestNode, useFreshInstallation } from "../testing/index.ts";
import { createAnnotation } from "./create.ts";
import { deleteAnnotation } from "./delete.ts";
import { listAnnotations } from "./list.ts";

const { installation, operator } = useFreshInstallation("operator");

const make = (input: object) =>
  createAnnotation({ ctx: operator.ctx, input: createAnnotationInput.parse(input) });
const textsOf = async (fromMs: number, toMs: number) => {
  const rows = await listAnnotations({ ctx: operator.ctx, input: { fromMs, toMs, pageSize: 10 } });
  return rows.map(({ text }) => text);
};

test("moments and spans that overlap the range are listed, newest first", async () => {
  const atMs = installation.clock.now().getTime();
  await make({ text: "Deploy 4.2" });
  await make({ text: "Load test", startMs: atMs - 10_000, endMs: atMs - 5_000 });
  expect(await textsOf(atMs - 7_000, atMs)).toEqual(["Deploy 4.2", "Load test"]);
  expect(await textsOf(atMs - 4_000, atMs - 1)).toEqual([]);
  expect(await textsOf(atMs - 20_000, atMs - 10_000)).toEqual(["Load test"]);
});

test("an annotation belongs to an existing vault, ends after it begins, and its creation and deletion are audited", async () => {
  await createTestNode(installation.platform, "stash-1");
  await expect(make({ text: "Deploy", vault: "fotos" })).rejects.toMatchObject({ field: "vault" });
  const refused = createAnnotationInput.safeParse({ text: "Deploy", startMs: 5, endMs: 5 });
  expect(refused.error?.issues[0]?.message).toBe("The end must be after the start.");
  const { annotationId } = await make({ text: "Deploy", vault: "v" });
  await deleteAnnotation({ ctx: operator.ctx, input: { annotationId } });
  const again = deleteAnnotation({ ctx: operator.ctx, input: { annotationId } });
  await expect(again).rejects.toMatchObject({ code: "not_found" });
  const trail = await auditEvents(installation.platform);
  expect(trail.map(({ action }) => action).slice(-2)).toEqual(["annotation.created", "annotation.deleted"]);
});
