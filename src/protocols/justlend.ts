import { type Bytes, EMPTY, fromHex, type Hex, hex, toHex } from "../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type PositionFact, type Protocol } from "./protocol.ts";

/** JustLend's markets are Compound v2's: a market logs who, how much of its asset and how many receipts, and not which asset. */
const SOURCE = "compound-finance/compound-protocol CTokenInterfaces.sol; justlend-docs deployed_contracts";

/** Market -> what is lent there ('' = TRX). From JustLend's documentation, deployed contracts, market v1. */
const WRITTEN: readonly (readonly [market: string, asset: string])[] = [
  ["2c7c9963111905d29eb8da37d28b0f53a7bb5c28", ""], // jTRX
  ["ea09611b57e89d67fbb33a516eb90508ca95a3e5", "a614f803b6fd780986a42c78ec9c7f77e6ded13c"], // jUSDT
  ["65c9fede72ba73cd1b0dca2a974c070153dc6fcb", "e91a7411e56ce79e83570570f49b9fc35b7727c5"], // jUSDD
  ["88bb336c70a33fe2506240a19826c2ad487ae6d8", "742b023b58488b4be587bba63ed11134b02217b3"], // jUSDCOLD
  ["6ef7c4870977c6a2543b0e8cf4f659af883c96dc", "834295921a488d9d42b4b3021ed1a3c39fb0f03e"], // jUSDJ
  ["b5b1a24c3067f985ac2da2f6bce0fa685bf8ec06", "cebde71077b830b958c8da17bcddeeb85d0bcf25"], // jTUSD
  ["0dd3f1b2e5781688d5cf8c350050c5c236535642", "91bed8e784249c91611e61c4585c40e21fd0ace2"], // jUSD1
  ["22163f4926c1b7e1d22dbbc76fbef7f54d364d87", "4a7832a4c51dfbc423cf562cfcd534b88ffd4624"], // jwstUSDT
  ["5c78c77bbad44c3ebd2088e6b7b5d5f01bb0a8f5", "c64e69acde1c7b16c2a3efcdbbdaa96c3644c2b3"], // jsTRX
  ["94a7a1e585a77e2edfd834005be9f545fe1f3c97", "b4a428ab7092c2f1395f376ce297033b3bb446c1"], // jSUN
  ["cc1d948f9397db4c047de179eb74ca013529022a", "032017411f4663b317fe77c257d28d5cd1b26e3d"], // jBTT
  ["40262ab2a177fb3fc6d2709a816db3b1a10bc78e", "3dfe637b2b9ae4190a458b5f3efc1969afe27819"], // jNFT
  ["e03473f8720297d9bf887f2d7e4ec2efc70c3460", "18fd0626daf3af02389aef3ed87db9c33f638ffa"], // jJST
  ["ac456571ac5a383b77c65d9fdcd66d8ac2ed62bb", "74472e7d35395a6b5add427eecb7f4b62ad2b071"], // jWIN
  ["22f39357b77c4a2459e362ae4c6a822028dbeacc", "ca0303e8b9a738121777116dcea419fe524f271a"], // jHTX
  ["7513102bc947f138b88f4bcc6acf73acb8d4d087", "84716914c0fdf7110a44030d04d0c4923504d9cc"], // jBTC
  ["db856d6b452971e16b9fc85169b14b781aa5d442", "f95335a4d42db4b70a9688a393279f2c90fa1025"], // jWBTC
  ["ddcbbcb2f17db034fc970fbd87ffa7da51bebbfc", "a7a572f6d8b4ca291b9353cf26580abed74f3e31"], // jETHB
  ["a60befaf69b18090b762a83177f09831773967ea", "53908308f4aa220fb10d778b5d1b34489cd6edfc"], // jETH
  ["cba95c5726a36046503570496e2c5a457ed7c008", "6a6337ae47a09aea0bbd4faeb23ca94349c7b774"], // jWBTT
  ["71169cc742905196d4ae1b6330e5366b5459a3dc", "83c91bfde3e6d130e286a3722f171ae49fb25047"], // jBUSDOLD
  ["e7f8a90ede3d84c7c0166bd84a4635e4675accfc", "94f24e992ca04b49c6f2a2753076ef8938ed4daa"], // jUSDDOLD
  ["4434beca3ac7d96e2b4eef1974cf9bddcb7a328b", "6b5151320359ec18b08607c70a3b7439af626aa3"], // jSUNOLD
];
const ASSETS: ReadonlyMap<Hex, Hex> = new Map(WRITTEN.map(([market, asset]) => [hex(market), hex(asset)]));

interface Layout {
  readonly kind: PositionFact["kind"];
  readonly words: number;
  /** Words of the data that hold whose position it is, how much of the asset, and how many receipts (null: none). */
  readonly account: number;
  readonly amount: number;
  readonly receipts: number | null;
}

const decodeBy =
  ({ kind, words, account, amount, receipts }: Layout): Protocol["decode"] =>
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
  ...{ name: "justlend_mint", source: SOURCE, event: "Mint(address,uint256,uint256)" },
  decode: decodeBy({ kind: "lend", words: 3, account: 0, amount: 1, receipts: 2 }),
};

export const justlendRedeem: Protocol = {
  ...{ name: "justlend_redeem", source: SOURCE, event: "Redeem(address,uint256,uint256)" },
  decode: decodeBy({ kind: "unlend", words: 3, account: 0, amount: 1, receipts: 2 }),
};

export const justlendBorrow: Protocol = {
  ...{ name: "justlend_borrow", source: SOURCE, event: "Borrow(address,uint256,uint256,uint256)" },
  decode: decodeBy({ kind: "borrow", words: 4, account: 0, amount: 1, receipts: null }),
};

/** Who pays need not be who owes. */
export const justlendRepay: Protocol = {
  ...{ name: "justlend_repay", source: SOURCE, event: "RepayBorrow(address,address,uint256,uint256,uint256)" },
  decode: decodeBy({ kind: "repay", words: 5, account: 1, amount: 2, receipts: null }),
};
