import { type RawHeaders, valuesOf } from "./headers.ts";

export const EXPORT_TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;
export type ExportFormat = keyof typeof EXPORT_TYPES;

/** The first format that `Accept` names; null for JSON and for wildcards. */
export const exportFormat = (raw_headers: RawHeaders): ExportFormat | null => {
  const accepted = valuesOf(raw_headers, "accept").join(",").toLowerCase();
  const types = accepted.split(",").map((type) => type.split(";", 1)[0]?.trim());
  const formats: readonly ExportFormat[] = ["csv", "ndjson"];
  const [first] = types.flatMap((type) =>
    type === "application/json" ? [null] : formats.filter((format) => type === EXPORT_TYPES[format]),
  );
  return first ?? null;
};
