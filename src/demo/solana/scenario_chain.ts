/** A Solana chain that is being written: every transaction is in a block of its own, at a given time. */
import type { webcrypto } from "node:crypto";
import type { Address, Instruction } from "@solana/kit";
import { actor, type SolanaActor } from "./acts.ts";
import { type AssociatedAccount, associatedAddress } from "./associated.ts";
import { CHARACTERS, type CharacterName, TOKENS, type TokenName } from "./characters.ts";
import type { SolanaFacade } from "./facade.ts";

const SECONDS_BETWEEN = 12;

/** Signers, fee payer and instructions. */
export interface TransactionRequest {
  readonly by: CharacterName;
  readonly does: readonly Instruction[];
  /** Further signers: new accounts, other characters. */
  readonly with?: readonly SolanaActor[];
  /** A transaction that must fail; an unexpected result stops the scenario. */
  readonly fails?: boolean;
}

export interface SolanaScenarioChain {
  readonly facade: SolanaFacade;
  readonly characters: Readonly<Record<CharacterName, SolanaActor>>;
  readonly mints: Readonly<Record<TokenName, Address>>;
  /** Keys of a mint before its creation. */
  readonly mintKeys: (token: "usdc" | "lamp") => SolanaActor;
  /** Sets the time of the next transaction (unix seconds), or 12 s after the last if that is later. */
  at(time: number): void;
  /** The owner's associated account of a token. */
  held(owner: Address, token: TokenName): AssociatedAccount;
  account(owner: Address, token: TokenName): Address;
  act(request: TransactionRequest): Promise<void>;
  /** Coins from the chain itself, in a block of their own. */
  credit(to: CharacterName, lamports: bigint): void;
  /** Leaves this many slots before the next block empty. */
  skip(slots: number): void;
}

const actorsOf = async <Name extends string>(seeds: Readonly<Record<Name, { readonly seed: number }>>) => {
  const names = Object.keys(seeds) as Name[]; // the keys of the record
  const made = await Promise.all(names.map(async (name) => [name, await actor(seeds[name].seed)] as const));
  return Object.fromEntries(made) as Record<Name, SolanaActor>; // one for each name
};

export const makeCharacters = (): Promise<Record<CharacterName, SolanaActor>> => actorsOf(CHARACTERS);

/** @param start unix seconds of the newest block */
export const openSolanaScenario = async (
  facade: SolanaFacade,
  characters: Readonly<Record<CharacterName, SolanaActor>>,
  start: number,
): Promise<SolanaScenarioChain> => {
  const keys = await actorsOf({ usdc: TOKENS.usdc, lamp: TOKENS.lamp });
  const mints = { usdc: keys.usdc.address, lamp: keys.lamp.address, wsol: TOKENS.wsol.mint };
  let newest = start;
  let next = start;
  let skipped = 0;
  const held = (owner: Address, token: TokenName): AssociatedAccount => ({
    owner,
    mint: mints[token],
    program: TOKENS[token].program,
  });
  const seal = (): void => {
    newest = Math.max(newest, next);
    facade.seal(skipped, newest);
    next = newest + SECONDS_BETWEEN;
    skipped = 0;
  };
  return {
    facade,
    characters,
    mints,
    mintKeys: (token) => keys[token],
    at: (time) => {
      next = Math.max(next, time);
    },
    held,
    account: (owner, token) => associatedAddress(held(owner, token)),
    act: async ({ by, does, with: others = [], fails = false }) => {
      const signers: [webcrypto.CryptoKeyPair, ...webcrypto.CryptoKeyPair[]] = [
        characters[by].keys,
        ...others.map((other) => other.keys),
      ];
      const error = await facade.send(does, signers, characters[by].address);
      if ((error !== null) !== fails)
        throw new Error(`The scenario broke: a transaction of ${by} ended with ${error}.`);
      seal();
    },
    credit: (to, lamports) => {
      facade.credit(characters[to].address, lamports);
      seal();
    },
    skip: (slots) => {
      skipped = slots;
    },
  };
};
