/** The demo world of Solana: the real programs of litesvm with three months of scripted history. */
import { fromBase58 } from "../../lib/base58.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import type { CharacterName, TokenName } from "./characters.ts";
import { SolanaFacade } from "./facade.ts";
import { registerName } from "./name_accounts.ts";
import { installPools } from "./pool_program.ts";
import { runScenario } from "./scenario.ts";
import { makeCharacters, openSolanaScenario } from "./scenario_chain.ts";

export interface SolanaWorld {
  readonly url: string;
  readonly facade: SolanaFacade;
  /** Base58. */
  readonly characters: Readonly<Record<CharacterName, string>>;
  readonly mints: Readonly<Record<TokenName, string>>;
  readonly head: { readonly number: number; readonly hash: Hex };
  /** Null above the head and for a skipped slot. */
  blockHash(slot: number): Hex | null;
  stop(): Promise<void>;
}

const hexOf = (base58: string): Hex => toHex(fromBase58(base58) ?? new Uint8Array(0));

/**
 * Runs the scenario and listens.
 * @param t0 unix seconds of the first midnight; the same T0 gives the same hashes
 */
export const startSolanaWorld = async (t0: number): Promise<SolanaWorld> => {
  const characters = await makeCharacters();
  const facade = new SolanaFacade(characters.validator.address);
  installPools(facade.svm);
  const stage = await openSolanaScenario(facade, characters, t0);
  await runScenario(stage, t0);
  registerName(facade, "alice", characters.alice.address);
  await facade.start();
  const addresses = Object.entries(characters).map(([name, { address }]) => [name, address]);
  const blockHash = (slot: number): Hex | null => {
    const hash = facade.hashOf(slot);
    return hash === null ? null : hexOf(hash);
  };
  return {
    url: facade.url,
    facade,
    characters: Object.fromEntries(addresses) as Record<CharacterName, string>, // the same names
    mints: stage.mints,
    head: { number: facade.head, hash: blockHash(facade.head) ?? "" },
    blockHash,
    stop: () => facade.close(),
  };
};
