import { keccak256, toHex } from "../../../lib/bytes.ts";
import { ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { HexText } from "../rpc.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { launch, plainToken } from "./tokens.ts";

const DEAD = "0x000000000000000000000000000000000000dEaD";
const SUPPLY = 1_000_000n * ETHER;
const QUINNS = 900_000n * ETHER;

/** quinn's deposit to each pool of a token with a trap. The pools have no traders. */
export const TRAP_POOL = { amount: 500_000n * ETHER, wei: 10n * ETHER } as const;

/** Accounts without code or key that receive coins of one token from quinn. */
const holdersOf = (token: string, count: number): readonly HexText[] =>
  Array.from({ length: count }, (_, n): HexText => {
    const hash = keccak256(new TextEncoder().encode(`holder ${n} of ${token}`));
    return `0x${toHex(hash).slice(24)}`;
  });

/** Holders besides tess, quinn and the pool; every fourth one of the twenty is banned. */
export const BAN_HOLDERS = holdersOf("trap_ban", 20);
export const BANNED = BAN_HOLDERS.filter((_, n) => n % 4 === 3);
export const CLEAN_HOLDERS = holdersOf("trap_none", 12);

interface TrapTransfer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

const transfer = (stage: EvmScenarioChain, token: string, { from, to, amount }: TrapTransfer) =>
  stage.act({ from, to: token, call: ["transfer(address,uint256)", [to, amount]] });

/** tess has one million and keeps a tenth; quinn opens the pool. */
const openPool = async (stage: EvmScenarioChain, token: string): Promise<void> => {
  await transfer(stage, token, { from: "tess", to: "@quinn", amount: QUINNS });
  await launch(stage, { owner: "quinn", token, pair: `pair_${token}_weth`, ...TRAP_POOL });
};

const ourToken = (
  stage: EvmScenarioChain,
  token: string,
  made: readonly [code: string, name: string, symbol: string],
) => {
  const [code, name, symbol] = made;
  return stage.create(token, {
    from: "tess",
    code: projectCode(code),
    args: ["string,string,uint256", [name, symbol, SUPPLY]],
  });
};

const setPool = (stage: EvmScenarioChain, token: string) =>
  stage.act({ from: "tess", to: token, call: ["setPool(address)", [`@pair_${token}_weth`]] });

/** 5 % on purchases, 10 % on sales, nothing between wallets. */
const tax = async (stage: EvmScenarioChain): Promise<void> => {
  await ourToken(stage, "trap_tax", ["FeeToken", "Levy", "LEVY"]);
  const fees = ["setFees(uint256,uint256,uint256)", [500n, 1_000n, 0n]] as const;
  await stage.act({ from: "tess", to: "trap_tax", call: fees });
  await openPool(stage, "trap_tax");
  const pool = ["setPool(address,bool)", ["@pair_trap_tax_weth", true]] as const;
  await stage.act({ from: "tess", to: "trap_tax", call: pool });
};

/** A new buyer can sell; five of twenty holders cannot move anything. */
const ban = async (stage: EvmScenarioChain): Promise<void> => {
  await ourToken(stage, "trap_ban", ["BanToken", "Gatekeeper", "GATE"]);
  await openPool(stage, "trap_ban");
  for (const holder of BAN_HOLDERS)
    await transfer(stage, "trap_ban", { from: "quinn", to: holder, amount: 1_000n * ETHER });
  await stage.act({ from: "tess", to: "trap_ban", call: ["setBlacklist(address[],bool)", [BANNED, true]] });
};

const cooldown = async (stage: EvmScenarioChain): Promise<void> => {
  await ourToken(stage, "trap_cooldown", ["CooldownToken", "Patience", "WAIT"]);
  await openPool(stage, "trap_cooldown");
  await setPool(stage, "trap_cooldown");
};

const caller = async (stage: EvmScenarioChain): Promise<void> => {
  await ourToken(stage, "trap_caller", ["CallerToken", "Chameleon", "CHML"]);
  await openPool(stage, "trap_caller");
  await setPool(stage, "trap_caller");
};

/** `owner()` returns the zero address; tess can mint and replace the code. */
const proxy = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("trap_shadow", { from: "tess", code: projectCode("ShadowToken") });
  const start = ["Shade", "SHDW", SUPPLY, "@tess"];
  const call = stage.encode("initialize(string,string,uint256,address)", start);
  const args = ["address,address,bytes", ["@trap_shadow", "@tess", call]] as const;
  await stage.create("trap_proxy", { from: "tess", code: projectCode("Proxy"), args });
  await openPool(stage, "trap_proxy");
};

/** Nothing to find: no owner, no switches, the pool's shares are burnt. */
const none = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "tess", ["trap_none", "Pebble", "PBL"]);
  // Ten million; quinn burns all but one million.
  await transfer(stage, "trap_none", { from: "tess", to: "@quinn", amount: 10_000_000n * ETHER });
  await stage.act({ from: "quinn", to: "trap_none", call: ["burn(uint256)", [9_000_000n * ETHER]] });
  await launch(stage, { owner: "quinn", token: "trap_none", pair: "pair_trap_none_weth", ...TRAP_POOL });
  for (const holder of CLEAN_HOLDERS)
    await transfer(stage, "trap_none", { from: "quinn", to: holder, amount: 40_000n * ETHER });
  const shares = await stage.read("pair_trap_none_weth", "balanceOf(address) view returns (uint256)", ["@quinn"]);
  await stage.act({ from: "quinn", to: "pair_trap_none_weth", call: ["transfer(address,uint256)", [DEAD, shares]] });
};

const fund = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bank", to: "tess", value: 2n * ETHER, gas: 21_000 });
  await stage.act({ from: "bank", to: "quinn", value: 80n * ETHER, gas: 21_000 });
};

/** Tokens that do not do what they seem to do, and one that does. */
export const traps: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(61, 2.31), run: () => fund(stage) },
  { at: on(61, 2.41), run: () => tax(stage) },
  { at: on(61, 2.51), run: () => ban(stage) },
  { at: on(61, 2.71), run: () => cooldown(stage) },
  { at: on(61, 2.81), run: () => caller(stage) },
  { at: on(61, 2.91), run: () => proxy(stage) },
  { at: on(61, 3.01), run: () => none(stage) },
];
