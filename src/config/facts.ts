import * as z from "zod";

/** Fault of a setting that belongs to the other engine; null for other settings. */
export const ofOtherEngine = (path: string): string | null =>
  path === "facts.cluster" || path === "facts.nodes"
    ? `${path}: a cluster is several ClickHouse servers, so facts.engine must be 'clickhouse', not 'embedded'`
    : null;

/** Where the facts are. */
export const factsSettings = z
  .discriminatedUnion("engine", [
    z.strictObject({ engine: z.literal("embedded") }),
    z
      .strictObject({
        engine: z.literal("clickhouse"),
        url: z.url().meta({ description: "ClickHouse HTTP address." }),
        user: z.string().default("default").meta({ description: "ClickHouse user." }),
        password: z.string().default("").meta({ description: "ClickHouse password." }),
        database: z.string().default("assay").meta({ description: "ClickHouse database." }),
        cluster: z
          .string()
          .regex(/^[\w.-]{1,64}$/)
          .nullable()
          .default(null)
          .meta({
            description:
              "Cluster in the servers' configuration whose shards hold the facts; `url` is one of its servers. null: one server.",
          }),
        nodes: z.array(z.url()).default([]).meta({
          description:
            "HTTP addresses of the cluster's shards, in order; []: `url` with the host names of the cluster.",
        }),
      })
      .refine(({ cluster, nodes }) => cluster !== null || nodes.length === 0, {
        path: ["nodes"],
        error: "only a cluster has nodes: set facts.cluster too",
      }),
  ])
  .default({ engine: "embedded" })
  .meta({ description: "Facts store: `embedded`, or ClickHouse: one server, or a cluster of them." });
