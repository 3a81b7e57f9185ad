import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { type CounterpartySum, categoriesOf } from "./sums.ts";

const peer = (number: string, tags: readonly string[], more: Partial<CounterpartySum>): CounterpartySum => ({
  ...{ address: hex(number.repeat(20)), tags, is_labelled: tags.length > 0, entity: null },
  ...{ in_usd: 0, out_usd: 0, limited_in_usd: 0, limited_out_usd: 0, transfers: 1, transactions: 1 },
  is_known_before: false,
  ...more,
});

test("what a stranger sent and pools do not take makes no other share smaller", () => {
  const listed = peer("11", ["sanctioned"], { in_usd: 3_000, out_usd: 50, limited_out_usd: 50 });
  const bank = peer("22", [], { in_usd: 1_000, out_usd: 150 });
  const player = peer("33", [], { in_usd: 5_100, limited_in_usd: 5_100 });
  const rows = categoriesOf([listed, bank, player]);
  // 3,000 of 4,000 in; 50 of 200 out: what a labelled counterparty moved counts, whatever it was.
  expect(rows.find(({ category }) => category === "sanctioned")).toMatchObject({
    ...{ in_usd: 3_000, share_in_percent: 75, share_out_percent: 25 },
  });
  expect(rows.find(({ category }) => category === "unlabelled")).toMatchObject({
    ...{ in_usd: 6_100, share_in_percent: 25, share_out_percent: 75, peer_count: 2 },
  });
});
