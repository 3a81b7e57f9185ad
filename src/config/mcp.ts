import * as z from "zod";

const name = z
  .string()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])$/,
    "expected a lower-case host name without port",
  );

/** Hosts and sites that may call `/mcp`, besides programs and pages of this machine. */
export const mcpSettings = z
  .strictObject({
    hosts: z.array(name).default([]).meta({
      description:
        "Host names of the service (`Host` without port); `localhost` and the host in `listen` are always accepted.",
    }),
    origins: z.array(name).default([]).meta({
      description: "Sites whose pages may call (host of `Origin`, without port); pages of this machine always may.",
    }),
  })
  .default({ hosts: [], origins: [] })
  .meta({ description: "The Model Context Protocol at `/mcp`." });
