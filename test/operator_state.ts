import type { OperatorState } from "../src/surfaces/operator/state.ts";

/** A process with one network that is being filled, and one list. */
export const OPERATOR_STATE: OperatorState = {
  status: async () => ({
    accounts: true,
    facts: true,
    networks: {
      demo: {
        head: 120,
        indexed: 110,
        lag_blocks: 10,
        from_block: 6,
        verified: "full",
        gaps: [
          [3, 5],
          [111, 120],
        ],
        disagreements: 0,
        state: "backfill",
        blocks_per_second: 2.5,
        remaining_blocks: 13,
        problem: null,
        indexed_by: null,
        trouble: null,
        indexed_at: 1_767_225_600,
        fills: null,
        priced_share: 0.419,
      },
    },
  }),
  lists: async () => [
    {
      list: "ofac",
      kind: "sanctions",
      version: "7",
      licence: "public domain",
      origin: "treasury",
      published_on: "",
      rows: 12,
      imported_at_ms: Date.UTC(2026, 10, 18, 11, 30),
    },
  ],
  now_ms: () => Date.UTC(2026, 10, 20, 12),
  risk: {
    rules_of_file: [
      { id: "sanctions", category: "sanctioned", exposure: "any", direction: "any", usd: 1, percent: null },
    ],
    categories: ["sanctioned", "mixer", "scam"],
  },
};
