/** Holdings of an account by a node's newest confirmed state. */
import { concatHex, type Hex, hex } from "../../../lib/bytes.ts";
import type { HeldAmount } from "../../account_history.ts";
import type { BlockRef } from "../../chain.ts";
import { addressWord, numberIn, SELECTORS } from "../../evm/abi.ts";
import { BadAnswer } from "../../node/answer.ts";
import { readRef } from "../heads.ts";
import type { TronRpcNode, TronRpcPool } from "../pool.ts";
import { assetsOf, balanceOf, callResult } from "../state.ts";
import { addressText, presentOf } from "../wire.ts";

/** Calls of one moment. */
const CALLS_IN_FLIGHT = 8;

export interface ConfirmedState {
  /** Coins without stakes, TRC-10, and the requested TRC-20 tokens that answer. */
  readonly held: readonly HeldAmount[];
  readonly is_contract: boolean;
  /** The confirmed blocks before and after the reading. */
  readonly first: BlockRef;
  readonly last: BlockRef;
  /** Calls that this took. */
  readonly requests: number;
}

interface StateAsked {
  readonly address: Hex;
  /** TRC-20. */
  readonly tokens: readonly Hex[];
  /** The node must have confirmed this block. */
  readonly seen: number;
}

const servesConfirmed = ({ finalized }: TronRpcNode["traits"]): boolean => finalized !== null;

/** @throws AssayError UPSTREAM_UNAVAILABLE also if no node serves confirmed states (`/walletsolidity`) */
export const readConfirmedState = (
  pool: TronRpcPool,
  asked: StateAsked,
  signal: AbortSignal,
): Promise<ConfirmedState> =>
  pool.run({ what: "confirmed state of an account", spread: true, accepts: servesConfirmed }, signal, async (node) => {
    const first = await confirmedBlock(node, signal);
    if (first.number < asked.seen)
      throw new BadAnswer(`the node has confirmed block ${first.number}, before ${asked.seen}`);
    const ask = async (path: string, question: object) => (await node.endpoint.ask(path, question, signal)).json;
    const text = addressText(asked.address);
    const account = presentOf(await ask("/walletsolidity/getaccount", { address: text }), "account");
    if (account !== null && account.address !== text) throw new BadAnswer("another account than asked for");
    const contract = presentOf(await ask("/wallet/getcontractinfo", { value: text }), "contract");
    const tokens = await readTokens(node, asked, signal);
    const held: HeldAmount[] = [
      { token: "", amount: balanceOf(account) },
      ...[...assetsOf(account)].map(([id, amount]) => ({
        token: hex(Buffer.from(id, "latin1").toString("hex")),
        amount,
      })),
      ...tokens,
    ];
    const last = await confirmedBlock(node, signal);
    return { held, is_contract: contract !== null, first, last, requests: 4 + asked.tokens.length };
  });

const confirmedBlock = async ({ endpoint }: TronRpcNode, signal: AbortSignal): Promise<BlockRef> => {
  const ref = readRef((await endpoint.ask("/walletsolidity/getblock", { detail: false }, signal)).json);
  if (ref === null) throw new BadAnswer("the node has no confirmed block");
  return ref;
};

/** Contracts that do not answer are left out: they have no balance to compare. */
const readTokens = async (
  { endpoint }: TronRpcNode,
  { address, tokens }: StateAsked,
  signal: AbortSignal,
): Promise<readonly HeldAmount[]> => {
  const held: HeldAmount[] = [];
  const open = tokens.values();
  const worker = async (): Promise<void> => {
    for (const token of open) {
      const question = {
        owner_address: addressText(address),
        contract_address: addressText(token),
        data: concatHex(SELECTORS.balanceOf, addressWord(address)),
      };
      const { json } = await endpoint.ask("/walletsolidity/triggerconstantcontract", question, signal);
      const { ok, data } = callResult(json);
      const amount = ok ? numberIn(data) : null;
      if (amount !== null) held.push({ token, amount });
    }
  };
  await Promise.all(Array.from({ length: Math.min(CALLS_IN_FLIGHT, tokens.length) }, worker));
  return held;
};
