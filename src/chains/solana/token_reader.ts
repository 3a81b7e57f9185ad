/** Live reads of token accounts and mints: frozen accounts, delegates, and the powers of a mint's authorities. */
import { EMPTY, fromHex, type Hex, toHex } from "../../lib/bytes.ts";
import { BadAnswer, fieldsOf } from "../node/answer.ts";
import type { HolderTokens, TokenAccount, TokenHoldings, TokenTraits } from "../token_accounts.ts";
import { type Mint, readTokenAccount } from "./account_data.ts";
import { ownTraits, powersOf } from "./mint_traits.ts";
import type { SolanaRpcPool } from "./probe.ts";
import { isTokenProgram } from "./programs.ts";
import {
  cleanOrNull,
  describedBy,
  type LiveAccount,
  metadataAddress,
  mintIn,
  type SolanaStateReader,
} from "./state.ts";
import { indexOf } from "./wire.ts";

/** Metaplex allows 200 (mpl-token-metadata, MAX_URI_LENGTH), a mint of Token-2022 any number: longer is no address. */
const URI_BYTES_MAX = 1_024;

export class TokenReader {
  readonly #pool: SolanaRpcPool;
  readonly #state: SolanaStateReader;

  constructor(pool: SolanaRpcPool, state: SolanaStateReader) {
    this.#pool = pool;
    this.#state = state;
  }

  /**
   * Lists the accounts first, then reads them and the mints at one slot (up to a hundred of them, by hundreds beyond).
   * A token belongs to one of the two token programs, so its mint finds the accounts of both.
   */
  async tokenAccounts({ holder, tokens }: HolderTokens, signal: AbortSignal, at?: number): Promise<TokenHoldings[]> {
    const pairs = tokens.map((token) => ({ token, holder }));
    const listed = await this.#state.tokenAccounts(pairs, signal, at);
    const addresses = listed.map((list) => (list ?? []).map(({ account }) => account).sort());
    const found = await this.#state.accounts([...tokens, ...addresses.flat()], signal, at);
    let next = tokens.length;
    return tokens.map((token, i) => {
      const accounts = (addresses[i] ?? []).flatMap((account) =>
        tokenAccountOf(account, found[next++], { token, holder }),
      );
      const mint = mintIn(found[i] ?? null);
      return { token, powers: mint === null ? null : powersOf(this.#whole(mint)), accounts };
    });
  }

  async tokenTraits(token: Hex, signal: AbortSignal, at?: number): Promise<TokenTraits | null> {
    const place = toHex(metadataAddress(fromHex(token) ?? EMPTY));
    const [[account = null, metaplex = null], epoch] = await Promise.all([
      this.#state.accounts([token, place], signal, at),
      this.#epoch(signal),
    ]);
    const mint = mintIn(account);
    if (mint === null) return null;
    const described = describedBy(token, mint, metaplex);
    const update_authority = described?.update_authority ?? null;
    const description =
      described === null
        ? null
        : {
            uri: Buffer.byteLength(described.uri) > URI_BYTES_MAX ? null : cleanOrNull(described.uri, URI_BYTES_MAX),
            is_mutable: described.is_mutable,
            update_authority: update_authority === null ? null : toHex(update_authority),
          };
    return { ...ownTraits(this.#whole(mint), epoch), description };
  }

  /** Fees of a transfer change with the epoch. */
  #epoch(signal: AbortSignal): Promise<number> {
    return this.#pool.run({ what: "getEpochInfo" }, signal, async ({ endpoint }) => {
      const info = await endpoint.result({ method: "getEpochInfo", params: [{ commitment: "confirmed" }] }, signal);
      return indexOf(fieldsOf(info, "epoch").epoch, "epoch");
    });
  }

  /** The programs never leave a list of extensions cut off: its missing part could hide powers. */
  #whole(mint: Mint): Mint {
    if (!mint.is_whole) throw this.#pool.unavailable("mint", new BadAnswer("the extensions of a mint are cut off"));
    return mint;
  }
}

/** Null for an account that was closed or transferred since it was listed. */
const tokenAccountOf = (
  account: Hex,
  live: LiveAccount | null | undefined,
  of: { readonly token: Hex; readonly holder: Hex },
): TokenAccount[] => {
  const data = live && isTokenProgram(live.owner) ? readTokenAccount(live.data) : null;
  if (data === null || toHex(data.owner) !== of.holder || toHex(data.mint) !== of.token) return [];
  const { amount, state, delegate, delegated } = data;
  const is_frozen = state === "frozen";
  return [{ account, amount, is_frozen, delegate: delegate === null ? null : toHex(delegate), delegated }];
};
