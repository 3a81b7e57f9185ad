import type { Hex } from "../../../lib/bytes.ts";
import type { TokenAmount } from "../actions/action.ts";
import { netChanges, type TransactionMovement } from "../decoding/movements.ts";

/** Net amounts that one party gave and received over a whole transaction, without the network's fee. */
export interface PartyNet {
  readonly given: readonly TokenAmount[];
  readonly received: readonly TokenAmount[];
}

const NOTHING: PartyNet = { given: [], received: [] };

/** Net change of every party per asset. The native coin and its wrapped token are two assets; rent is no act. */
export const netsOf = (movements: readonly TransactionMovement[]): ReadonlyMap<Hex, PartyNet> => {
  const nets = new Map<Hex, { given: TokenAmount[]; received: TokenAmount[] }>();
  for (const { address, token, token_id, amount } of netChanges(movements.filter(({ kind }) => kind !== "rent"))) {
    const net = nets.get(address) ?? { given: [], received: [] };
    nets.set(address, net);
    if (amount < 0n) net.given.push({ token, token_id, amount: -amount });
    else net.received.push({ token, token_id, amount });
  }
  return nets;
};

export const netOf = (nets: ReadonlyMap<Hex, PartyNet>, party: Hex): PartyNet => nets.get(party) ?? NOTHING;

export const isStill = ({ given, received }: PartyNet): boolean => given.length + received.length === 0;
