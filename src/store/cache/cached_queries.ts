import type { Params, QueryName, QueryRow } from "../facts.ts";

/** Rows of an unbounded answer that a snapshot may see. */
export interface AsOf<N extends QueryName> {
  /** The bound that is left open. */
  readonly bound: "to_block" | "block_time";
  /** The newest block or time that a row follows from. */
  readonly column: keyof QueryRow<N> & string;
  /**
   * Meaning of a row after the bound. `hidden`: the row does not exist yet. `doubtful`: earlier facts may make another
   * row, so the engine is queried.
   */
  readonly later: "hidden" | "doubtful";
}

/** A question whose answers are kept. Its tables and its other bounds are what its text and its parameters say. */
export interface CacheDefinition<N extends QueryName> {
  /** Parallel lists that name the queried elements; none: the answer is cached as a whole. */
  readonly lists: readonly (keyof Params<N> & string)[];
  /** Columns that name the element of a row, in the order of the lists. Several: a row belongs to the element of each. */
  readonly owners: readonly (readonly (keyof QueryRow<N> & string)[])[];
  /** Columns by which rows of several elements are ordered, as far as the order of one element's rows does not say it. */
  readonly order: readonly (keyof QueryRow<N> & string)[];
  /** Null where the question has no end to leave open. */
  readonly as_of: AsOf<N> | null;
}

/** Cached element by element, with the rows of an element together. */
const among = <N extends QueryName>(
  list: keyof Params<N> & string,
  column: keyof QueryRow<N> & string,
  as_of: AsOf<N> | null = null,
): CacheDefinition<N> => ({ lists: [list], owners: [[column]], order: [column], as_of });

const whole = <N extends QueryName>(as_of: AsOf<N> | null = null): CacheDefinition<N> => ({
  lists: [],
  owners: [],
  order: [],
  as_of,
});

/**
 * Queries about facts that rarely change. The rows of an answer must follow from its
 * parameters and its tables alone; one that a view fills counts with those that the view reads (write_stamps.ts).
 */
export const CACHED_QUERIES: { readonly [N in QueryName]?: CacheDefinition<N> } = {
  block_at_time: whole({ bound: "to_block", column: "block_number", later: "doubtful" }),
  block_times: among("blocks", "block_number", { bound: "to_block", column: "block_number", later: "hidden" }),
  "contracts/life": whole({ bound: "to_block", column: "block_number", later: "hidden" }),
  contracts_among: among("addresses", "address", { bound: "to_block", column: "first_block", later: "hidden" }),
  creations_among: among("addresses", "address", { bound: "to_block", column: "block_number", later: "doubtful" }),
  "cohorts/day": whole(),
  "counterparties/contracts_deployed": whole({ bound: "to_block", column: "block_number", later: "doubtful" }),
  current_lists: whole(),
  "developer/highest_prices": among("tokens", "token"),
  freeze_events_among: {
    lists: ["accounts"],
    owners: [["account"]],
    order: ["block_number", "tx_index", "log_index", "token", "account"],
    as_of: { bound: "to_block", column: "block_number", later: "hidden" },
  },
  freeze_watches: whole(),
  freeze_witnesses: among("tokens", "token", { bound: "to_block", column: "last_block", later: "doubtful" }),
  has_openings: whole(),
  "identity/label_categories": whole({ bound: "block_time", column: "valid_from", later: "doubtful" }),
  "identity/labelled": whole({ bound: "block_time", column: "valid_from", later: "doubtful" }),
  labels_among: among("addresses", "address", { bound: "block_time", column: "valid_from", later: "hidden" }),
  listed_tokens_among: among("tokens", "token"),
  "market/highest": whole(),
  "metadata/listed_names": whole(),
  opened_tokens: among("tokens", "token"),
  pair_openings: {
    lists: ["tokens", "holders"],
    owners: [["token", "holder"]],
    order: ["holder", "token"],
    as_of: null,
  },
  pools_among: among("pools", "pool", { bound: "to_block", column: "last_created", later: "doubtful" }),
  pools_of_tokens: {
    lists: ["tokens"],
    owners: [["token0"], ["token1"]],
    order: ["pool"],
    as_of: { bound: "to_block", column: "last_created", later: "doubtful" },
  },
  prices_at_hours: {
    lists: ["tokens", "hours"],
    owners: [["token", "hour"]],
    order: ["token", "hour"],
    as_of: null,
  },
  position_events_among: {
    lists: ["subjects"],
    owners: [["subject"]],
    order: ["block_number", "log_index", "subject"],
    as_of: { bound: "to_block", column: "block_number", later: "hidden" },
  },
  "prices/last_traded": among("tokens", "token"),
  "prices/mark": whole(),
  "prices/range": whole(),
  "public_records/listed_as": whole(),
  sanctions_among: among("addresses", "address"),
  "stats/deployed": whole({ bound: "to_block", column: "last_block", later: "doubtful" }),
  suppressed_among: among("addresses", "address"),
  token_readings_among: {
    lists: ["tokens"],
    owners: [["token"]],
    order: ["token", "read_at_block"],
    as_of: null,
  },
  tokens_among: among("tokens", "token"),
  tokens_by_former_symbol: whole(),
  tokens_by_symbol: whole(),
  transaction_details: {
    lists: ["blocks", "indexes"],
    owners: [["block_number", "tx_index"]],
    order: ["block_number", "tx_index"],
    as_of: { bound: "to_block", column: "block_number", later: "hidden" },
  },
  wallet_openings: whole(),
  "history/mass_transfers_among": {
    lists: ["tokens", "blocks", "indexes"],
    owners: [["token", "block_number", "tx_index"]],
    order: ["token", "block_number", "tx_index"],
    as_of: { bound: "to_block", column: "block_number", later: "hidden" },
  },
};
