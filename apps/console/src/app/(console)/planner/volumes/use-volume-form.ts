"use client";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { emptyForm, type VolumeForm } from "./volume-form.ts";

const text = (name: keyof VolumeForm) => parseAsString.withDefault(emptyForm[name]);

const parsers = {
  demand: parseAsStringLiteral(["constant", "csv", "measured"] as const).withDefault(emptyForm.demand),
  iops: text("iops"),
  kib: text("kib"),
  reads: text("reads"),
  minutes: text("minutes"),
  csv: text("csv"),
  pattern: parseAsStringLiteral(["random", "sequential"] as const).withDefault(emptyForm.pattern),
  unserved: parseAsStringLiteral(["queue", "drop"] as const).withDefault(emptyForm.unserved),
  limits: text("limits"),
  data: text("data"),
  volumes: text("volumes"),
};

/** Longest trace that fits into an address accepted by browsers and servers. */
const CSV_IN_ADDRESS_MAX = 1_500;

/** Keeps the form in the page's address, so that a link shows the same; a long trace stays in the page only. */
export function useVolumeForm() {
  const [query, setQuery] = useQueryStates(parsers, { history: "replace" });
  const [longCsv, setLongCsv] = useState<string | null>(null);
  const change = (part: Partial<VolumeForm>) => {
    const { csv } = part;
    if (csv === undefined) {
      void setQuery(part);
      return;
    }
    const isLong = csv.length > CSV_IN_ADDRESS_MAX;
    setLongCsv(isLong ? csv : null);
    void setQuery({ ...part, csv: isLong ? null : csv });
  };
  const form: VolumeForm = { ...query, csv: longCsv ?? query.csv };
  return { form, change, isCsvInAddress: longCsv === null };
}
