/** The kind of a token by evidence: its decimals, interfaces (ERC-165), functions and their behaviour. */
import { type Bytes, concatHex, equalBytes, type Hex, hex, padHexEnd, toHex } from "../../lib/bytes.ts";
import type { CallResult, ContractCall, LiveTokenMetadata } from "../chain.ts";
import { isTrue, SELECTORS, word } from "./abi.ts";

export type TokenFacts = Omit<LiveTokenMetadata, "standard">;

/** Answers of a contract about itself, and its code. */
export type CodedToken = TokenFacts & { readonly code: Bytes };

type CallBatch = (calls: readonly ContractCall[]) => Promise<readonly CallResult[]>;

const SILENT: CallResult = { ok: false, data: new Uint8Array(0) };
const WORD_BYTES = 32;

/** EIP-7702: the code of a delegated account is this prefix and the address of the code that it runs. */
const DELEGATION = hex("ef0100");
const DELEGATION_BYTES = 23;

export const isDelegation = (code: Bytes): boolean =>
  code.length === DELEGATION_BYTES && toHex(code.subarray(0, DELEGATION.length / 2)) === DELEGATION;

/** EIP-165: 721, the draft of it that CryptoKitties has, 1155, and the id that an honest contract never supports. */
const INTERFACES = {
  erc721: hex("80ac58cd"),
  draft721: hex("9a20483d"),
  erc1155: hex("d9b67a26"),
  none: hex("ffffffff"),
};
const INTERFACE_IDS = Object.values(INTERFACES);

/**
 * The comparison of a dispatcher with `ownerOf`: PUSH4, the selector, and EQ, SUB or XOR, with a DUP or SWAP before it.
 * Code that calls `ownerOf` of another contract shifts the selector instead.
 */
const OWNER_DISPATCH = new RegExp(`63${SELECTORS.ownerOf}(?:8[0-3]|90)?(?:14|03|18)`);
/** The code of proxies is shorter than this. */
const PROXY_BYTES_MAX = 3_000;
const DELEGATECALL = 0xf4;

/** The functions of a proxy are in other code, so that it has to be called. */
const mayBeProxy = (code: Bytes): boolean => code.length <= PROXY_BYTES_MAX && code.includes(DELEGATECALL);

const dispatchesOwners = (code: Bytes): boolean => OWNER_DISPATCH.test(toHex(code));

/** Standard of each token; null for a contract that behaves like none. */
export const standardsOf = async (
  tokens: readonly CodedToken[],
  ask: CallBatch,
): Promise<ReadonlyMap<Hex, string | null>> => {
  const owned = await ownedAmong(tokens, ask);
  const unclear = tokens.filter((one) => !isDivisible(one));
  const claims = await readClaims(
    unclear.map(({ token }) => token),
    ask,
  );
  return new Map(
    tokens.map((one) => {
      const has_owners = owned.has(one.token);
      if (isDivisible(one)) return [one.token, has_owners ? "erc404" : "erc20"];
      const claim = claims.get(one.token);
      return [one.token, claim === undefined ? null : indivisible(one, { ...claim, has_owners })];
    }),
  );
};

/** Only coins have decimals; some collections do return 0. */
const isDivisible = ({ decimals }: TokenFacts): boolean => decimals !== null && decimals > 0;

interface InterfaceClaims {
  readonly is_721: boolean;
  readonly is_1155: boolean;
  /** It answers `balanceOf` with one number. */
  readonly has_balances: boolean;
}

/** EIP-20 makes decimals optional, but not supply and balances. */
const indivisible = (
  { total_supply }: TokenFacts,
  { is_721, is_1155, has_balances, has_owners }: InterfaceClaims & { readonly has_owners: boolean },
): string | null => {
  if (is_721) return "erc721";
  if (is_1155) return "erc1155";
  if (!has_balances) return null;
  if (has_owners) return "erc721";
  return total_supply === null ? null : "erc20";
};

const readClaims = async (tokens: readonly Hex[], ask: CallBatch): Promise<ReadonlyMap<Hex, InterfaceClaims>> => {
  const [supports, balances] = await Promise.all([
    ask(
      tokens.flatMap((to) =>
        INTERFACE_IDS.map((id) => ({ to, data: concatHex(SELECTORS.supportsInterface, padHexEnd(id, WORD_BYTES)) })),
      ),
    ),
    ask(tokens.map((to) => ({ to, data: concatHex(SELECTORS.balanceOf, word(1)) }))),
  ]);
  return new Map(
    tokens.map((token, i) => {
      const at = i * INTERFACE_IDS.length;
      const [is721 = SILENT, draft = SILENT, is1155 = SILENT, none = SILENT] = supports.slice(at);
      const is_honest = !isTrue(none);
      const balance = balances[i] ?? SILENT;
      return [
        token,
        {
          is_721: is_honest && (isTrue(is721) || isTrue(draft)),
          is_1155: is_honest && isTrue(is1155),
          has_balances: balance.ok && balance.data.length === WORD_BYTES,
        },
      ];
    }),
  );
};

/** Tokens with an owner per piece: `ownerOf` is in their code or, behind a proxy, behaves unlike an absent function. */
const ownedAmong = async (tokens: readonly CodedToken[], ask: CallBatch): Promise<ReadonlySet<Hex>> => {
  const owned = new Set(tokens.filter(({ code }) => dispatchesOwners(code)).map(({ token }) => token));
  const hidden = tokens.filter(({ token, code }) => !owned.has(token) && mayBeProxy(code));
  const answers = await ask(
    hidden.flatMap(({ token: to }) =>
      [SELECTORS.ownerOf, INTERFACES.none].map((selector) => ({ to, data: concatHex(selector, word(1)) })),
    ),
  );
  for (const [i, { token }] of hidden.entries()) {
    const [owner = SILENT, absent = SILENT] = answers.slice(i * 2);
    if (isOtherThanAbsent(owner, absent)) owned.add(token);
  }
  return owned;
};

/** A number of one word, or a revert with a reason: neither comes from a fallback that rejects every selector. */
const isOtherThanAbsent = (owner: CallResult, absent: CallResult): boolean => {
  if (owner.ok === absent.ok && equalBytes(owner.data, absent.data)) return false;
  return owner.ok ? owner.data.length === WORD_BYTES : owner.data.length > 0;
};
