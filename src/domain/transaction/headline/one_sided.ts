/** Acts by movements in one direction alone. */
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import type { Bytes, Hex } from "../../../lib/bytes.ts";
import { WORD_BYTES } from "../../../lib/words.ts";
import { selectorOf } from "../../abi.ts";
import type { TokenAmount } from "../actions/action.ts";
import { largerReceivers, uninvolvedParties } from "./actors.ts";
import type { HeadlineReading } from "./case.ts";
import { netOf } from "./nets.ts";
import type { HeadlineShape } from "./shape_scores.ts";

/** transfer, safeTransferFrom of NFTs. Sources: ERC-20, ERC-721, ERC-1155. */
const TRANSFERS: readonly Hex[] = [
  ...[INTERFACES.erc20.transfer, INTERFACES.erc721.safeTransferFrom],
  ...[INTERFACES.erc721.safeTransferFrom_data, INTERFACES.erc1155.safeTransferFrom],
  ...[INTERFACES.erc20.transferFrom],
].map(selectorOf);

/** The called functions only send tokens. */
const isSending = ({ asked, tokens }: HeadlineReading): boolean =>
  asked.length > 0 &&
  asked.every(({ selector, callee }) => TRANSFERS.includes(selector) && callee !== null && tokens.has(callee));

/** All that the actor gave went on to several plain accounts. */
const isSpread = (reading: HeadlineReading, given: readonly TokenAmount[]): boolean => {
  // A party that gave something else was paid for it.
  const parties = uninvolvedParties(reading).filter((party) => netOf(reading.nets, party).given.length === 0);
  return given.every(({ token, token_id, amount }) => {
    const parts = parties.flatMap((party) =>
      netOf(reading.nets, party).received.filter((got) => got.token === token && got.token_id === token_id),
    );
    return parts.length > 1 && parts.reduce((sum, part) => sum + part.amount, 0n) === amount;
  });
};

/** Coins or tokens sent without any other call. */
export const sentShapes = (reading: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { nets, transaction, tokens, asked, movements, name, emitters } = reading;
  const { given, received } = netOf(nets, actor);
  if (given.length === 0 || received.length > 0) return [];
  const is_bridged = movements.length > 0 && movements.every(({ destination }) => name(destination)?.role === "bridge");
  if (is_bridged) return [{ type: "bridge_out", by: "plain", says: "sent to the address of a bridge" }];
  if (transaction.input.length === 0 && transaction.logs.length === 0 && movements.length === 1)
    return [{ type: "transfer", by: "plain", says: "a call without data" }];
  const is_sending = isSending(reading);
  // A receiver that logs does more than receive.
  const is_quiet = movements.every(({ destination }) => tokens.has(destination) || !emitters.has(destination));
  if (is_sending && is_quiet && movements.length === asked.length)
    return [{ type: "transfer", by: "plain", says: "a token's own transfer" }];
  if (is_sending || transaction.input.length === 0)
    return [{ type: "transfer", by: "sent", says: "sent without another function" }];
  // Contracts of protocols pass coins on for acts of their own, such as gifts.
  const is_tool =
    reading.recipient === null || !["market", "bridge", "router"].includes(name(reading.recipient)?.role ?? "");
  const is_own = actor === reading.sender || actor === reading.account?.address;
  return is_tool && is_own && isSpread(reading, given)
    ? [{ type: "transfer", by: "sent", says: "sent on to several accounts" }]
    : [];
};

/** The coin and its wrapped token. */
const isSameCoin = ({ wrapped_native }: HeadlineReading, a: Hex, b: Hex): boolean =>
  a === b || [a, b].every((token) => token === "" || token === wrapped_native);

/** Parties without a part in the transaction got what the actor gave: it paid out for a bridge. */
const isPassedOn = (reading: HeadlineReading, actor: Hex): boolean =>
  netOf(reading.nets, actor).given.every(({ token, amount }) =>
    uninvolvedParties(reading).some((party) =>
      netOf(reading.nets, party).received.some((got) => isSameCoin(reading, got.token, token) && got.amount <= amount),
    ),
  );

/** Coins that leave or arrive through a contract of a bridge, or that the network made for a deposit on another. */
export const bridgeShape = (reading: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  const is_issued = reading.movements.some(({ token, source }) => token === "" && source === "");
  if (is_issued && received.length > 0 && given.length === 0)
    return [{ type: "bridge_in", by: "plain", says: "coins made by the network" }];
  const roleOf = (address: Hex) => reading.name(address)?.role ?? null;
  const involved = [...(reading.recipient === null ? [] : [reading.recipient]), ...reading.emitters];
  const has_bridge =
    involved.some((address) => !reading.tokens.has(address) && roleOf(address) === "bridge") ||
    (reading.recipient !== null && roleOf(reading.recipient) === "relayer");
  const from_relayer = roleOf(reading.sender) === "relayer" && actor !== reading.sender;
  if (received.length > 0 && given.length === 0 && from_relayer)
    return [{ type: "bridge_in", by: "relayed", says: "paid out by a bridge's relayer" }];
  if (!has_bridge || given.length > 0 === received.length > 0) return [];
  if (given.length > 0 && isPassedOn(reading, actor)) return [];
  return given.length > 0
    ? [{ type: "bridge_out", by: "bridge", says: "given to a contract of a bridge" }]
    : [{ type: "bridge_in", by: "bridge", says: "got from a contract of a bridge" }];
};

/** A list of hashes in the data of a call: a Merkle proof. */
const PROOF_MIN = 3;
/** Numbers and addresses begin with zeros, texts and signatures end with them. */
const HASH_EDGE = 2;

const isHash = (word: Bytes): boolean =>
  [word.subarray(0, HASH_EDGE), word.subarray(WORD_BYTES - HASH_EDGE)].every((edge) => edge.some((byte) => byte !== 0));

/** The call presents a proof. */
export const hasProof = ({ asked }: HeadlineReading): boolean =>
  asked.some(({ data }) => {
    const count = Math.floor(data.length / WORD_BYTES);
    let run = 0;
    for (let n = 0; n < count && run < PROOF_MIN; n += 1)
      run = isHash(data.subarray(n * WORD_BYTES, (n + 1) * WORD_BYTES)) ? run + 1 : 0;
    return run === PROOF_MIN;
  });

/** Tokens from the called contract to its caller, which presented a proof and gave nothing. */
export const claimShape = (reading: HeadlineReading, actor: Hex): readonly HeadlineShape[] => {
  const { given, received } = netOf(reading.nets, actor);
  if (given.length > 0 || received.length === 0 || actor !== reading.sender || reading.recipient === null) return [];
  const payers = reading.movements.filter(({ destination }) => destination === actor).map(({ source }) => source);
  const is_paid = payers.every((payer) => payer === reading.recipient || payer === "");
  return is_paid && hasProof(reading) && largerReceivers(reading, actor).length === 0
    ? [{ type: "claim_reward", by: "claimed", says: "paid out by the contract called, against a proof" }]
    : [];
};
