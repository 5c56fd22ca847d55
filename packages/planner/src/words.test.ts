import { expect, test } from "vitest";
import { bytesInWords, counted, figureInWords, secondsInWords, shareInWords, usdInWords } from "./index.ts";

test.each<[string, string]>([
  [bytesInWords(96), "96 B"],
  [bytesInWords(322_560), "323 kB"],
  [bytesInWords(6.967296e12), "6.97 TB"],
  [bytesInWords(0), "0 B"],
  [bytesInWords(5e21), "5,000 EB"],
  [secondsInWords(0), "0 s"],
  [secondsInWords(90), "1.5 min"],
  [secondsInWords(3600), "1 h"],
  [secondsInWords(86_400), "1 day"],
  [secondsInWords(172_800), "2 days"],
  [secondsInWords(31_536_000), "1 year"],
  [usdInWords(25_200), "$25,200"],
  [usdInWords(0.7457), "$0.75"],
  [usdInWords(0.00123), "$0.00123"],
  [usdInWords(0), "$0"],
  [shareInWords(0.0044), "0.44 %"],
  [figureInWords(6.386688), "6.39"],
  [figureInWords(119_999.6), "120,000"],
  [figureInWords(99.97), "100"],
  [figureInWords(-1234), "-1,234"],
  [figureInWords(7.7e-20), "7.7e-20"],
  [figureInWords(1e30), "1.00e+30"],
  [counted(1, "drive"), "one drive"],
  [counted(1200, "drive"), "1,200 drives"],
])("%s", (said, expected) => {
  expect(said).toBe(expected);
});
