import type { WordGroup } from "./word.ts";

/** Routers and what is added to or taken from pools. Sources: the protocols' own public interfaces. */
export const ROUTERS: readonly WordGroup[] = [
  { type: "collect_fees", protocol: null, functions: ["collect((uint256,address,uint128,uint128))"] },
  { type: "collect_fees", protocol: null, is_minor: true, events: ["Collect(uint256,address,uint256,uint256)"] },
  // Uniswap/v4-core IPoolManager.sol
  {
    ...{ type: "add_liquidity", protocol: "Uniswap v4", is_minor: true },
    events: ["ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)"],
  },
  ...(["add_liquidity", "remove_liquidity"] as const).map((type) => ({
    ...{ type, protocol: "Uniswap v4" },
    functions: ["modifyLiquidities(bytes,uint256)"],
  })),
  // Routers whose function says that it is a trade
  {
    ...{ type: "swap", protocol: null },
    functions: [
      "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)",
      "swapTokensForExactTokens(uint256,uint256,address[],address,uint256)",
      "swapExactETHForTokens(uint256,address[],address,uint256)",
      "swapTokensForExactETH(uint256,uint256,address[],address,uint256)",
      "swapExactTokensForETH(uint256,uint256,address[],address,uint256)",
      "swapETHForExactTokens(uint256,address[],address,uint256)",
      "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
      "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)",
      "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
      "swapExactTokensForTokens(uint256,uint256,address[],address)",
      "swapTokensForExactTokens(uint256,uint256,address[],address)",
      "swapExactTokensForTokens(uint256,uint256,(address,address,bool)[],address,uint256)",
      "swapExactETHForTokens(uint256,(address,address,bool)[],address,uint256)",
      "swapExactTokensForETH(uint256,uint256,(address,address,bool)[],address,uint256)",
      "swapExactTokensForTokensSimple(uint256,uint256,address,address,bool,address,uint256)",
      "swapExactTokensForTokens(uint256,uint256,(address,address,bool,address)[],address,uint256)",
      "swapExactETHForTokens(uint256,(address,address,bool,address)[],address,uint256)",
      "swapExactTokensForETH(uint256,uint256,(address,address,bool,address)[],address,uint256)",
      "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
      "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
      "exactInputSingle((address,address,address,uint256,uint256,uint256,uint160))",
      "exactInputSingle((address,address,int24,address,uint256,uint256,uint256,uint160))",
      "exactInput((bytes,address,uint256,uint256,uint256))",
      "exactInput((bytes,address,uint256,uint256))",
      "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
      "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))",
      "exactOutput((bytes,address,uint256,uint256,uint256))",
      "exactOutput((bytes,address,uint256,uint256))",
      ...["exchange(int128,int128,uint256,uint256)", "exchange(uint256,uint256,uint256,uint256)"],
      ...["exchange_underlying(int128,int128,uint256,uint256)", "exchange(uint256,uint256,uint256,uint256,bool)"],
      ...["exchange(int128,int128,uint256,uint256,address)", "swap(uint8,uint8,uint256,uint256,uint256)"],
      "exchange(address[11],uint256[5][5],uint256,uint256)",
      "exchange(address[11],uint256[5][5],uint256,uint256,address[5])",
      "exchange(address[11],uint256[4][5],uint256,uint256,address[5],address)",
      "exchange_multiple(address[9],uint256[3][4],uint256,uint256)",
      ...["ethToTokenSwapInput(uint256,uint256)", "tokenToEthSwapInput(uint256,uint256,uint256)"],
      ...["swap(address[],uint256,uint256,address)", "swapETHToTokens(address[],uint256,address)"],
      ...[
        "swapTokensToETH(address[],uint256,uint256,address)",
        "swapNoSplit((uint256,address[],address[]),address,uint256)",
      ],
    ],
  },
  // 1inch aggregation routers
  {
    ...{ type: "swap", protocol: "1inch" },
    functions: [
      ...["unoswap(address,uint256,uint256,bytes32[])", "unoswap(address,uint256,uint256,uint256[])"],
      ...["uniswapV3Swap(uint256,uint256,uint256[])", "unoswapTo(address,address,uint256,uint256,uint256[])"],
      ...[
        "unoswap(uint256,uint256,uint256,uint256)",
        "ethUnoswap(uint256,uint256)",
        "clipperSwap(address,address,uint256,uint256)",
      ],
      ...["uniswapV3SwapTo(address,uint256,uint256,uint256[])", "ethUnoswapTo(uint256,uint256,uint256)"],
      "swap(address,(address,address,address,address,uint256,uint256,uint256),bytes,bytes)",
      "swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)",
    ],
  },
  { type: "swap", protocol: "1inch", actor: "t1", events: ["OrderFilled(address,bytes32,uint256)"] },
  {
    ...{ type: "swap", protocol: "1inch", is_minor: true },
    events: ["OrderFilledRFQ(bytes32,uint256)", "OrderFilled(bytes32,uint256)"],
  },
  // 0xProject/protocol zero-ex
  {
    ...{ type: "swap", protocol: "0x" },
    functions: [
      "transformERC20(address,address,uint256,uint256,(uint32,bytes)[])",
      "sellToUniswap(address[],uint256,uint256,bool)",
      "sellEthForTokenToUniswapV3(bytes,uint256,address)",
      "sellTokenForEthToUniswapV3(bytes,uint256,uint256,address)",
      "sellTokenForTokenToUniswapV3(bytes,uint256,uint256,address)",
      "sellToLiquidityProvider(address,address,address,address,uint256,uint256,bytes)",
      "multiplexBatchSellTokenForToken(address,address,(uint8,uint256,bytes)[],uint256,uint256)",
      "multiplexBatchSellEthForToken(address,(uint8,uint256,bytes)[],uint256)",
      "multiplexBatchSellTokenForEth(address,(uint8,uint256,bytes)[],uint256,uint256)",
      "execute((address,address,uint256),bytes[],bytes32)",
      "executeMetaTxn((address,address,uint256),bytes[],bytes32,address,bytes)",
    ],
    events: ["TransformedERC20(address,address,address,uint256,uint256)"],
  },
  { type: "swap", protocol: "0x", actor: "w1", events: ["MetaTransactionExecuted(bytes32,bytes4,address,address)"] },
  {
    type: "swap",
    protocol: "0x",
    is_minor: true,
    events: ["OtcOrderFilled(bytes32,address,address,address,address,uint128,uint128)"],
  },
  // cowprotocol/contracts GPv2Settlement.sol
  {
    ...{ type: "swap", protocol: "CoW Protocol", actor: "t1" },
    events: ["Trade(address,address,address,uint256,uint256,uint256,bytes)"],
  },
  // Uniswap/UniswapX BaseReactor.sol
  { type: "swap", protocol: "UniswapX", actor: "t3", events: ["Fill(bytes32,address,address,uint256)"] },
  // KyberNetwork MetaAggregationRouterV2
  {
    ...{ type: "swap", protocol: "KyberSwap", is_minor: true },
    events: ["ClientData(bytes)"],
  },
  {
    type: "swap",
    protocol: null,
    is_minor: true,
    events: ["Swapped(address,address,address,address,uint256,uint256)", "Exchange(address,uint256,address)"],
  },
  // odos-xyz router v2
  { type: "swap", protocol: "Odos v2", functions: ["swapCompact()"] },
  {
    ...{ type: "swap", protocol: "Odos", actor: "w0" },
    events: [
      "Swap(address,uint256,address,uint256,address,int256,uint32)",
      "SwapMulti(address,uint256[],address[],uint256[],address[],uint32)",
    ],
    functions: ["swap((address,uint256,address,address,uint256,uint256,address),bytes,address,uint32)"],
  },
  // lifinance/contracts GenericSwapFacet
  {
    ...{ type: "swap", protocol: "LI.FI" },
    events: [
      "LiFiGenericSwapCompleted(bytes32,string,string,address,address,address,uint256,uint256)",
      "LiFiSwappedGeneric(bytes32,string,string,address,address,uint256,uint256)",
    ],
  },
  // MetaMask Swap Router
  {
    type: "swap",
    protocol: "MetaMask",
    functions: ["swap(string,address,uint256,bytes)"],
    events: ["Swap(string,address)"],
  },
  // sushiswap RouteProcessor
  {
    ...{ type: "swap", protocol: "SushiSwap" },
    functions: [
      "processRoute(address,uint256,address,uint256,address,bytes)",
      "processRouteWithTransferValueOutput(address,uint256,address,uint256,address,uint256,address,bytes)",
      "processRouteWithTransferValueInput(address,uint256,address,uint256,address,uint256,address,bytes)",
    ],
    events: ["Route(address,address,address,address,uint256,uint256,uint256)"],
  },
  // paraswap-v5, augustus v6
  {
    ...{ type: "swap", protocol: "ParaSwap" },
    functions: [
      "simpleSwap((address,address,uint256,uint256,uint256,address[],bytes,uint256[],uint256[],address,address,uint256,bytes,uint256,bytes16))",
      "swapOnUniswap(uint256,uint256,address[])",
      "swapOnUniswapFork(address,bytes32,uint256,uint256,address[])",
      "swapOnUniswapV2Fork(address,uint256,uint256,address,uint256[])",
      "swapExactAmountIn(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)",
    ],
    events: [
      "SwappedV3(bytes16,address,uint256,address,address,address,address,uint256,uint256,uint256)",
      "BoughtV3(bytes16,address,uint256,address,address,address,address,uint256,uint256,uint256)",
      "Swapped(address,address,address,address,uint256,uint256,uint256,string)",
    ],
  },
  // pendle-finance/pendle-core-v2-public
  {
    ...{ type: "swap", protocol: "Pendle" },
    events: [
      "SwapPtAndToken(address,address,address,address,int256,int256,uint256)",
      "SwapYtAndToken(address,address,address,address,int256,int256,uint256)",
      "SwapPtAndSy(address,address,address,int256,int256)",
      "SwapYtAndSy(address,address,address,int256,int256)",
      "SwapPtAndYt(address,address,address,int256,int256,uint256)",
    ],
  },
  { type: "swap", protocol: "Pendle", is_minor: true, events: ["Swap(address,address,int256,int256,uint256,uint256)"] },
  {
    ...{ type: "add_liquidity", protocol: "Pendle" },
    events: [
      "AddLiquiditySingleToken(address,address,address,address,uint256,uint256,uint256)",
      "AddLiquiditySinglePt(address,address,address,uint256,uint256)",
      "AddLiquidityDualTokenAndPt(address,address,address,address,uint256,uint256,uint256,uint256)",
      "AddLiquiditySingleTokenKeepYt(address,address,address,address,uint256,uint256,uint256,uint256,uint256)",
    ],
  },
];
