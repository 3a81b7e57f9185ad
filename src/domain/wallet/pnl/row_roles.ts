import { TIP_ACCOUNTS } from "../../../labels/tips.ts";
import {
  IS_COLLECTIBLE,
  IS_FEE,
  KINDS,
  type MovementRange,
  type Movements,
} from "../../address/movements/movements.ts";

/** Role of a history row in the books. NFTs have no quantity, and a zero movement moves none. */
export const ROLE = { moves: 0, fee: 1, rent: 2, none: 3 } as const;

const RENT = KINDS.indexOf("rent");

/** Roles by row; rows outside the range have none. */
export const rolesOf = (movements: Movements, { first, end }: MovementRange): Uint8Array => {
  const { kind, direction, peers, token } = movements;
  const [coin, tips] = [movements.tokens.find(""), new Set([...TIP_ACCOUNTS].map((account) => peers.find(account)))];
  // A coin for a tip account is a fee: it buys nothing and is no side of a trade.
  const isTip = (row: number): boolean => token[row] === coin && tips.has(movements.peer[row] ?? -1);
  const roles = new Uint8Array(movements.length).fill(ROLE.none);
  for (let row = first; row < end; row += 1) {
    const of = kind[row] ?? 0;
    if (IS_COLLECTIBLE[of] === 1 || movements.amountAt(row) === 0n) continue;
    const is_fee = (direction[row] ?? 0) < 0 && (IS_FEE[of] === 1 || isTip(row));
    roles[row] = is_fee ? ROLE.fee : of === RENT ? ROLE.rent : ROLE.moves;
  }
  return roles;
};

/** First row of each transaction with a role, and the end of the last one. */
export const startsOf = (
  { block_number, tx_index }: Movements,
  roles: Uint8Array,
  { first, end }: MovementRange,
): Uint32Array => {
  const starts = new Uint32Array(end - first + 1);
  let [count, last] = [0, -1];
  for (let row = first; row < end; row += 1) {
    if (roles[row] === ROLE.none) continue;
    const is_same = last >= 0 && block_number[row] === block_number[last] && tx_index[row] === tx_index[last];
    last = row;
    if (is_same) continue;
    starts[count] = row;
    count += 1;
  }
  starts[count] = end;
  return starts.slice(0, count + 1);
};
