/** Names of the Solana Name Service on a façade, written byte by byte: the service's own programs do not run here. */
import { address, lamports } from "@solana/kit";
import {
  favouriteAddress,
  NAME_PROGRAM,
  nameAddress,
  OFFERS_PROGRAM,
  ROOT,
  reverseAddress,
} from "../../chains/solana/name_accounts.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import type { SolanaFacade } from "./facade.ts";
import { packed } from "./made_transaction.ts";

const NOBODY = new Uint8Array(32);
const RENT = 2_000_000n;

const put = ({ svm }: SolanaFacade, at: Uint8Array, [data, program]: readonly [Uint8Array, Uint8Array]): void => {
  const account = { address: address(toBase58(at)), executable: false, programAddress: address(toBase58(program)) };
  svm.setAccount({ ...account, data, lamports: lamports(RENT), space: BigInt(data.length) });
};

/** Registers `label.sol` for the owner (base58) as the owner's favourite name. */
export const registerName = (facade: SolanaFacade, label: string, owner: string): void => {
  const at = nameAddress(`${label}.sol`);
  const wallet = fromBase58(owner);
  if (at === null || wallet === null) throw new Error(`${label} of ${owner} cannot be registered`);
  // Parent, owner, class.
  put(facade, at, [packed(ROOT, wallet, NOBODY), NAME_PROGRAM]);
  const text = packed(["u32", label.length], Buffer.from(label));
  put(facade, reverseAddress(at, null), [packed(NOBODY, NOBODY, NOBODY, text), NAME_PROGRAM]);
  put(facade, favouriteAddress(wallet), [packed(["u8", 1], at), OFFERS_PROGRAM]);
};
