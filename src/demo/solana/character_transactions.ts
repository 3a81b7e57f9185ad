/** Transactions of the characters: payments, transfers, freezes, wrapped SOL. */
import type { Address, Instruction } from "@solana/kit";
import { pay, tokenProgram } from "./acts.ts";
import { openAssociated } from "./associated.ts";
import { type CharacterName, TOKENS, type TokenName } from "./characters.ts";
import type { SolanaScenarioChain } from "./scenario_chain.ts";

/** Lamports of one SOL. */
export const SOL = 10n ** 9n;
/** One dollar, or one Lantern, in base units. */
export const UNIT = 10n ** 6n;

const addressOf = (stage: SolanaScenarioChain, who: CharacterName | Address): Address => {
  const known = stage.characters[who as CharacterName]; // undefined for a plain address
  return known === undefined ? (who as Address) : known.address;
};

export interface CharacterPayment {
  readonly from: CharacterName;
  readonly to: CharacterName | Address;
  readonly amount: bigint;
  readonly fails?: boolean;
}

export const payCoins = (
  stage: SolanaScenarioChain,
  { from, to, amount, fails = false }: CharacterPayment,
): Promise<void> =>
  stage.act({ by: from, does: [pay(stage.characters[from].address, addressOf(stage, to), amount)], fails });

/** Instructions that send a token; the sender opens the receiver's account where there is none. */
export const sending = (
  stage: SolanaScenarioChain,
  token: TokenName,
  { from, to, amount }: CharacterPayment,
): Instruction[] => {
  const [sender, receiver] = [stage.characters[from].address, addressOf(stage, to)];
  const { program, decimals } = TOKENS[token];
  const [source, target] = [stage.account(sender, token), stage.account(receiver, token)];
  return [
    openAssociated(sender, stage.held(receiver, token)),
    tokenProgram(program).transfer({
      from: source,
      mint: stage.mints[token],
      to: target,
      by: sender,
      amount,
      decimals,
    }),
  ];
};

export const sendToken = (stage: SolanaScenarioChain, token: TokenName, sent: CharacterPayment): Promise<void> =>
  stage.act({ by: sent.from, does: sending(stage, token, sent), fails: sent.fails ?? false });

/** The authority opens the receiver's account and mints into it. */
export const mint = (
  stage: SolanaScenarioChain,
  token: "usdc" | "lamp",
  { from, to, amount }: CharacterPayment,
): Promise<void> => {
  const [authority, receiver] = [stage.characters[from].address, addressOf(stage, to)];
  const target = stage.account(receiver, token);
  const issued = { mint: stage.mints[token], to: target, authority, amount };
  const given = tokenProgram(TOKENS[token].program).mintTo(issued);
  return stage.act({ by: from, does: [openAssociated(authority, stage.held(receiver, token)), given] });
};

/** trent freezes, or thaws, an owner's dollars. */
export const freeze = (stage: SolanaScenarioChain, verb: "freeze" | "thaw", who: CharacterName): Promise<void> => {
  const { usdc } = stage.mints;
  const account = stage.account(stage.characters[who].address, "usdc");
  const does = [tokenProgram(TOKENS.usdc.program)[verb](account, usdc, stage.characters.trent.address)];
  return stage.act({ by: "trent", does });
};

/** Instructions that wrap SOL into a token of their owner. */
export const wrapping = (stage: SolanaScenarioChain, by: CharacterName, amount: bigint): Instruction[] => {
  const owner = stage.characters[by].address;
  const account = stage.account(owner, "wsol");
  return [
    openAssociated(owner, stage.held(owner, "wsol")),
    pay(owner, account, amount),
    tokenProgram(TOKENS.wsol.program).sync(account),
  ];
};

export const wrap = (stage: SolanaScenarioChain, by: CharacterName, amount: bigint): Promise<void> =>
  stage.act({ by, does: wrapping(stage, by, amount) });

/** All wrapped SOL and the rent of their account become SOL again. */
export const unwrap = (stage: SolanaScenarioChain, by: CharacterName): Promise<void> => {
  const owner = stage.characters[by].address;
  const does = [tokenProgram(TOKENS.wsol.program).close(stage.account(owner, "wsol"), owner, owner)];
  return stage.act({ by, does });
};
