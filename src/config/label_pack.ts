import * as z from "zod";
import { packSources } from "../labels/pack/index.ts";
import { nearest } from "../lib/nearest.ts";

/** What is taken of the labels that the program ships (labels/pack/NOTICE.md). */
export const labelPackSettings = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .meta({ description: "Exchanges, bridges, mixers, protocols and others are labelled." }),
    leave_out: z
      .array(z.string())
      .default([])
      .meta({ description: "Lists that are not taken, as `labels/pack/NOTICE.md` names them." })
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
  .meta({ description: "Labels that the program ships, by lists that were published under free licences." });
