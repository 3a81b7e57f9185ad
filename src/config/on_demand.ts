import * as z from "zod";

/** Networks that are read on demand, and what one account may ask of their nodes. */
export const onDemandSettings = z
  .strictObject({
    wait_seconds: z.int().min(0).max(100).default(15).meta({
      description: "Time that a call waits for the history of an address before it fails with READING, in seconds.",
    }),
    follow_seconds: z.number().min(0).max(86_400).default(30).meta({
      description: "Least time between two looks for new blocks of the followed addresses, in seconds.",
    }),
    addresses_per_account: z.int().min(0).default(100).meta({
      description: "Most addresses that the calls of one account may have followed, over all networks.",
    }),
    counterparties: z.int().min(0).max(200).default(10).meta({
      description:
        "Counterparties of a wallet that risk tools have followed for it, the largest by value first. They take up to half of `addresses_per_account`.",
    }),
    counterparty_blocks: z.int().min(1).default(500).meta({
      description: "A counterparty with more blocks is not read for the risk of others.",
    }),
    token_blocks: z.int().min(1).default(20_000).meta({
      description: "A token with more blocks that have its events is not read for tools about tokens.",
    }),
    blocks_per_day: z.int().min(0).default(10_000).meta({
      description: "Blocks that the calls of one account may have read for single transactions within 24 hours.",
    }),
    requests_per_day: z.int().min(0).default(1_000_000).meta({
      description: "Requests to nodes within 24 hours after which an account cannot have further addresses followed.",
    }),
  })
  .prefault({})
  .meta({ description: "Networks with `index: on_demand`." });
