import { mnemonicToAccount } from "viem/accounts";
import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct, UNLIMITED } from "../act.ts";
import { projectCode, theirs } from "../artifacts.ts";
import { CHARACTERS, MNEMONIC } from "../characters.ts";
import { CHAIN_IDS } from "../placement.ts";
import { quantity } from "../rpc.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve } from "./exchanges.ts";

/** Amounts of bridget's transactions, in base units. */
export const PROTOCOLS = {
  ada_lends_usdc: 40_000n * DOLLAR,
  bridget_lends_weth: 3n * ETHER,
  bridget_borrows_usdc: 1_000n * DOLLAR,
  bridget_repays_usdc: 400n * DOLLAR,
  bridget_takes_back_weth: ETHER,
  ada_liquidates_usdc: 210n * DOLLAR,
  bridget_locks_usdc: 500n * DOLLAR,
  ada_releases_usdc: 200n * DOLLAR,
  ticket_wei: ETHER / 2n,
  account_wei: ETHER,
  account_pays_wei: ETHER / 4n,
  permit_usdc_receipts: 25n * DOLLAR,
} as const;

/** Dollars with 18 decimals for one base unit, times 1e18. */
const USDC_PRICE = 10n ** 30n;
const wethPrice = (dollars: bigint): bigint => dollars * ETHER;

const bridget = mnemonicToAccount(MNEMONIC, { addressIndex: CHARACTERS.bridget.index });

const fund = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bank", to: "ada", value: 10n * ETHER, gas: 21_000 });
  await stage.act({ from: "bank", to: "bridget", value: 20n * ETHER, gas: 21_000 });
  const mint = (who: string, dollars: bigint) =>
    stage.act({ from: "trent", to: "usdc", call: ["mint(address,uint256)", [`@${who}`, dollars * DOLLAR]] });
  await mint("ada", 50_000n);
  await mint("bridget", 10_000n);
};

const DEPOSIT = "deposit(address,uint256,address,uint16)";

const openMarket = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("lending_market", { from: "ada", code: projectCode("LendingMarket") });
  const add = "addReserve(address,uint256,string,string)";
  const reserve = (args: readonly unknown[]) => stage.act({ from: "ada", to: "lending_market", call: [add, args] });
  await reserve(["@usdc", USDC_PRICE, "Market USDC", "mUSDC"]);
  await reserve(["@weth", wethPrice(2_000n), "Market Wrapped Ether", "mWETH"]);
  const receipts = "receipts(address) view returns (address)";
  for (const coin of ["usdc", "weth"]) {
    stage.name(`market_${coin}`, String(await stage.read("lending_market", receipts, [`@${coin}`])));
  }
  await approve(stage, "ada", { token: "usdc", spender: "lending_market" });
  const args = ["@usdc", PROTOCOLS.ada_lends_usdc, "@ada", 0];
  await stage.act({ from: "ada", to: "lending_market", call: [DEPOSIT, args] });
};

const lend = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bridget", to: "weth", call: ["deposit() payable", []], value: 4n * ETHER });
  await approve(stage, "bridget", { token: "weth", spender: "lending_market" });
  await stage.act({
    from: "bridget",
    to: "lending_market",
    call: [DEPOSIT, ["@weth", PROTOCOLS.bridget_lends_weth, "@bridget", 0]],
  });
};

const borrow = (stage: EvmScenarioChain) =>
  stage.act({
    from: "bridget",
    to: "lending_market",
    call: [
      "borrow(address,uint256,uint256,uint16,address)",
      ["@usdc", PROTOCOLS.bridget_borrows_usdc, 2n, 0, "@bridget"],
    ],
  });

const repay = async (stage: EvmScenarioChain): Promise<void> => {
  const exact = ["@lending_market", PROTOCOLS.bridget_repays_usdc];
  await stage.act({ from: "bridget", to: "usdc", call: ["approve(address,uint256)", exact] });
  await stage.act({
    from: "bridget",
    to: "lending_market",
    call: ["repay(address,uint256,uint256,address)", ["@usdc", PROTOCOLS.bridget_repays_usdc, 2n, "@bridget"]],
  });
};

const takeBack = (stage: EvmScenarioChain) =>
  stage.act({
    from: "bridget",
    to: "lending_market",
    call: ["withdraw(address,uint256,address)", ["@weth", PROTOCOLS.bridget_takes_back_weth, "@bridget"]],
  });

