/** Accounts that let a contract's code run at their address (EIP-7702). */
import { type Bytes, keccak256 } from "../../lib/bytes.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import type { Authorization } from "../transaction_details.ts";
import { digitsOf, rlpOf } from "./rlp.ts";
import { signerOf } from "./verify/senders.ts";
import { addressOf, quantityOf } from "./wire.ts";

/** More than a block can hold (12,500 gas each, EIP-7702). */
const AUTHORIZATIONS_MAX = 4_096;

/** Reads the `authorizationList` of a transaction, which is absent for other types. @throws BadAnswer */
export const authorizationsOf = (told: unknown): readonly Authorization[] => {
  if (told === undefined || told === null) return [];
  const list = listOf(told, "authorization list");
  if (list.length > AUTHORIZATIONS_MAX) throw new BadAnswer("more authorizations than a block has room for");
  return list.map((item) => {
    const signed = fieldsOf(item, "authorization");
    const delegate = addressOf(signed.address, "delegate");
    const chain_id = quantityOf(signed.chainId, "chain id");
    const nonce = quantityOf(signed.nonce, "nonce");
    return { authority: authorityOf(signed, { delegate, chain_id, nonce }), delegate, chain_id, nonce };
  });
};

type SignedAuthorization = Pick<Authorization, "delegate" | "chain_id" | "nonce">;

/** Prefix of the hashed bytes (EIP-7702). */
const MAGIC = Uint8Array.of(0x05);
/** Half of the curve's order: of the two values of s that fit a signature, the chain accepts the lower one (EIP-2). */
const S_MAX = 0x7fffffff_ffffffff_ffffffff_ffffffff_5d576e73_57a4501d_dfe92f46_681b20a0n;

/** Null if the signature fits no key: the chain skips such an authorization, and so does Assay. */
const authorityOf = (fields: JsonFields, { delegate, chain_id, nonce }: SignedAuthorization): Bytes | null => {
  const [r, s] = [quantityOf(fields.r, "signature"), quantityOf(fields.s, "signature")];
  const odd = quantityOf(fields.yParity ?? fields.v, "signature parity");
  if (s > S_MAX || odd > 1n) return null;
  const hash = keccak256(Buffer.concat([MAGIC, rlpOf([digitsOf(chain_id), delegate, digitsOf(nonce)])]));
  const rs = Buffer.from([r, s].map((word) => word.toString(16).padStart(64, "0")).join(""), "hex");
  return signerOf(hash, { rs, odd: Number(odd) });
};
