/** A case with a graph of any size, and with names that strangers would choose. */
import { type CaseFile, type CaseResult, emptyCase, NO_MARKS } from "../../src/case/format.ts";
import { caseResultOf } from "../../src/case/pin.ts";

export const HOSTILE_LABELS: readonly string[] = [
  "</script><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "\u202egnp.exe\u2066",
  "a".repeat(10_000),
  "z\u0300\u0301\u0302\u0303\u0304\u0305\u0306",
  "=HYPERLINK(1)",
];

const ROWS = 50;
const AT = "2026-11-25T12:00:00Z";
const CATEGORIES = ["dex", "exchange", "mixer", null, "bridge", null, "unknown_service", null];

const addressOf = (n: number): string => `0x${n.toString(16).padStart(40, "0")}`;

const labelOf = (n: number): string | null => {
  if (n % 97 === 5) return HOSTILE_LABELS[n % HOSTILE_LABELS.length] ?? null;
  const category = CATEGORIES[n % CATEGORIES.length] ?? null;
  return category === null ? null : `${category} ${n}`;
};

const answerOf = (wallet: number, peers: readonly number[]) => ({
  type: "counterparties",
  data: peers.map((n) => ({
    peer: {
      ...{ address: addressOf(n), label: labelOf(n), category: CATEGORIES[n % CATEGORIES.length] ?? null },
      ...{ tags: null, entity: null, is_contract: n % 3 === 0 },
    },
    ...{ interaction_count: (n % 9) + 1, tx_count: (n % 9) + 1, unpriced_transfers: n % 2 },
    ...{ volume_in_usd: n % 5 === 0 ? null : n * 7.5, volume_out_usd: n % 4 === 0 ? null : n * 3 },
    ...{ first_interaction: AT, last_interaction: AT, via: [] },
  })),
  metadata: {
    ...{ address: addressOf(wallet), chain: "demo", sources: [{ id: "labels/generated" }] },
    as_of: { block_number: 1, block_hash: "0x01", timestamp: AT },
  },
  pagination: { has_more_data: false },
});

const entry = (wallet: number, peers: readonly number[]): CaseResult =>
  caseResultOf({
    ...{ id: `e${wallet}`, tool: "get_wallet_counterparties", asked_at: AT, request_id: null, credits: 25 },
    ...{ arguments: { address: addressOf(wallet), network: "demo" }, catalog_version: null },
    answer: answerOf(wallet, peers),
  });

/** A tree of wallets of which every one has up to 50 counterparties, and some that join its branches: `nodes` in all. */
export const generatedCase = (nodes: number): CaseFile => {
  const entries: CaseResult[] = [];
  for (let first = 1, wallet = 0; first < nodes; first += ROWS, wallet++) {
    const peers = Array.from({ length: Math.min(ROWS, nodes - first) }, (_, i) => first + i);
    entries.push(entry(wallet, wallet > 1 ? [...peers, (wallet * 13) % first] : peers));
  }
  const graph = {
    ...{
      id: "g1",
      title: `Graph of ${nodes}`,
      saved_at: AT,
      network: "demo",
      start: addressOf(0),
      pinned: [],
      places: [],
      ...NO_MARKS,
    },
    expansions: entries.map(({ id }) => ({ entry: id, categories: [] })),
  };
  return { ...emptyCase("Generated", AT), entries, graphs: [graph] };
};
