import type { WordGroup } from "./word.ts";

/** Routers, aggregators and pools. Sources: the protocols' own public interfaces. */
export const EXCHANGE: readonly WordGroup[] = [
  // Pools of known families whose swaps say no more than that a trade took place there.
  {
    ...{ type: "swap", protocol: null, is_minor: true },
    events: [
      "Swap(address,uint256,uint256,uint256,uint256,address)",
      "Swap(address,address,uint256,uint256,uint256,uint256)",
      "Swap(address,address,int256,int256,uint160,uint128,int24)",
      "Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)",
      "Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)",
      "Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)",
      "Swap(address,address,uint24,bytes32,bytes32,uint24,bytes32,bytes32)",
      "Swap(address,address,uint256,bool,uint256,uint256,uint256,uint256)",
      "Swap(address,uint256,uint256,uint256,uint256,uint256,address)",
      "Swap(address,address,uint256,uint256)",
      "Swap(address,address,address,uint256,uint256)",
      "Swap(address,address,address,address,uint256,uint256)",
      "Swap(address,address,(uint256,bool,bool,int32),uint256,uint256)",
      "PoolSwap(address,address,(uint256,bool,bool,int32),uint256,uint256)",
      "PairSwap(uint256,uint256,uint256,uint256,uint256,address)",
      "TokensTraded(address,address,uint256,uint256,address)",
      "Conversion(address,address,address,uint256,uint256,int256)",
      "SwapExecuted(address,address,address,uint256,uint256)",
      "Exchange(address,uint256,address,uint256,uint256)",
      "Trade(address,address,address,uint256,uint256)",
      "KyberTrade(address,address,address,uint256,address,uint256,uint256)",
      "ExecuteTrade(address,address,address,uint256,uint256)",
      "TokenSwap(address,uint256,uint256,uint128,uint128)",
      "LogTake(bytes32,bytes32,address,address,address,address,uint128,uint128,uint64)",
      "SwappedV3(bytes16,address,uint256,address,address,address,address,uint256,uint256,uint256)",
    ],
  },
  // curvefi/curve-contract, curve-crypto-contract, stableswap-ng, twocrypto-ng
  {
    ...{ type: "swap", protocol: "Curve", is_minor: true },
    events: [
      "TokenExchange(address,int128,uint256,int128,uint256)",
      "TokenExchangeUnderlying(address,int128,uint256,int128,uint256)",
      "TokenExchange(address,uint256,uint256,uint256,uint256)",
      "TokenExchange(address,uint256,uint256,uint256,uint256,uint256,uint256)",
    ],
  },
  // balancer-labs: pool (v1), vault (v2), vault (v3)
  {
    type: "swap",
    protocol: "Balancer v1",
    is_minor: true,
    events: ["LOG_SWAP(address,address,address,uint256,uint256)"],
  },
  { type: "swap", protocol: "Balancer v2", is_minor: true, events: ["Swap(bytes32,address,address,uint256,uint256)"] },
  {
    ...{ type: "swap", protocol: "Balancer v3", is_minor: true },
    events: ["Swap(address,address,address,uint256,uint256,uint256,uint256)"],
  },
  { type: "add_liquidity", protocol: "Balancer v1", actor: "t1", events: ["LOG_JOIN(address,address,uint256)"] },
  { type: "remove_liquidity", protocol: "Balancer v1", actor: "t1", events: ["LOG_EXIT(address,address,uint256)"] },
  {
    type: "add_liquidity",
    protocol: "Balancer v2",
    functions: ["joinPool(bytes32,address,address,(address[],uint256[],bytes,bool))"],
  },
  {
    type: "remove_liquidity",
    protocol: "Balancer v2",
    functions: ["exitPool(bytes32,address,address,(address[],uint256[],bytes,bool))"],
  },
  {
    ...{ type: "swap", protocol: "Balancer v2" },
    functions: [
      "swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)",
      "batchSwap(uint8,(bytes32,uint256,uint256,uint256,bytes)[],address[],(address,bool,address,bool),int256[],uint256)",
    ],
  },
  {
    ...{ type: "add_liquidity", protocol: "Balancer v3", actor: "t2" },
    events: ["LiquidityAdded(address,address,uint8,uint256,uint256[],uint256[])"],
  },
  {
    ...{ type: "remove_liquidity", protocol: "Balancer v3", actor: "t2" },
    events: ["LiquidityRemoved(address,address,uint8,uint256,uint256[],uint256[])"],
  },
  // Saddle and its forks, Curve
  {
    ...{ type: "add_liquidity", protocol: null, actor: "t1" },
    events: [
      "AddLiquidity(address,uint256[],uint256[],uint256,uint256)",
      ...[
        "AddLiquidity(address,uint256[2],uint256[2],uint256,uint256)",
        "AddLiquidity(address,uint256[3],uint256[3],uint256,uint256)",
      ],
      ...[
        "AddLiquidity(address,uint256[4],uint256[4],uint256,uint256)",
        "AddLiquidity(address,uint256[2],uint256,uint256)",
      ],
      ...[
        "AddLiquidity(address,uint256[3],uint256,uint256)",
        "AddLiquidity(address,uint256[2],uint256,uint256,uint256)",
      ],
      "AddLiquidity(address,uint256[3],uint256,uint256,uint256)",
    ],
    functions: [
      "deposit_and_stake(address,address,address,uint256,address[5],uint256[5],uint256,bool,address)",
      "deposit_and_stake(address,address,address,uint256,address[],uint256[],uint256,bool,bool,address)",
      ...[
        "add_liquidity(uint256[2],uint256)",
        "add_liquidity(uint256[3],uint256)",
        "add_liquidity(uint256[4],uint256)",
      ],
      ...[
        "add_liquidity(uint256[],uint256)",
        "add_liquidity(uint256[2],uint256,bool)",
        "add_liquidity(address,uint256[4],uint256)",
      ],
      ...[
        "add_liquidity(address,uint256[3],uint256)",
        "add_liquidity(uint256[3],uint256,bool)",
        "addLiquidity(uint256[],uint256,uint256)",
      ],
    ],
  },
  {
    ...{ type: "remove_liquidity", protocol: null, actor: "t1" },
    events: [
      ...[
        "RemoveLiquidity(address,uint256[2],uint256[2],uint256)",
        "RemoveLiquidity(address,uint256[3],uint256[3],uint256)",
      ],
      ...[
        "RemoveLiquidity(address,uint256[4],uint256[4],uint256)",
        "RemoveLiquidity(address,uint256[],uint256[],uint256)",
      ],
      ...["RemoveLiquidity(address,uint256[2],uint256)", "RemoveLiquidity(address,uint256[3],uint256)"],
      ...["RemoveLiquidity(address,uint256[],uint256)", "RemoveLiquidityOne(address,uint256,uint256)"],
      ...[
        "RemoveLiquidityOne(address,uint256,uint256,uint256)",
        "RemoveLiquidityOne(address,int128,uint256,uint256,uint256)",
      ],
      ...[
        "RemoveLiquidityOne(address,uint256,uint256,uint256,uint256)",
        "RemoveLiquidityOne(address,uint256,uint256,uint256,uint256,uint256)",
      ],
      "RemoveLiquidityImbalance(address,uint256[2],uint256[2],uint256,uint256)",
      "RemoveLiquidityImbalance(address,uint256[3],uint256[3],uint256,uint256)",
      "RemoveLiquidityImbalance(address,uint256[4],uint256[4],uint256,uint256)",
    ],
    functions: [
      ...[
        "remove_liquidity(uint256,uint256[2])",
        "remove_liquidity(uint256,uint256[3])",
        "remove_liquidity(uint256,uint256[4])",
      ],
      ...["remove_liquidity_one_coin(uint256,int128,uint256)", "remove_liquidity_one_coin(uint256,uint256,uint256)"],
      ...[
        "remove_liquidity_one_coin(address,uint256,int128,uint256)",
        "remove_liquidity_one_coin(uint256,int128,uint256,bool)",
      ],
      ...["remove_liquidity(uint256,uint256[])", "remove_liquidity_one_coin(uint256,uint256,uint256,bool)"],
      ...["removeLiquidity(uint256,uint256[],uint256)", "removeLiquidityOneToken(uint256,uint8,uint256,uint256)"],
    ],
  },
  // Uniswap v2 routers and Solidly's
  {
    ...{ type: "add_liquidity", protocol: null },
    functions: [
      "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)",
      "addLiquidityETH(address,uint256,uint256,uint256,address,uint256)",
      "addLiquidity(address,address,bool,uint256,uint256,uint256,uint256,address,uint256)",
      "addLiquidityETH(address,bool,uint256,uint256,uint256,address,uint256)",
      "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))",
      "mint((address,address,int24,int24,uint256,uint256,uint256,uint256,address,uint256))",
      "mint((address,address,int24,int24,int24,uint256,uint256,uint256,uint256,address,uint256,uint160))",
      "mint((address,address,address,int24,int24,uint256,uint256,uint256,uint256,address,uint256))",
      "increaseLiquidity((uint256,uint256,uint256,uint256,uint256,uint256))",
    ],
    events: [
      "IncreaseLiquidity(uint256,uint128,uint256,uint256)",
      "IncreaseLiquidity(uint256,uint128,uint128,uint256,uint256,address)",
    ],
  },
  {
    ...{ type: "remove_liquidity", protocol: null },
    functions: [
      "removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)",
      "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)",
      "removeLiquidityETHSupportingFeeOnTransferTokens(address,uint256,uint256,uint256,address,uint256)",
      "removeLiquidityWithPermit(address,address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)",
      "removeLiquidityETHWithPermit(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)",
      "removeLiquidity(address,address,bool,uint256,uint256,uint256,address,uint256)",
      "removeLiquidityETH(address,bool,uint256,uint256,uint256,address,uint256)",
      "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))",
    ],
    events: ["DecreaseLiquidity(uint256,uint128,uint256,uint256)"],
  },
];
