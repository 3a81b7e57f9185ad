/** The lists that a transaction may hold. */
import { Cursor, nextElement, ParseFault } from "./cursor";
import { ObjectFields } from "./fields";
import { hasRoom } from "./memory";
import { closeList, enterList, LIST, openList, putAddress, putEmpty, putHashes, putNumber } from "./rlp";

enum A {
  Address,
  Keys,
}
const access = new ObjectFields("address storageKeys");

/** EIP-2930: addresses, each with its storage keys. */
export function putAccessList(to: usize, fields: ObjectFields, field: i32): usize {
  if (!enterList(fields, field)) return putEmpty(to, LIST);
  const content = openList(to);
  let at = content;
  while (nextElement()) {
    access.read();
    const behind = Cursor.at;
    if (!hasRoom(at, 64)) return to;
    const entry = openList(at);
    at = closeList(entry, putHashes(putAddress(entry, access, A.Address), access, A.Keys));
    Cursor.at = Cursor.fault === ParseFault.None ? behind : Cursor.end;
  }
  return closeList(content, at);
}

const authorization = new ObjectFields("chainId address nonce yParity r s v");
const AUTHORIZED: i32 = 1;
const PARITY: i32 = 3;
const OLDER_PARITY: i32 = 6;

/** EIP-7702: accounts and the code that they delegate to. */
export function putAuthorizations(to: usize, fields: ObjectFields, field: i32): usize {
  if (!enterList(fields, field)) return putEmpty(to, LIST);
  const content = openList(to);
  let at = content;
  while (nextElement()) {
    authorization.read();
    const behind = Cursor.at;
    if (!hasRoom(at, 256)) return to;
    const entry = openList(at);
    at = closeList(entry, putAuthorization(entry));
    Cursor.at = Cursor.fault === ParseFault.None ? behind : Cursor.end;
  }
  return closeList(content, at);
}

function putAuthorization(start: usize): usize {
  let to = start;
  for (let field: i32 = 0; field < OLDER_PARITY; field++) {
    if (field === AUTHORIZED) to = putAddress(to, authorization, field);
    else if (field === PARITY && !authorization.has(field)) to = putNumber(to, authorization, OLDER_PARITY);
    else to = putNumber(to, authorization, field);
  }
  return to;
}
