import * as z from "zod";

const phishingList = z.strictObject({
  id: z.string().min(1).meta({ description: "Name shown in answers." }),
  file: z
    .string()
    .meta({ description: "Absolute path: a domain per line, a JSON array, or the JSON of eth-phishing-detect." }),
});

const tokenSite = z.strictObject({
  network: z.string().meta({ description: "Network id." }),
  token_address: z
    .string()
    .regex(/^[0-9A-Za-z]{32,44}$/, "expected an address")
    .meta({ description: "Token contract." }),
  website_url: z.url().meta({ description: "The project's site." }),
});

/** The way out to the web, and what is known about sites without asking them. */
export const webSettings = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        "Allow requests to URLs named by callers and chains: token sites, metadata, gateways of names (which learn the names). Only public addresses, through one guarded fetcher.",
    }),
    rdap_server: z.url().nullable().default(null).meta({
      description: "RDAP server for the age of domains: its URL up to the domain.",
    }),
    phishing_lists: z
      .array(phishingList)
      .default([])
      .meta({ description: "Lists of phishing domains, read at startup." }),
    token_sites: z
      .array(tokenSite)
      .default([])
      .meta({ description: "Sites of tokens whose contracts do not name one." }),
  })
  .default({ enabled: false, rdap_server: null, phishing_lists: [], token_sites: [] })
  .meta({ description: "Outbound web requests." });
