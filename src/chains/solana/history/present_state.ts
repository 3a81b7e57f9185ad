/** Holdings of an account and its token accounts by a node's newest final state. */
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { BadAnswer, fieldsOf, listOf } from "../../node/answer.ts";
import { formatBase58 } from "../address.ts";
import { resultOf } from "../endpoint.ts";
import type { SolanaRpcPool } from "../probe.ts";
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../programs.ts";
import { askSettled } from "../settled.ts";
import { ownedAccountOf, readAccount } from "../state.ts";
import { indexOf } from "../wire.ts";
import type { TokenState } from "./seen_transactions.ts";

export interface PresentState {
  readonly lamports: bigint;
  /** The slot of `lamports`. */
  readonly slot: number;
  /** Its token accounts, each with its slot. */
  readonly tokens: ReadonlyMap<Hex, { readonly state: TokenState; readonly slot: number }>;
  /** At which its accounts of each token program were listed. */
  readonly token_slots: readonly number[];
  readonly requests: number;
}

/** @param seen the node must have seen this slot */
export const readPresentState = (
  pool: SolanaRpcPool,
  { wallet, seen }: { readonly wallet: Hex; readonly seen: number },
  signal: AbortSignal,
): Promise<PresentState> => {
  const address = formatBase58(wallet);
  const config = { encoding: "base64", commitment: "finalized", minContextSlot: seen };
  const calls = [
    { method: "getMultipleAccounts", params: [[address], config] },
    ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => ({
      method: "getTokenAccountsByOwner",
      params: [address, { programId: formatBase58(program) }, config],
    })),
  ];
  return pool.run({ what: "present state of an account", spread: true }, signal, async ({ endpoint }) => {
    const answers = await askSettled(endpoint, calls, signal);
    const [own, ...of_programs] = answers.map((answer) => listedAt(resultOf(answer), seen));
    if (own === undefined || own.list.length !== 1) throw new BadAnswer("an account has no answer");
    const owned = of_programs.flatMap(({ list, slot }) =>
      list.map((item) => ({ slot, ...ownedAccountOf(item, wallet) })),
    );
    return {
      lamports: readAccount(own.list[0])?.lamports ?? 0n,
      slot: own.slot,
      tokens: new Map(
        owned.map(({ account, data: { mint, amount }, slot }) => [
          account,
          { state: { owner: wallet, mint: toHex(mint), amount }, slot },
        ]),
      ),
      token_slots: of_programs.map(({ slot }) => slot),
      requests: calls.length,
    };
  });
};

const listedAt = (result: unknown, seen: number): { readonly slot: number; readonly list: readonly unknown[] } => {
  const { context, value } = fieldsOf(result, "answer");
  const slot = indexOf(fieldsOf(context, "context").slot, "slot of the state");
  if (slot < seen) throw new BadAnswer(`the node is at slot ${slot}, before ${seen}`);
  return { slot, list: listOf(value, "accounts") };
};
