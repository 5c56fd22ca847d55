import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import wabt from "wabt";
import { kernelText, type SwizzleInstruction } from "./source.ts";

test("the checked-in kernel equals its compiled source, byte for byte", async () => {
  const { parseWat } = await wabt();
  const compile = (swizzle: SwizzleInstruction) => {
    const module = parseWat("crc32c.wat", kernelText(swizzle), { simd: true, relaxed_simd: true });
    return Buffer.from(module.toBinary({}).buffer).toString("base64");
  };
  const file = `/** Written by bytes.test.ts from source.ts; see there. */
export const relaxedKernelBase64 =
  "${compile("i8x16.relaxed_swizzle")}";

export const plainKernelBase64 =
  "${compile("i8x16.swizzle")}";
`;
  await expect(file).toMatchFileSnapshot(fileURLToPath(new URL("bytes.ts", import.meta.url)));
});