/** Ether falls to 300 dollars in the market's oracle: 2 ether no longer cover 600 dollars of debt. */
const liquidate = async (stage: EvmScenarioChain): Promise<void> => {
  const price = ["setPrice(address,uint256)", ["@weth", wethPrice(300n)]] as const;
  await stage.act({ from: "ada", to: "lending_market", call: price });
  const args = ["@weth", "@usdc", "@bridget", PROTOCOLS.ada_liquidates_usdc, false];
  const call = ["liquidationCall(address,address,address,uint256,bool)", args] as const;
  await stage.act({ from: "ada", to: "lending_market", call });
};

/** bridget permits ada to move 25 of her receipts by signature only; ada sends the transaction. */
const permit = async (stage: EvmScenarioChain): Promise<void> => {
  const value = PROTOCOLS.permit_usdc_receipts;
  const signature = await bridget.signTypedData({
    domain: {
      name: "Market USDC",
      chainId: BigInt(CHAIN_IDS[stage.placement]),
      verifyingContract: stage.address("market_usdc"),
    },
    types: {
      EIP712Domain: [
        { name: "name", type: "string" },
        { name: "chainId", type: "uint256" },
        { name: "verifyingContract", type: "address" },
      ],
      Permit: ["owner address", "spender address", "value uint256", "nonce uint256", "deadline uint256"].map(
        (field) => {
          const [name = "", type = ""] = field.split(" ");
          return { name, type };
        },
      ),
    },
    primaryType: "Permit",
    message: { owner: bridget.address, spender: stage.address("ada"), value, nonce: 0n, deadline: FOREVER },
  });
  const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)];
  const args = ["@bridget", "@ada", value, FOREVER, v, r, s];
  const call = ["permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", args] as const;
  await stage.act({ from: "ada", to: "market_usdc", call });
};

const crossOver = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("token_bridge", { from: "ada", code: projectCode("TokenBridge") });
  const exact = ["@token_bridge", PROTOCOLS.bridget_locks_usdc];
  await stage.act({ from: "bridget", to: "usdc", call: ["approve(address,uint256)", exact] });
  const args = ["@usdc", "@bridget", PROTOCOLS.bridget_locks_usdc];
  await stage.act({ from: "bridget", to: "token_bridge", call: ["lock(address,address,uint256)", args] });
};

const comeBack = (stage: EvmScenarioChain) =>
  stage.act({
    from: "ada",
    to: "token_bridge",
    call: ["release(address,address,uint256)", ["@usdc", "@bridget", PROTOCOLS.ada_releases_usdc]],
  });

const tradeTicket = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("tickets", { from: "ada", code: projectCode("Tickets") });
  await stage.create("collectible_market", { from: "ada", code: projectCode("CollectibleMarket") });
  await stage.act({ from: "bridget", to: "tickets", call: ["mint(address)", ["@bridget"]] });
  const all = ["setApprovalForAll(address,bool)", ["@collectible_market", true]] as const;
  await stage.act({ from: "bridget", to: "tickets", call: all });
  const listing = ["list(address,uint256,uint256)", ["@tickets", 1n, PROTOCOLS.ticket_wei]] as const;
  await stage.act({ from: "bridget", to: "collectible_market", call: listing });
  const purchase = ["buy(address,uint256) payable", ["@tickets", 1n]] as const;
  await stage.act({ from: "ada", to: "collectible_market", call: purchase, value: PROTOCOLS.ticket_wei });
};

const allowThroughHub = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("permit_hub", { from: "ada", code: projectCode("PermitHub") });
  const grant = ["@usdc", "@collectible_market", 2n ** 160n - 1n, 2n ** 48n - 1n];
  await stage.act({ from: "bridget", to: "permit_hub", call: ["approve(address,address,uint160,uint48)", grant] });
  const pairs = [[["@usdc", "@collectible_market"]]];
  await stage.act({ from: "bridget", to: "permit_hub", call: ["lockdown((address,address)[])", pairs] });
};

const EXECUTE = "execute(address,uint256,bytes)";
const OPERATION = "(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)";
const packed = (high: bigint, low: bigint): string => `0x${((high << 128n) | low).toString(16).padStart(64, "0")}`;

/**
 * bridget's smart account is created by its first operation and pays her a quarter ether; ada sends the transaction.
 */
