/** Withdrawals of validators (EIP-4895): the root of their list. */
import { Cursor, nextElement, ParseFault } from "./cursor";
import { ObjectFields } from "./fields";
import { H, header } from "./header";
import { enterList, headerBefore, LIST, putAddress, putNumber } from "./rlp";
import { beginItems, countItems, endItem, rootOfItems, valueStart } from "./trie";

const withdrawal = new ObjectFields("index validatorIndex address amount");
const ADDRESS: i32 = 2;
const FIELDS: i32 = 4;

export class Withdrawals {
  static listed: u32 = 0;
}

/** Writes the root of the block's list to `to`. The list is empty if the text has none. */
export function rootOfWithdrawals(to: usize): void {
  beginItems();
  if (enterList(header, H.Withdrawals)) {
    while (nextElement()) {
      withdrawal.read();
      putWithdrawal();
    }
  }
  Withdrawals.listed = countItems();
  if (Cursor.fault === ParseFault.None) rootOfItems(to);
}

function putWithdrawal(): void {
  const start = valueStart();
  let end = start;
  for (let field: i32 = 0; field < FIELDS; field++) {
    end = field === ADDRESS ? putAddress(end, withdrawal, field) : putNumber(end, withdrawal, field);
  }
  if (Cursor.fault === ParseFault.None) endItem(headerBefore(start, LIST, u32(end - start)), end, end);
}
