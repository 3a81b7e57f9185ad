import { INTERFACES } from "../knowledge/names.gen.ts";
import { LENDING_MARKETS } from "../knowledge/protocols.gen.ts";
import { type Bytes, EMPTY, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type PositionFact, type Protocol } from "./protocol.ts";

/** JustLend's markets have the layout of Compound v2: an event does not name the market's asset, so `knowledge` lists the markets. */
const SOURCE = "compound-finance/compound-protocol CTokenInterfaces.sol; justlend-docs deployed_contracts";

/** Asset by market; `''` is TRX. */
const ASSETS: ReadonlyMap<Hex, Hex> = new Map(LENDING_MARKETS.map(({ market, asset }) => [market, asset]));

interface JustLendLayout {
  readonly kind: PositionFact["kind"];
  readonly words: number;
  /** Data words of the position's owner, the amount of the asset and the number of receipts (null: none). */
  readonly account: number;
  readonly amount: number;
  readonly receipts: number | null;
}

const decodeBy =
  ({ kind, words, account, amount, receipts }: JustLendLayout): Protocol["decode"] =>
  ({ address, topics, data }) => {
    const asset = ASSETS.get(toHex(address));
    if (asset === undefined || topics.length !== 1 || data.length !== words * WORD_BYTES) return NOTHING;
    return [
      {
        ...{ fact: "position", kind, position_id: null, amount1: 0n, asset: bytesOf(asset) },
        account: addressAt(data, account),
        amount0: uintAt(data, amount),
        liquidity: receipts === null ? 0n : uintAt(data, receipts),
      },
    ];
  };

const bytesOf = (hex: Hex): Bytes => fromHex(hex) ?? EMPTY;

export const justlendMint: Protocol = {
  ...{ name: "justlend_mint", source: SOURCE, event: INTERFACES.compound_v2.Mint },
  decode: decodeBy({ kind: "lend", words: 3, account: 0, amount: 1, receipts: 2 }),
};

export const justlendRedeem: Protocol = {
  ...{ name: "justlend_redeem", source: SOURCE, event: INTERFACES.compound_v2.Redeem },
  decode: decodeBy({ kind: "unlend", words: 3, account: 0, amount: 1, receipts: 2 }),
};

export const justlendBorrow: Protocol = {
  ...{ name: "justlend_borrow", source: SOURCE, event: INTERFACES.compound_v2.Borrow },
  decode: decodeBy({ kind: "borrow", words: 4, account: 0, amount: 1, receipts: null }),
};

/** The payer may be another account than the borrower. */
export const justlendRepay: Protocol = {
  ...{ name: "justlend_repay", source: SOURCE, event: INTERFACES.compound_v2.RepayBorrow },
  decode: decodeBy({ kind: "repay", words: 5, account: 1, amount: 2, receipts: null }),
};