const operate = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("entry_point", { from: "ada", code: theirs("EntryPoint") });
  const args = ["address", ["@entry_point"]] as const;
  await stage.create("account_factory", { from: "ada", code: theirs("SimpleAccountFactory"), args });
  const owner = ["@bridget", 0n];
  const where = await stage.read("account_factory", "getAddress(address,uint256) view returns (address)", owner);
  stage.name("bridgets_account", String(where));
  await stage.act({ from: "bridget", to: "bridgets_account", value: PROTOCOLS.account_wei, gas: 21_000 });
  const creation = stage.encode("createAccount(address,uint256)", owner);
  const init = `${stage.address("account_factory")}${creation.slice(2)}`;
  const pay = stage.encode(EXECUTE, ["@bridget", PROTOCOLS.account_pays_wei, "0x"]);
  const fees = packed(10n ** 9n, 10n ** 9n);
  const unsigned = ["@bridgets_account", 0n, init, pay, packed(1_000_000n, 200_000n), 60_000n, fees, "0x"];
  const hashing = `getUserOpHash(${OPERATION}) view returns (bytes32)`;
  const hash = String(await stage.read("entry_point", hashing, [[...unsigned, "0x"]]));
  const signature = await bridget.sign({ hash: `0x${hash.slice(2)}` });
  const call = [`handleOps(${OPERATION}[],address)`, [[[...unsigned, signature]], "@ada"]] as const;
  await stage.act({ from: "ada", to: "entry_point", call });
};

/** From now on bridget's own address runs the code of a smart account. */
const delegate = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("delegate_code", { from: "ada", code: projectCode("Forwarder") });
  const nonce = Number(await stage.rpc.call("eth_getTransactionCount", bridget.address, "latest"));
  const chainId = CHAIN_IDS[stage.placement];
  const code = await stage.read("account_factory", "accountImplementation() view returns (address)");
  const signed = await bridget.signAuthorization?.({ address: stage.address(String(code)), chainId, nonce });
  if (signed === undefined) throw new Error("The scenario broke: bridget cannot sign a delegation.");
  const { address, r, s, yParity = 0 } = signed;
  const authorization = {
    chainId: quantity(chainId),
    address,
    nonce: quantity(nonce),
    r,
    s,
    yParity: quantity(yParity),
  };
  await stage.act({ from: "ada", to: "ada", gas: 100_000, authorizations: [authorization] });
};

/** bridget gave a contract unlimited approvals: her dollars and her wrapped ether leave in one transaction. */
const sweep = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("sweeper", { from: "ada", code: projectCode("Sweeper") });
  for (const token of ["usdc", "weth"]) {
    const all = ["@sweeper", UNLIMITED];
    await stage.act({ from: "bridget", to: token, call: ["approve(address,uint256)", all] });
  }
  const args = [["@usdc", "@weth"], "@bridget", "@ada"];
  await stage.act({ from: "ada", to: "sweeper", call: ["sweep(address[],address,address)", args] });
  const spent = stage.encode("split(address[],uint256)", [[], 0n]);
  await stage.act({ from: "ada", to: "sweeper", call: ["run(address,bytes)", ["@delegate_code", spent]] });
  const nothing = stage.encode("aggregate3((address,bool,bytes)[])", [[]]);
  await stage.act({ from: "ada", to: "sweeper", call: ["run(address,bytes)", ["@multicall3", nothing]] });
};

/** ada runs a money market, a bridge, a market for tickets and the contracts of smart accounts; bridget uses them all. */
export const protocols: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(62, 7.5), run: () => fund(stage) },
  { at: on(62, 8.5), run: () => openMarket(stage) },
  { at: on(63, 8.5), run: () => lend(stage) },
  { at: on(64, 8.5), run: () => borrow(stage) },
  { at: on(66, 8.5), run: () => repay(stage) },
  { at: on(67, 8.5), run: () => takeBack(stage) },
  { at: on(68, 8.5), run: () => liquidate(stage) },
  { at: on(69, 8.5), run: () => permit(stage) },
  { at: on(70, 8.5), run: () => crossOver(stage) },
  { at: on(71, 8.5), run: () => comeBack(stage) },
  { at: on(72, 8.5), run: () => tradeTicket(stage) },
  { at: on(73, 8.5), run: () => allowThroughHub(stage) },
  { at: on(74, 8.5), run: () => operate(stage) },
  { at: on(76, 8.5), run: () => delegate(stage) },
  { at: on(80, 8.5), run: () => sweep(stage) },
];
