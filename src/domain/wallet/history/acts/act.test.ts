import { describe, expect, test } from "vitest";
import { historyOf, type MovementRow, OWNER } from "../../../../../test/movements.ts";
import { addressOf } from "../../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../../lib/bytes.ts";
import { atOnce } from "../../../../lib/turns.ts";
import type { ContractName } from "../../../../protocols/contracts.ts";
import { transactionsOf } from "../transactions.ts";
import { type Acts, NO_ACTS } from "./act.ts";
import type { ObservedPositionEvent, TransactionCall } from "./transaction_facts_cache.ts";

const [POOL, ROUTER, MARKET] = [addressOf(0x900), addressOf(0x901), addressOf(0x902)];
const [A, B, SHARES] = [hex("aa".repeat(20)), hex("bb".repeat(20)), hex("cc".repeat(20))];

const row = (direction: 1 | -1, token: Hex, more: Partial<MovementRow> = {}): MovementRow => ({
  ...{ block: 1, time: 12, direction, kind: "erc20", token, peer: POOL, is_own: true },
  ...more,
});

interface ActFixture {
  readonly call?: Partial<TransactionCall>;
  readonly said?: readonly ObservedPositionEvent[];
  readonly is_traded?: boolean;
  readonly names?: Readonly<Record<string, ContractName>>;
}

const actsOf = ({ call, said, is_traded = false, names = {} }: ActFixture): Acts => {
  const made = { sender: OWNER, recipient: ROUTER, selector: hex("01020304"), is_creation: false, succeeded: true };
  return {
    told: {
      calls: new Map(call === undefined ? [] : [["1:0", { ...made, ...call }]]),
      said: new Map(said === undefined ? [] : [["1:0", said]]),
      traded: new Set(is_traded ? ["1:0"] : []),
    },
    name: (address) => names[address] ?? null,
    exchanges: new Set(),
  };
};

const typeOf = (rows: readonly MovementRow[], known: ActFixture): string | undefined =>
  atOnce(transactionsOf(historyOf(rows), { acts: actsOf(known), include_spam: true })).list[0]?.type;

const said = (kind: string, has_pool = false): readonly ObservedPositionEvent[] => [
  { kind, contract: MARKET, has_pool },
];
const ROUTER_NAME: ContractName = { name: "Some router", version: null, role: "router" };

describe("a transaction that gave and received", () => {
  const traded = [row(-1, A), row(1, B)];

  test("is a trade when a pool traded or a router was called, and of unknown type otherwise", () => {
    expect(typeOf(traded, { call: {}, is_traded: true })).toBe("swap");
    expect(typeOf(traded, { call: {}, names: { [ROUTER]: ROUTER_NAME } })).toBe("swap");
    expect(typeOf(traded, { call: {} })).toBe("other");
  });

  test("two tokens for one are no liquidity without an event of a pool", () => {
    const two_for_one = [row(-1, A), row(-1, B), row(1, SHARES)];
    expect(typeOf(two_for_one, { call: {} })).toBe("other");
    expect(typeOf(two_for_one, { call: {}, said: said("increase") })).toBe("add_liquidity");
    expect(typeOf(two_for_one, { call: {}, said: said("vault_deposit", true) })).toBe("add_liquidity");
  });

  test("an NFT for money is an NFT trade, also when a trade function was called", () => {
    const bought = [row(-1, A), row(1, B, { kind: "erc721", token_id: 7n })];
    expect(typeOf(bought, { call: {}, is_traded: true })).toBe("nft_trade");
  });
});

describe("one side", () => {
  test.each([
    ["lend", -1, "deposit"],
    ["unlend", 1, "withdraw"],
    ["borrow", 1, "borrow"],
    ["repay", -1, "repay"],
    ["collect", 1, "remove_liquidity"],
  ] as const)("with the event %s of a market", (kind, direction, type) => {
    expect(typeOf([row(direction, A)], { call: {}, said: said(kind) })).toBe(type);
  });

  test("is a payment or a receipt without further evidence", () => {
    expect(typeOf([row(-1, A)], { call: {} })).toBe("send");
    expect(typeOf([row(1, A)], { call: {} })).toBe("receive");
    expect(typeOf([row(1, A, { is_own: false })], {})).toBe("receive");
    expect(typeOf([row(-1, A)], { call: { selector: "" } })).toBe("send");
  });

  // claim(): any contract may have a function of this name.
  test("a common function name counts only at a known contract", () => {
    const claim = { selector: hex("4e71d92d"), recipient: MARKET };
    const name: ContractName = { name: "Some market", version: null, role: "market" };
    expect(typeOf([row(1, A)], { call: claim })).toBe("receive");
    expect(typeOf([row(1, A)], { call: claim, names: { [MARKET]: name } })).toBe("claim");
  });
});

test("a transaction without movements is typed by its call", () => {
  const fee: MovementRow = { block: 1, time: 12, direction: -1, kind: "fee", peer: "", is_own: true };
  expect(typeOf([fee], { call: {} })).toBe("call");
  expect(typeOf([fee], { call: { selector: hex("095ea7b3") } })).toBe("approval");
  expect(typeOf([fee], { call: { is_creation: true, recipient: "" } })).toBe("deploy");
  expect(typeOf([fee], { call: {}, said: said("decrease") })).toBe("remove_liquidity");
});

test("a failed call has no type", () => {
  expect(typeOf([row(-1, A), row(1, B)], { call: { succeeded: false }, is_traded: true })).toBe("other");
});

test("without further facts the movements alone decide", () => {
  const { list } = atOnce(transactionsOf(historyOf([row(-1, A), row(1, B)]), { acts: NO_ACTS, include_spam: true }));
  expect(list.map(({ type }) => type)).toEqual(["other"]);
});
