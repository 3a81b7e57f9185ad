import type { WordGroup } from "./word.ts";

/** Aggregators, orders and sales of pieces. Sources: the protocols' own public interfaces. */
export const AGGREGATORS: readonly WordGroup[] = [
  {
    ...{ type: "remove_liquidity", protocol: "Pendle" },
    events: [
      "RemoveLiquiditySingleToken(address,address,address,address,uint256,uint256,uint256)",
      "RemoveLiquidityDualTokenAndPt(address,address,address,address,uint256,uint256,uint256,uint256)",
    ],
  },
  // gmx-io/gmx-contracts
  { type: "swap", protocol: "GMX v1", events: ["Swap(address,address,address,uint256,uint256)"], is_minor: true },
  {
    type: "swap",
    protocol: "GMX v1",
    is_minor: true,
    events: ["Swap(address,address,address,uint256,uint256,uint256,uint256)"],
  },
  {
    ...{ type: "place_order", protocol: "GMX v1", actor: "t1" },
    functions: [
      "createIncreasePosition(address[],address,uint256,uint256,uint256,bool,uint256,uint256,bytes32,address)",
      "createIncreasePositionETH(address[],address,uint256,uint256,bool,uint256,uint256,bytes32,address)",
      "createDecreasePosition(address[],address,uint256,uint256,bool,address,uint256,uint256,uint256,bool,address)",
    ],
    events: [
      "CreateIncreasePosition(address,address[],address,uint256,uint256,uint256,bool,uint256,uint256,uint256,uint256,uint256,uint256)",
      "CreateDecreasePosition(address,address[],address,uint256,uint256,bool,address,uint256,uint256,uint256,uint256,uint256,uint256,uint256)",
    ],
  },
  // woonetwork
  {
    type: "swap",
    protocol: "WOOFi",
    events: [
      "WooSwap(address,address,uint256,uint256,address,address,address)",
      "WooRouterSwap(uint8,address,address,uint256,uint256,address,address,address)",
      "WooSwap(address,address,uint256,uint256,address,address,address,uint256,uint256)",
    ],
  },
  // DODOEX
  {
    type: "swap",
    protocol: "DODO",
    events: [
      "DODOSwap(address,address,uint256,uint256,address,address)",
      "OrderHistory(address,address,address,uint256,uint256)",
    ],
  },
  // LlamaSwap's LlamaZip has one fallback
  // ProjectOpenSea/seaport, Blur
  {
    ...{ type: "nft_purchase", protocol: "OpenSea", is_minor: true },
    events: [
      "OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])",
    ],
  },
  {
    ...{ type: "nft_purchase", protocol: "Blur", is_minor: true },
    events: [
      "Execution721Packed(bytes32,uint256,uint256)",
      "Execution721TakerFeePacked(bytes32,uint256,uint256,uint256)",
      "Execution721MakerFeePacked(bytes32,uint256,uint256,uint256)",
    ],
  },
  {
    type: "nft_purchase",
    protocol: "LooksRare",
    is_minor: true,
    events: ["TakerBid(bytes32,uint256,address,address,address,address,address,uint256,uint256,uint256)"],
  },
  // 0x settler through the allowance holder
  { type: "swap", protocol: "0x", functions: ["exec(address,address,uint256,address,bytes)"] },
  // rainbow-me/swaps
  {
    type: "swap",
    protocol: "Rainbow",
    functions: [
      "fillQuoteEthToToken(address,address,bytes,uint256)",
      "fillQuoteTokenToEth(address,address,bytes,uint256,uint256)",
      "fillQuoteTokenToToken(address,address,address,bytes,uint256,uint256)",
    ],
  },
  // lifinance GenericSwapFacetV3
  {
    ...{ type: "swap", protocol: "LI.FI" },
    functions: [
      "swapTokensSingleV3ERC20ToERC20(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool))",
      "swapTokensSingleV3ERC20ToNative(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool))",
      "swapTokensSingleV3NativeToERC20(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool))",
      "swapTokensMultipleV3ERC20ToERC20(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool)[])",
      "swapTokensMultipleV3ERC20ToNative(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool)[])",
      "swapTokensMultipleV3NativeToERC20(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool)[])",
      "swapTokensGeneric(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool)[])",
    ],
  },
  // pendle: principal, yield and standardized tokens made and redeemed
  {
    type: "deposit",
    protocol: "Pendle",
    events: [
      "MintPyFromToken(address,address,address,address,uint256,uint256,uint256)",
      "MintSyFromToken(address,address,address,address,uint256,uint256)",
      "MintPyFromSy(address,address,address,uint256,uint256)",
    ],
  },
  {
    type: "withdraw",
    protocol: "Pendle",
    events: [
      "RedeemPyToToken(address,address,address,address,uint256,uint256,uint256)",
      "RedeemSyToToken(address,address,address,address,uint256,uint256)",
      "RedeemPyToSy(address,address,address,uint256,uint256)",
    ],
  },
  // KyberNetwork's old proxy, bancor's network, DODO, Tokenlon
  {
    type: "swap",
    protocol: null,
    functions: [
      "trade(address,uint256,address,address,uint256,uint256,address)",
      "tradeWithHint(address,uint256,address,address,uint256,uint256,address,bytes)",
      "convertByPath(address[],uint256,uint256,address,address,uint256)",
      "tradeBySourceAmount(address,address,uint256,uint256,uint256,address)",
    ],
  },
  {
    type: "swap",
    protocol: null,
    functions: [
      "multihopBatchSwapExactIn((address,address,address,uint256,uint256,uint256)[][],address,address,uint256,uint256)",
      "swapExactAmountIn(address,uint256,address,uint256,uint256)",
      "swapExactAmountOut(address,uint256,address,uint256,uint256)",
    ],
  },
  // balancer v1 pools, v3 router
  {
    type: "add_liquidity",
    protocol: null,
    functions: [
      "joinPool(uint256,uint256[])",
      "joinswapExternAmountIn(address,uint256,uint256)",
      "addLiquidityProportional(address,uint256[],uint256,bool,bytes)",
      "addLiquidityUnbalanced(address,uint256[],uint256,bool,bytes)",
    ],
  },
  {
    type: "remove_liquidity",
    protocol: null,
    functions: [
      "exitPool(uint256,uint256[])",
      "exitswapPoolAmountIn(address,uint256,uint256)",
      "removeLiquidityProportional(address,uint256,uint256[],bool,bytes)",
      "removeLiquiditySingleTokenExactIn(address,uint256,address,uint256,bool,bytes)",
    ],
  },
  // openocean, magpie, firebird: one entry function each
  {
    type: "swap",
    protocol: null,
    functions: [
      "swap(address,(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes),(uint256,uint256,uint256,bytes)[])",
      "swap((address,uint256,address,address,uint256,uint256,address),bytes,address,uint32)",
    ],
  },
  // orders that somebody fills later
  {
    type: "place_order",
    protocol: "CoW Protocol",
    functions: ["createOrder((address,address,uint256,uint256,bytes32,uint256,uint32,bool,int64))"],
    events: [
      "OrderPlacement(address,(address,address,address,uint256,uint256,uint32,bytes32,uint256,bytes32,bool,bytes32,bytes32),(uint8,bytes),bytes)",
    ],
  },
  {
    type: "place_order",
    protocol: "CoW Protocol",
    functions: ["setPreSignature(bytes,bool)", "invalidateOrder(bytes)"],
    events: ["OrderInvalidated(address,bytes)", "PreSignature(address,bytes,bool)"],
    is_known: true,
    is_minor: true,
  },
  {
    ...{ type: "swap", protocol: "Magpie", is_known: true },
    functions: ["swapWithMagpieSignature(bytes)", "swapWithoutMagpieSignature(bytes)", "swapWithUserSignature(bytes)"],
  },
  {
    ...{ type: "swap", protocol: "Socket" },
    events: ["SocketSwapTokens(address,address,uint256,uint256,bytes32,address,bytes32)"],
  },
];
