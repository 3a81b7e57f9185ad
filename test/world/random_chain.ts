/** A chain on which anything may have happened, for properties such as "summed transfers are the node's balances". */
import { ETHER } from "./act.ts";
import { type Anvil, startAnvil } from "./anvil.ts";
import { ours, theirs } from "./artifacts.ts";
import { CHARACTERS } from "./cast.ts";
import { ACTORS, FORWARDERS, openDice, randomDeed, type Setting, TOKENS } from "./random_deeds.ts";
import { type HexText, quantity, type Rpc } from "./rpc.ts";
import { openStage, type Receipt, type Stage } from "./stage.ts";

export interface RandomOptions {
  readonly seed: number;
  /** Random transactions; some share a block. */
  readonly deeds: number;
}

export interface Holding {
  readonly token: HexText;
  readonly holder: HexText;
}

export interface RandomChain {
  readonly url: string;
  readonly rpc: Rpc;
  readonly chain_id: number;
  readonly head: number;
  /** The only address with coins at genesis. */
  readonly bank: HexText;
  readonly weth: HexText;
  /** Lower case; every address that sent, received, was created, or was named in a log. */
  readonly addresses: readonly HexText[];
  /** The ERC-20 contracts, WETH among them. Sums of Transfer (and WETH's Deposit, Withdrawal) are balances here. */
  readonly tokens: readonly HexText[];
  /** What the node says at the end of a block, in the order asked. */
  nativeBalances(addresses: readonly HexText[], block: number): Promise<readonly bigint[]>;
  tokenBalances(holdings: readonly Holding[], block: number): Promise<readonly bigint[]>;
  stop(): Promise<void>;
}

const CHAIN_ID = 31_337;
const START = 1_700_006_400;
const BATCH_MAX = 200;
const DEEDS_PER_BLOCK_MAX = 4;

const setUp = async (stage: Stage): Promise<void> => {
  for (const actor of ACTORS) await stage.act({ from: "bank", to: actor, value: 1_000n * ETHER, gas: 21_000 });
  await stage.create("weth", { from: "alice", code: theirs("WETH9") });
  for (const name of FORWARDERS) await stage.create(name, { from: "bob", code: ours("Forwarder") });
  await stage.create("maker", { from: "bob", code: ours("EphemeralFactory") });
  const supply = 1_000n * ETHER;
  const titled = (title: string) => ["string,string,uint256", [title, title, supply]] as const;
  await stage.create("minted", { from: "alice", code: ours("MintableToken"), args: titled("MINTED") });
  await stage.create("taxed", { from: "carol", code: ours("FeeToken"), args: titled("TAXED") });
  const plain = ["string,string,uint8,uint256,address", ["PLAIN", "PLAIN", 18, supply, "@dave"]] as const;
  await stage.create("plain", { from: "dave", code: ours("PlainToken"), args: plain });
};

const lower = (address: string): HexText => `0x${address.slice(2).toLowerCase()}`;

/** Remembers whom a receipt names: created contracts, emitters, indexed addresses. */
const note = (receipt: Receipt, seen: Set<HexText>): void => {
  if (receipt.contractAddress !== null) seen.add(lower(receipt.contractAddress));
  for (const { address, topics } of receipt.logs) {
    seen.add(lower(address));
    for (const topic of topics.slice(1)) if (/^0x0{24}/.test(topic)) seen.add(lower(`0x${topic.slice(26)}`));
  }
};

const play = async (setting: Setting, deeds: number): Promise<Set<HexText>> => {
  const { dice, stage } = setting;
  const seen = new Set<HexText>();
  const maker = lower(stage.address("maker"));
  for (let played = 0; played < deeds; ) {
    const share = Math.min(1 + dice.roll(DEEDS_PER_BLOCK_MAX), deeds - played);
    // In a shared block an earlier deed may spoil a later one (the same salt, an ended contract).
    const together = Array.from({ length: share }, () => randomDeed(setting));
    const receipts =
      share === 1 && together[0] !== undefined ? [await stage.act(together[0])] : await stage.together(together);
    for (const receipt of receipts) {
      note(receipt, seen);
      for (const { address, topics } of receipt.logs) {
        if (lower(address) === maker && topics[1] !== undefined) setting.ephemerals.push(`0x${topics[1].slice(26)}`);
      }
    }
    played += share;
  }
  return seen;
};

const everyone = ({ stage, strangers, ephemerals }: Setting, seen: ReadonlySet<HexText>): readonly HexText[] => {
  const all = new Set(seen);
  for (const name of [...ACTORS, "bank", "validator"]) all.add(lower(stage.address(name)));
  for (const address of [...Object.values(stage.contracts()), ...strangers, ...ephemerals]) all.add(lower(address));
  all.delete(`0x${"0".repeat(40)}`);
  return [...all].sort();
};

/** Asks in slices, so that no request grows with the chain. */
const ask = async (rpc: Rpc, calls: readonly { method: string; params: readonly unknown[] }[]): Promise<bigint[]> => {
  const answers: bigint[] = [];
  for (let from = 0; from < calls.length; from += BATCH_MAX) {
    for (const answer of await rpc.batch(calls.slice(from, from + BATCH_MAX))) {
      // eth_getBalance and balanceOf answer with hex text.
      answers.push(BigInt(answer as string));
    }
  }
  return answers;
};

const playOn = async (anvil: Anvil, { seed, deeds }: RandomOptions): Promise<RandomChain> => {
  const { rpc } = anvil;
  await rpc.call("anvil_setCoinbase", CHARACTERS.validator.address);
  const stage = openStage(rpc, "demo", START);
  await setUp(stage);
  const setting: Setting = { dice: openDice(seed), stage, ephemerals: [], strangers: [] };
  const seen = await play(setting, deeds);
  return {
    url: anvil.url,
    rpc,
    chain_id: CHAIN_ID,
    head: Number(await rpc.call("eth_blockNumber")),
    bank: lower(CHARACTERS.bank.address),
    weth: lower(stage.address("weth")),
    addresses: everyone(setting, seen),
    tokens: TOKENS.map((name) => lower(stage.address(name))),
    nativeBalances: (addresses, block) =>
      ask(
        rpc,
        addresses.map((address) => ({ method: "eth_getBalance", params: [address, quantity(block)] })),
      ),
    tokenBalances: (holdings, block) =>
      ask(
        rpc,
        holdings.map(({ token, holder }) => ({
          method: "eth_call",
          params: [{ to: token, data: stage.encode("balanceOf(address)", [holder]) }, quantity(block)],
        })),
      ),
    stop: anvil.stop,
  };
};

/**
 * Plays `deeds` random transactions on a fresh chain: payments, calls through contracts, wraps, tokens, creations with
 * coins, self-destructions, failures of every kind. The same seed gives the same chain.
 */
export const startRandomChain = async (options: RandomOptions): Promise<RandomChain> => {
  const anvil = await startAnvil({
    chain_id: CHAIN_ID,
    timestamp: START,
    genesis: { [CHARACTERS.bank.address]: 1_000_000n * ETHER },
    accounts: Object.keys(CHARACTERS).length,
  });
  try {
    return await playOn(anvil, options);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
};
