/** Contracts that say and log what is not so. */
import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiParameters } from "viem/utils";
import { DOLLAR, ETHER } from "../../../src/demo/evm/act.ts";
import { projectCode } from "../../../src/demo/evm/artifacts.ts";
import type { HexText } from "../../../src/demo/evm/rpc.ts";
import { PLAYER, PLAYER_HOUR } from "../honest_world.ts";
import type { Player } from "../player.ts";
import { give, type Strategy } from "./strategy.ts";

const QUIET_S = 2_400;
const HUGE = 10n ** 12n * ETHER;

const encode = (types: string, values: readonly unknown[]): HexText =>
  encodeAbiParameters(parseAbiParameters(types), values as unknown[]);

/** Answers of a coin: name, symbol, decimals, supply, a balance for everyone, and agreement to everything. */
const coinAnswers = (name: string, symbol: string, decimals: number): Readonly<Record<string, HexText>> => ({
  "name()": encode("string", [name]),
  "symbol()": encode("string", [symbol]),
  "decimals()": encode("uint8", [decimals]),
  "totalSupply()": encode("uint256", [HUGE]),
});
const YES = encode("bool", [true]);
/** Selectors identify functions with arguments. */
const SELECTORS = { balanceOf: "0x70a08231", transfer: "0xa9059cbb", transferFrom: "0x23b872dd" } as const;

const liarCoin = async (player: Player, name: string, face: readonly [string, string, number]): Promise<void> => {
  await player.liar(name, coinAnswers(...face));
  await player.act(name, ["say(bytes4,bytes)", [SELECTORS.balanceOf, encode("uint256", [HUGE])]]);
  for (const one of [SELECTORS.transfer, SELECTORS.transferFrom])
    await player.act(name, ["say(bytes4,bytes)", [one, YES]]);
};

/** A log of an event, by its signature with `indexed`, from one of the player's contracts. */
const log = async (
  player: Player,
  from: string,
  [event, args]: readonly [string, Readonly<Record<string, unknown>>],
) => {
  const abi = parseAbi([event] as readonly string[]);
  const [item] = abi;
  if (item?.type !== "event") throw new Error(`${event} is no event`);
  const named = Object.fromEntries(
    Object.entries(args).map(
      ([key, value]) =>
        [
          key,
          typeof value === "string" && value.startsWith("@") ? player.stage.address(value.slice(1)) : value,
        ] as const,
    ),
  );
  const topics = encodeEventTopics({ abi, eventName: item.name, args: named } as never);
  const plain = item.inputs.filter((input) => !("indexed" in input && input.indexed === true));
  const data = encodeAbiParameters(plain, plain.map(({ name }) => named[name ?? ""]) as never);
  await player.act(from, ["emitLog(bytes32[],bytes)", [topics, data]]);
};

const TRANSFER = "event Transfer(address indexed from, address indexed to, uint256 value)";
const PAIR_CREATED = "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 number)";
const SYNC = "event Sync(uint112 reserve0, uint112 reserve1)";
const SWAP =
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)";
const SUPPLY =
  "event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)";

/** Coins with the names of honest ones, in real pools with the honest token and an own one. */
const namesakes = async (player: Player): Promise<void> => {
  const { stage, world } = player;
  for (const [name, face] of [
    ["fake_usdc", ["USD Coin", "USDC", 6]],
    ["fake_weth", ["Wrapped Ether", "WETH", 18]],
  ] as const)
    await stage.create(name, {
      from: PLAYER,
      code: projectCode("PlainToken"),
      args: ["string,string,uint8,uint256,address", [...face, HUGE, PLAYER]],
    });
  await player.pool("fake_pair", [
    ["fake_usdc", 2_000_000_000n * DOLLAR],
    ["fake_weth", 1_000n * ETHER],
  ]);
  await player.pool("fake_dollar_pair", [
    ["fake_usdc", 1_000_000n * DOLLAR],
    ["usdc", 3_000n * DOLLAR],
  ]);
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  await give(player, ["fake_usdc", "bob", 10n ** 6n * DOLLAR]);
  await give(player, ["fake_weth", "bob", 1_000n * ETHER]);
};

