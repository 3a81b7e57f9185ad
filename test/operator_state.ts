import { AssayError } from "../src/lib/errors.ts";
import type { ListPreview } from "../src/surfaces/operator/list_imports.ts";
import { NetworkHistory } from "../src/surfaces/operator/network_history.ts";
import type { OperatorState } from "../src/surfaces/operator/state.ts";

const ADDRESS = "0x0000000000000000000000000000000000000001";

/** Two labels are new, one row has no known category, one address is something else elsewhere. */
const previewOf = (list: string): ListPreview => ({
  ...{ list, kind: "labels", version: "1", accepted: 2, added: 2, changed: 0, unchanged: 0, removed: 0, duplicates: 0 },
  refused: [{ reason: "the category is not a word of the taxonomy", count: 1, examples: ["{}"], places: [4] }],
  conflict_count: 1,
  conflicts: [
    {
      ...{ network: "demo", address: ADDRESS, label: "Desk", category: "exchange" },
      ...{ other_list: "pack", other_label: "Mixer <b>", other_category: "mixer" },
    },
  ],
  basis: "basis-1",
});

const history = new NetworkHistory();

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
  health: {
    history,
    endpoints: () => ({
      demo: [
        {
          endpoint: "node.example",
          requests: 40,
          calls: 90,
          errors: { rate: 3, size: 0, timeout: 1, connection: 0, http: 0, bad_answer: 0, rpc: 0 },
          latency: { buckets: [], sum_seconds: 18, count: 36 },
          rate_waits: 5,
          rate_wait_ms: 2_500,
          pace: { requests_per_second: 12.5, counts: "requests", concurrency: 4, batch: 20 },
        },
      ],
    }),
  },
  imports: {
    preview: async ({ list }) => previewOf(list),
    take: async ({ list }, basis, record) => {
      if (basis !== "basis-1")
        throw new AssayError({ code: "LIST_CHANGED", message: "changed", public: "It changed." });
      await record(null, { version: "1", rows: 2 });
      return previewOf(list);
    },
  },
  risk: {
    rules_of_file: [
      { id: "sanctions", category: "sanctioned", exposure: "any", direction: "any", usd: 1, percent: null },
    ],
    categories: ["sanctioned", "mixer", "scam"],
  },
};
