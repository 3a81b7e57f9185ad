import type { EventLog } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Bytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../../../lib/words.ts";
import { topicAddress } from "../../../protocols/topics.ts";
import type { Action, ActionContext, EventReader, TokenAmount } from "./action.ts";
import { familyOf } from "./event_rows.ts";

const SEAPORT = "ProjectOpenSea/seaport-types src/interfaces/ConsiderationEventsAndErrors.sol";
const OFFER_WORDS = 4;
const CONSIDERATION_WORDS = 5;
/** Seaport's item types: 0 native, 1 ERC-20, 2 and 4 ERC-721, 3 and 5 ERC-1155. */
const FUNGIBLE_MAX = 1n;
/** More items than any order has; a longer list is not read. */
const ITEMS_MAX = 200;

/** Items of the list of tuples whose offset is in the n-th word, `width` words each; null when it exceeds the data. */
const tuplesAt = (data: Bytes, n: number, width: number): readonly Bytes[] | null => {
  const offset = uintAt(data, n);
  if (offset > BigInt(data.length - WORD_BYTES)) return null;
  const start = Number(offset) + WORD_BYTES;
  const count = uintAt(data.subarray(Number(offset)), 0);
  if (count > BigInt(ITEMS_MAX) || start + Number(count) * width * WORD_BYTES > data.length) return null;
  return Array.from({ length: Number(count) }, (_, i) =>
    data.subarray(start + i * width * WORD_BYTES, start + (i + 1) * width * WORD_BYTES),
  );
};

/** An item: type, token, id, amount, and further fields. */
const itemOf = (item: Bytes): TokenAmount => {
  const is_fungible = uintAt(item, 0) <= FUNGIBLE_MAX;
  const token = uintAt(item, 0) === 0n ? "" : toHex(addressAt(item, 1));
  return { token, token_id: is_fungible ? null : uintAt(item, 2), amount: uintAt(item, 3) };
};

const hasMovement = (scene: ActionContext, { token, token_id, amount }: TokenAmount): boolean =>
  scene.movements.some((move) => move.token === token && move.token_id === token_id && move.amount === amount);

const orderFulfilled = (log: EventLog, scene: ActionContext): Action | null => {
  const { topics, data } = log;
  const [, offerer] = topics;
  if (topics.length !== 3 || offerer === undefined || data.length < 4 * WORD_BYTES) return null;
  const offer = tuplesAt(data, 2, OFFER_WORDS);
  const consideration = tuplesAt(data, 3, CONSIDERATION_WORDS);
  if (offer === null || consideration === null) return null;
  const given = offer.map(itemOf);
  const received = consideration.map(itemOf);
  // An order between NFTs and money, some NFT of which really moved.
  const pieces = [...given, ...received].filter(({ token_id }) => token_id !== null);
  if (!pieces.some((piece) => hasMovement(scene, piece))) return null;
  const actor: Hex = toHex(topicAddress(offerer));
  const where = { contract: toHex(log.address), log_index: log.index };
  return { type: "nft_sale", protocol: "Seaport", actor, given, received, ...where };
};

const PUNKS = "larvalabs/cryptopunks contracts/CryptoPunksMarket.sol";

const punkBought = (log: EventLog, scene: ActionContext): Action | null => {
  const { topics, data } = log;
  const [, id, seller] = topics;
  if (topics.length !== 4 || id === undefined || seller === undefined || data.length !== WORD_BYTES) return null;
  const contract = toHex(log.address);
  // The buyer pays with the call's coins; a log alone proves nothing.
  const paid: TokenAmount = { token: "", token_id: null, amount: uintAt(data, 0) };
  if (!hasMovement(scene, paid)) return null;
  return {
    type: "nft_sale",
    protocol: "CryptoPunks",
    actor: toHex(topicAddress(seller)),
    given: [{ token: contract, token_id: uintAt(id, 0), amount: 1n }],
    received: [paid],
    contract,
    log_index: log.index,
  };
};

const READERS: readonly EventReader[] = [
  {
    event: INTERFACES.seaport.OrderFulfilled,
    source: SEAPORT,
    read: orderFulfilled,
  },
  { event: "PunkBought(uint256,uint256,address,address)", source: PUNKS, read: punkBought },
];

/** Sales of collectibles; the actor is the maker of the offer. */
export const nftTrades = familyOf(READERS);
