/** The transactions that name an account, as a node lists them: from new to old, page by page. */
import type { Hex } from "../../../lib/bytes.ts";
import { BadAnswer, fieldsOf, listOf, textOf } from "../../node/answer.ts";
import { formatBase58 } from "../address.ts";
import { resultOf } from "../endpoint.ts";
import type { SolanaRpcPool } from "../probe.ts";
import { askSettled } from "../settled.ts";
import { indexOf } from "../wire.ts";

/** Agave's bound. */
const PAGE_MAX = 1_000;
/** Of an account that was searched before, few transactions are new. */
const FIRST_PAGE_OF_FOLLOWED = 25;

export interface ListedSignature {
  readonly slot: number;
  readonly signature: string;
}

export interface SignatureQuery {
  /** Only slots from this one on. */
  readonly from: number;
  /** The node must have seen this slot. */
  readonly seen: number;
  readonly is_followed: boolean;
  /** @throws TooManyBlocks */
  readonly check: (slots: number, requests: number) => void;
  readonly accepts: (traits: { readonly first_slot: number }) => boolean;
}

/** Every transaction that names the account, by slot, ascending. The order within a slot is not known. */
export const listSignatures = async (
  pool: SolanaRpcPool,
  address: Hex,
  { query, signal }: { readonly query: SignatureQuery; readonly signal: AbortSignal },
): Promise<{ readonly listed: readonly ListedSignature[]; readonly requests: number }> => {
  const listed: ListedSignature[] = [];
  const known = new Set<string>();
  const slots = new Set<number>();
  let limit = query.is_followed ? FIRST_PAGE_OF_FOLLOWED : PAGE_MAX;
  for (let requests = 1; ; requests += 1) {
    const page = await readPage(pool, { address, query, limit, before: listed.at(-1) ?? null }, signal);
    const fresh = page.filter(({ signature }) => !known.has(signature));
    for (const one of fresh) {
      known.add(one.signature);
      if (one.slot < query.from) continue;
      listed.push(one);
      slots.add(one.slot);
    }
    query.check(slots.size, requests);
    // A short page is no end: some providers have smaller pages than a request wants.
    if (fresh.length === 0 || fresh.some(({ slot }) => slot < query.from))
      return { listed: listed.reverse(), requests };
    limit = PAGE_MAX;
  }
};

interface PageQuery {
  readonly address: Hex;
  readonly query: SignatureQuery;
  readonly limit: number;
  readonly before: ListedSignature | null;
}

const readPage = (
  pool: SolanaRpcPool,
  { address, query, limit, before }: PageQuery,
  signal: AbortSignal,
): Promise<readonly ListedSignature[]> => {
  const { accepts, seen } = query;
  const config = {
    ...{ commitment: "finalized", limit, minContextSlot: seen },
    ...(before === null ? {} : { before: before.signature }),
  };
  const call = { method: "getSignaturesForAddress", params: [formatBase58(address), config] };
  return pool.run({ what: "signatures of an account", spread: true, accepts }, signal, async ({ endpoint }) => {
    const [answer] = await askSettled(endpoint, [call], signal);
    if (answer === undefined) throw new BadAnswer("signatures have no answer");
    const list = listOf(resultOf(answer), "signatures");
    let newest = before?.slot ?? Number.MAX_SAFE_INTEGER;
    return list.map((item) => {
      const { slot: number, signature } = fieldsOf(item, "signature");
      const slot = indexOf(number, "slot");
      if (slot > newest) throw new BadAnswer("signatures are out of order");
      newest = slot;
      return { slot, signature: textOf(signature, "signature") };
    });
  });
};
