import * as z from "zod";

const name = z
  .string()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])$/,
    "expected a lower-case host name without port",
  );

/** Who may address `/mcp`, besides programs and pages of this machine itself. */
export const mcpSettings = z
  .strictObject({
    hosts: z.array(name).default([]).meta({
      description: "Allowed `Host` names, without port; `localhost` and the name in `listen` are always allowed.",
    }),
    origins: z.array(name).default([]).meta({
      description: "Allowed hosts of `Origin`, without port; those of this machine are always allowed.",
    }),
  })
  .default({ hosts: [], origins: [] })
  .meta({ description: "The Model Context Protocol at `/mcp`." });