/** A factory and a pool of no known protocol: they log pools, reserves and trades of honest coins. */
const imitatedFactory = async (player: Player): Promise<void> => {
  const { stage, world } = player;
  const first = stage.address("harbor").toLowerCase() < stage.address("usdc").toLowerCase();
  const [token0, token1] = first ? ["@harbor", "@usdc"] : ["@usdc", "@harbor"];
  await player.liar("false_factory");
  await player.liar("false_pool", {
    "token0()": encode("address", [stage.address(token0.slice(1))]),
    "token1()": encode("address", [stage.address(token1.slice(1))]),
    "factory()": encode("address", [stage.address("v2_factory")]),
    "getReserves()": encode("uint112,uint112,uint32", [10n ** 24n, 10n ** 24n, 1]),
  });
  await log(player, "false_factory", [PAIR_CREATED, { token0, token1, pair: "@false_pool", number: 1n }]);
  for (const hour of [PLAYER_HOUR + 1, PLAYER_HOUR + 2]) {
    await world.until(hour, QUIET_S);
    const reserves = [10n ** 6n * ETHER, 10n ** 8n * DOLLAR];
    const [reserve0, reserve1] = first ? reserves : reserves.toReversed();
    await log(player, "false_pool", [SYNC, { reserve0, reserve1 }]);
    const [a, b] = [10n ** 5n * ETHER, 10n ** 7n * DOLLAR];
    const amounts = first
      ? { amount0In: a, amount1In: 0n, amount0Out: 0n, amount1Out: b }
      : { amount0In: 0n, amount1In: a, amount0Out: b, amount1Out: 0n };
    for (const to of ["@alice", "@bob"]) await log(player, "false_pool", [SWAP, { sender: to, to, ...amounts }]);
  }
};

/** A coin with a real market whose logs move amounts that do not exist, in the names of others, and later has the name of a dollar. */
const renamedLiar = async (player: Player): Promise<void> => {
  const { world } = player;
  await liarCoin(player, "chameleon", ["Chameleon", "CML", 18]);
  await player.act("v2_factory", ["createPair(address,address)", ["@chameleon", "@usdc"]]);
  const pair = await player.stage.read("v2_factory", "getPair(address,address) view returns (address)", [
    "@chameleon",
    "@usdc",
  ]);
  player.stage.name("chameleon_pool", String(pair));
  const balance = player.stage.encode("balanceOf(address)", ["@chameleon_pool"]);
  await player.act("chameleon", ["sayTo(bytes,bytes)", [balance, encode("uint256", [ETHER / 1_000n])]]);
  await give(player, ["usdc", "chameleon_pool", 5_000n * DOLLAR]);
  await player.act("chameleon_pool", ["mint(address)", [PLAYER]]);
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  for (const value of [ETHER / 200_000n, 1_000n * ETHER]) {
    await log(player, "chameleon", [TRANSFER, { from: "@alice", to: "@bob", value }]);
    await log(player, "chameleon", [TRANSFER, { from: "@bob", to: "@carol", value }]);
  }
  for (const [selector, text] of [
    ["0x06fdde03", "USD Coin"],
    ["0x95d89b41", "USDC"],
  ] as const)
    await player.act("chameleon", ["say(bytes4,bytes)", [selector, encode("string", [text])]]);
  await world.until(PLAYER_HOUR + 2, QUIET_S);
  await log(player, "chameleon", [TRANSFER, { from: "@alice", to: "@bob", value: 1_000n * ETHER }]);
};

/** A lending market that logs deposits of honest coins for honest people, and gives receipts for them. */
const falseMarket = async (player: Player): Promise<void> => {
  const { world } = player;
  await liarCoin(player, "false_market", ["Aave USDC", "aUSDC", 6]);
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  for (const who of ["@bob", "@walter"]) {
    const amount = 10n ** 9n * DOLLAR;
    await log(player, "false_market", [
      SUPPLY,
      { reserve: "@usdc", user: who, onBehalfOf: who, amount, referralCode: 0 },
    ]);
    await log(player, "false_market", [TRANSFER, { from: `0x${"00".repeat(20)}`, to: who, value: amount }]);
  }
};

/** Receipts of nothing and of a namesake from addresses that look like those of honest counterparties. */
const poisonedReceipts = async (player: Player): Promise<void> => {
  const { stage, world } = player;
  await liarCoin(player, "poison", ["USD Coin", "USDC", 6]);
  const peggy = stage.address("peggy").toLowerCase();
  const twin = `${peggy.slice(0, 6)}${"ab".repeat(16)}${peggy.slice(-4)}`;
  await world.until(PLAYER_HOUR + 1, QUIET_S);
  for (const value of [0n, 400n * DOLLAR, 10n ** 9n * DOLLAR]) {
    await log(player, "poison", [TRANSFER, { from: twin, to: "@carol", value }]);
    await log(player, "poison", [TRANSFER, { from: "@carol", to: twin, value }]);
  }
  for (const from of ["@carol", "@bob"])
    await player.act("usdc", ["transferFrom(address,address,uint256)", [from, twin, 0n]]);
};

export const LIES: readonly Strategy[] = [
  { name: "namesakes", sentence: "coins named USDC and WETH in real pools", run: namesakes },
  { name: "imitated_factory", sentence: "a factory and a pool that only log", run: imitatedFactory },
  { name: "renamed_liar", sentence: "made-up transfers of a coin that later is named USDC", run: renamedLiar },
  { name: "false_market", sentence: "deposits of honest people that a false lending market logs", run: falseMarket },
  { name: "poisoned_receipts", sentence: "receipts from look-alike addresses", run: poisonedReceipts },
];
