/** Finds addresses, tokens, transactions and names by a text, for the search box and for callers. */
import { z } from "zod";
import { definer } from "../../operations/operation.ts";
import type { AccountContext } from "./operations.ts";

export interface SearchRequest {
  readonly text: string;
  /** Null: every enabled network. */
  readonly network: string | null;
  readonly limit: number;
}

const SEARCH_KINDS = ["token", "address", "transaction", "name"] as const;

const match = z.strictObject({
  kind: z.enum(SEARCH_KINDS),
  network: z.string().nullable().meta({ description: "Null for a name, which tools resolve." }),
  id: z.string().meta({ description: "Address, `native`, transaction hash or name." }),
  title: z.string().nullable().meta({
    description:
      "Symbol of a token, label of an address. Strangers write symbols. Null without one, and for an address searched on several networks.",
  }),
  detail: z.string().nullable().meta({ description: "Name of a token, entity of an address." }),
  category: z.string().nullable(),
  source: z.string().nullable().meta({ description: "List or rule that names it." }),
  closeness: z.enum(["exact", "prefix", "word", "part", "typo"]),
  is_original: z.boolean().meta({ description: "A coin of the network, or a well-known or listed token." }),
  is_impersonation: z.boolean().meta({ description: "A token that copies the symbol or name of an original." }),
});

const missing = z.strictObject({ network: z.string(), reason: z.string() });

export interface SearchAnswer {
  readonly matches: readonly z.output<typeof match>[];
  readonly networks: readonly string[];
  readonly not_searched: readonly z.output<typeof missing>[];
}

/** Searches the index of this process. @throws AssayError BAD_FIELD for an unknown network */
export type RunSearch = (request: SearchRequest, signal: AbortSignal) => Promise<SearchAnswer>;

const define = definer<AccountContext>();

/** How long a search may take. */
const SEARCH_MS = 5_000;

export const searchOperations = {
  search: define({
    method: "GET",
    path: "/api/search",
    summary:
      "Find tokens by symbol or name, addresses by label or entity, and what an address, a hash or a name can be. Free of charge.",
    input: z.strictObject({
      q: z
        .string()
        .min(1)
        .max(128)
        .meta({ description: "Text to find, in any case. One or two letters may be wrong." }),
      network: z.string().min(1).max(100).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(10),
    }),
    output: z.strictObject({
      matches: z.array(match).meta({ description: "The nearest first; copies of other tokens last." }),
      networks: z.array(z.string()).meta({ description: "Networks that were searched." }),
      not_searched: z.array(missing).meta({ description: "Networks that could not be searched, with the reason." }),
    }),
    async run({ search }, { q, network = null, limit }) {
      if (search === null) return { matches: [], networks: [], not_searched: [] };
      const { matches, networks, not_searched } = await search(
        { text: q, network, limit },
        AbortSignal.timeout(SEARCH_MS),
      );
      return { matches: [...matches], networks: [...networks], not_searched: [...not_searched] };
    },
  }),
} as const;
