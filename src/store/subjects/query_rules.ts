import type { QueryName } from "../facts.ts";

/**
 * Whether a query answers on a network that is read on demand, where the rows of an address are whole only if it is followed.
 *
 * - `about`: the parameters that name whose rows it sums or lists. All of them must be followed addresses.
 * - `of`: the parameters that name tokens whose movements it sums or lists, of whichever holders. All of them must be tokens of the call.
 *   `unread` elsewhere: it has no rows.
 * - `pools`: it is complete for trades of the call's tokens in their pools, which move them. In other calls it has no rows.
 * - `true`: it is complete for any address: facts of blocks that the call names, of contracts that a node described, and lists.
 * - `unread`: it rests on what whole networks alone have (prices of pools, freezes, creations). It has no rows, as on a network without
 *   them, so that a figure that needs it is unknown, whatever was read for other calls.
 *
 * A query that is not named is refused.
 */
type QueryRule =
  | "true"
  | "unread"
  | "pools"
  | { readonly about: readonly string[] }
  | { readonly of: readonly string[]; readonly elsewhere?: "unread" };

const wallet = { about: ["wallet"] } as const;
const token = { of: ["token"] } as const;
/** Of the call's own addresses, and of counterparties that are read. */
const behind = { about: ["addresses"] } as const;

export const QUERY_RULES: Partial<Record<QueryName, QueryRule>> = {
  "movements/movements": wallet,
  "history/first_movement": wallet,
  "history/movement_count": wallet,
  "history/mass_receipts": wallet,
  "holdings/airdrops": wallet,
  "holdings/pieces": wallet,
  "positions/collections": wallet,
  "stats/calls": wallet,
  "stats/deployed": wallet,
  wallet_openings: wallet,
  contract_peers: wallet,
  "pnl/labelled_peers": wallet,
  "history/peer_labels": wallet,
  "acts/calls": wallet,
  "acts/trades": wallet,
  "acts/positions": wallet,
  "history/moved_prices": wallet,
  "history/movement_spans": behind,
  position_events_among: { about: ["subjects"] },

  "reading/alike_peers": wallet,
  "risk/known_peers": wallet,
  "risk/approvals": { about: ["owner"] },
  "risk/piece_approvals": { about: ["owner"] },
  "risk/approval_uses": wallet,
  "risk/deployed_flagged": { about: ["creator"] },
  "risk/walk": behind,
  "risk/suspects": behind,
  "risk/dealings": behind,
  "risk/late_hubs": behind,
  first_funders: behind,
  "stablecoins/peers": wallet,
  "stablecoins/inflow": wallet,
  "stablecoins/dealings": wallet,
  "stablecoins/burnt": wallet,
  "counterparties/contracts_deployed": wallet,
  "counterparties/co_payers": behind,
  "deployed/rows": { about: ["creator"] },

  "flows/token_flows": token,
  "flows/parties": token,
  "flows/largest": token,
  "flows/dex_hours": "pools",
  "holders/moved_since": token,
  "holders/changes": token,
  "holders/volumes": "pools",
  "pnl/token_moves": token,
  pools_of_tokens: { of: ["tokens"], elsewhere: "unread" },

  "reading/place": "true",
  "reading/block_swaps": "true",
  "acts/trades_among": "true",
  "history/mass_transfers_among": "true",
  "pnl/pool_trades": "true",
  transaction_details: "true",
  block_times: "true",
  block_by_number: "true",
  contracts_among: "true",
  pools_among: "true",
  labels_among: "true",
  "identity/label_categories": "true",
  "identity/labelled": "true",
  "metadata/listed_names": "true",
  "search/tokens": "true",
  "search/labels": "true",
  listed_tokens_among: "true",
  "public_records/listed_as": "true",
  "website/listed_domains": "true",
  token_kind: "true",
  tokens_among: "true",
  token_readings_among: "true",
  current_lists: "true",
  sanctions_among: "true",
  suppressed_among: "true",
  has_openings: "true",
  "risk/listed_categories": "true",
  // Rules on the call's own address alone are compared with these rows.
  "watch/blocks": "true",
  "watch/movements": { about: ["addresses", "tokens"] },
  "watch/approvals": "true",
  "watch/freezes": "true",

  creations_among: "unread",
  "contracts/life": "unread",
  tokens_by_symbol: "unread",
  tokens_by_former_symbol: "unread",
  prices_at_hours: "unread",
  latest_prices: "unread",
  "prices/range": "unread",
  "prices/mark": "unread",
  "prices/hours": "unread",
  "prices/earlier": "unread",
  "prices/last_traded": "unread",
  "prices/block_before": "unread",
  "prices/pools": "unread",
  "prices/states": "unread",
  "prices/states_at": "unread",
  "prices/states_lately": "unread",
  "prices/volumes": "unread",
  "developer/peaks": "unread",
  freeze_events_among: "unread",
  freeze_watches: "unread",
  "token/airdrop_reach": "unread",
  "token/block_conditions": "unread",
  "token/pool_callers": "unread",
  freeze_witnesses: "unread",
};
