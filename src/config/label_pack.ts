import * as z from "zod";
import { packSources } from "../labels/pack/index.ts";
import { nearest } from "../lib/nearest.ts";

/** Settings of the label pack shipped with Assay (labels/pack/NOTICE.md). */
export const labelPackSettings = z
  .strictObject({
    enabled: z.boolean().default(true).meta({ description: "Label exchanges, bridges, mixers, protocols and others." }),
    leave_out: z
      .array(z.string())
      .default([])
      .meta({ description: "Lists to exclude, by their names in `labels/pack/NOTICE.md`." })
      .superRefine((names, context) => {
        if (names.length === 0) return;
        const known = packSources();
        for (const name of names.filter((one) => !known.includes(one))) {
          const guess = nearest(name, known);
          const hint = guess === null ? "" : `; did you mean '${guess}'?`;
          context.addIssue({ code: "custom", message: `the label pack has no list '${name}'${hint}` });
        }
      }),
  })
  .prefault({})
  .meta({ description: "Labels shipped with Assay, from lists published under free licences." });
