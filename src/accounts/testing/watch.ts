import type { WatchStore } from "../watch/open.ts";
import type { RuleDefinition } from "../watch/rules.ts";

export const RULE_DEFINITION: RuleDefinition = {
  ...{ network: "demo", subject_kind: "address", subject: "aa", events: ["movement"], direction: "both" },
  ...{
    min_usd_micros: null,
    include_unpriced: false,
    categories: ["exchange", "mixer"],
    note: "mine",
    url: "https://a.test/",
  },
};

/** Matched and dropped blocks. */
interface CommittedBlocks {
  readonly account_id: string;
  readonly rule_id: string;
  readonly blocks: readonly number[];
  readonly dropped?: readonly number[];
}

/** Blocks with an event each; events of `dropped` are revoked. */
export const commitEvents = (
  { follow, newId }: WatchStore,
  { account_id, rule_id, blocks, dropped = [] }: CommittedBlocks,
): Promise<void> =>
  follow.commit(
    { facts: "f1", network: "demo", epoch: 1 },
    {
      ...{ settled_to: 0, hole: null, due: [] },
      dropped: dropped.map((number) => ({ number, hash: `h${number}` })),
      blocks: blocks.map((number) => ({ number, hash: `h${number}` })),
      events: blocks.map((number) => ({
        ...{ id: newId("event"), account_id, rule_id, place: "0:0", kind: "movement" },
        ...{ block: { number, hash: `h${number}` }, body: JSON.stringify({ block: number }) },
      })),
      retraction: ({ id }) => ({ id: newId("event"), body: JSON.stringify({ retracts: id }) }),
    },
  );
