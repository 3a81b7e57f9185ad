import * as z from "zod";

/** Where traces go. Nothing of it is loaded while there is no address. */
export const telemetrySettings = z
  .strictObject({
    otlp_url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .meta({
        description:
          "OpenTelemetry collector (OTLP over HTTP), e.g. `http://127.0.0.1:4318`; traces go to `/v1/traces` below it. Also read from OTEL_EXPORTER_OTLP_ENDPOINT. null = no traces.",
      }),
    sample_ratio: z.number().min(0).max(1).default(1).meta({ description: "Fraction of requests to trace, 0 to 1." }),
    service_name: z.string().min(1).max(100).default("assay").meta({ description: "Name of this service in traces." }),
  })
  .default({ otlp_url: null, sample_ratio: 1, service_name: "assay" })
  .meta({ description: "Traces of requests, by OpenTelemetry." });

/** The environment's standard name of a setting that has one: it counts where neither the file nor ours says anything. */
export const STANDARD_ENVIRONMENT = {
  variable: "OTEL_EXPORTER_OTLP_ENDPOINT",
  path: ["telemetry", "otlp_url"],
} as const;
