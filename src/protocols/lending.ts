import type { Bytes } from "../lib/bytes.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type PositionFact, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

/** Aave's pools and their forks. The first topic names the reserve, a later one whose position it is. */
const V2 = "aave/protocol-v2 LendingPool.sol";
const V3 = "aave-v3-core IPool.sol";

interface Layout {
  readonly kind: PositionFact["kind"];
  readonly topics: number;
  readonly words: number;
  /** Topic that names the holder of the position. */
  readonly account: number;
  /** Word of the data that holds the amount. */
  readonly amount: number;
}

const decodeBy = ({ kind, topics: wanted, words, account, amount }: Layout): Protocol["decode"] => {
  const said = (reserve: Bytes, holder: Bytes, data: Bytes): PositionFact => ({
    fact: "position",
    kind,
    asset: topicAddress(reserve),
    account: topicAddress(holder),
    position_id: null,
    amount0: uintAt(data, amount),
    amount1: 0n,
    liquidity: 0n,
  });
  return ({ topics, data }) => {
    const [reserve, holder] = [topics[1], topics[account]];
    if (topics.length !== wanted || data.length !== words * WORD_BYTES || !reserve || !holder) return NOTHING;
    return [said(reserve, holder, data)];
  };
};

const supply: Layout = { kind: "lend", topics: 4, words: 2, account: 2, amount: 1 };

export const aaveV2Deposit: Protocol = {
  name: "aave_v2_deposit",
  source: V2,
  event: "Deposit(address,address,address,uint256,uint16)",
  decode: decodeBy(supply),
};

export const aaveV3Supply: Protocol = {
  name: "aave_v3_supply",
  source: V3,
  event: "Supply(address,address,address,uint256,uint16)",
  decode: decodeBy(supply),
};

/** The same event in both versions. */
export const aaveWithdraw: Protocol = {
  name: "aave_withdraw",
  source: V2,
  event: "Withdraw(address,address,address,uint256)",
  decode: decodeBy({ kind: "unlend", topics: 4, words: 1, account: 2, amount: 0 }),
};

const borrow: Layout = { kind: "borrow", topics: 4, words: 4, account: 2, amount: 1 };

export const aaveV2Borrow: Protocol = {
  name: "aave_v2_borrow",
  source: V2,
  event: "Borrow(address,address,address,uint256,uint256,uint256,uint16)",
  decode: decodeBy(borrow),
};

export const aaveV3Borrow: Protocol = {
  name: "aave_v3_borrow",
  source: V3,
  event: "Borrow(address,address,address,uint256,uint8,uint256,uint16)",
  decode: decodeBy(borrow),
};

export const aaveV2Repay: Protocol = {
  name: "aave_v2_repay",
  source: V2,
  event: "Repay(address,address,address,uint256)",
  decode: decodeBy({ kind: "repay", topics: 4, words: 1, account: 2, amount: 0 }),
};

export const aaveV3Repay: Protocol = {
  name: "aave_v3_repay",
  source: V3,
  event: "Repay(address,address,address,uint256,bool)",
  decode: decodeBy({ kind: "repay", topics: 4, words: 2, account: 2, amount: 0 }),
};
