import type { Chain } from "../../../../chains/chain.ts";
import type { TokenTraits } from "../../../../chains/token_accounts.ts";
import { INTERFACES } from "../../../../knowledge/names.gen.ts";
import type { Hex } from "../../../../lib/bytes.ts";
import type { OwnerType } from "../../../token/contracts/capabilities/power.ts";
import type { CapabilityScan } from "../../../token/contracts/capabilities/scan.ts";
import type { Capability } from "../../../token/contracts/capabilities/selectors.ts";
import type { Rugs } from "../../../token/developer/rugs.ts";
import type { HolderReplay } from "../../../token/simulation/replay.ts";
import type { NoSends, SendSimulation } from "../../../token/simulation/sends.ts";
import type { NoSimulation, Simulation } from "../../../token/simulation/simulate.ts";
import type { HolderFacts } from "./holders.ts";
import type { TokenLiquidity } from "./liquidity.ts";

/** How much of the token's life the index has. */
export interface IndexedLife {
  /** All of its pools and movements are indexed: no block of its life is missing. */
  readonly is_life_indexed: boolean;
  /** Its creation was before the indexed blocks, or inside a call that was not indexed. */
  readonly is_creation_missing: boolean;
}

/** Facts about a token from holders, pools and the index, for every kind of token. */
export interface MarketFacts {
  readonly chain: Chain;
  readonly token: Hex;
  /** The block whose state was read, with its time in unix seconds. */
  readonly block: { readonly number: number; readonly time: number };
  readonly holders: HolderFacts;
  readonly liquidity: TokenLiquidity;
  readonly creator: Hex | null;
  /** Unix seconds; null when the index does not cover its creation. */
  readonly created_at: number | null;
  readonly history: IndexedLife;
  /** A stablecoin or wrapped coin of the network's registry, whose issuer is known. */
  readonly is_listed: boolean;
  readonly is_fake: boolean;
  /** Its pools lost their liquidity (developer/drained.ts). */
  readonly is_drained: boolean;
  /** The most receivers in one transaction. */
  readonly receivers_max: number;
  /** Its name is a lure: a site's address, words like "claim". */
  readonly is_luring: boolean;
  /** Its name or symbol contains instructions for the program that reads it. */
  readonly is_instructing: boolean;
  /** Its name or symbol contains hidden characters. */
  readonly has_hidden: boolean;
  /** Its own end, and other tokens of its creator that ended in a rug; null when the creator is not known. */
  readonly creator_rugs: Rugs | null;
}

/** Facts about a token that is a contract, the input of its judgement. */
export interface TokenRiskFacts extends MarketFacts {
  readonly scan: CapabilityScan;
  readonly simulation: Simulation | NoSimulation;
  readonly replay: HolderReplay;
  /** Percent of a call's energy that callers pay; null on networks without energy. */
  readonly caller_energy_percent: number | null;
  readonly is_verified: boolean | null;
  /** Why that is not known. */
  readonly verified_gap: string | null;
}

/** Facts about a token that is an account with authorities over it. */
export interface PowerFacts extends MarketFacts {
  readonly traits: TokenTraits;
  /** The mint authority is an account whose key one person may hold; null without a mint authority. */
  readonly is_minter_alone: boolean | null;
  /** Results of transfers of real holders, as a node simulates them. */
  readonly sends: SendSimulation | NoSends;
}

/** Null when no transfer was simulated. */
export const sendsIn = ({ sends }: PowerFacts): SendSimulation | null => (typeof sends === "string" ? null : sends);

/** Null when nothing was simulated. */
export const simulationOf = ({ simulation }: TokenRiskFacts): Simulation | null =>
  typeof simulation === "string" ? null : simulation;

/** The kind of account with a power: `renounced` when it was given up, `unknown` when no account was found. */
export type PowerHolder = OwnerType | "unknown";

/** Functions that holders of coins may have too (with an allowance): they count when another account was accepted. */
const AMBIGUOUS: readonly string[] = [INTERFACES.erc20_supply.burn, INTERFACES.erc20_supply.burnFor];

/** The functions of a capability; null when the code does not show its functions. */
export const functionsOf = ({ functions, lets }: CapabilityScan, capability: Capability) =>
  functions === null
    ? null
    : functions.filter(
        (found) =>
          found.capability === capability &&
          (!AMBIGUOUS.includes(found.signature) || lets.some((one) => one.found.signature === found.signature)),
      );

/** Null when the code has no such function, or does not show its functions. */
export const powerOver = (scan: CapabilityScan, capability: Capability): PowerHolder | null => {
  const functions = functionsOf(scan, capability);
  if (functions === null || functions.length === 0) return null;
  const let_in = scan.lets.find(({ found }) => found.capability === capability);
  return (let_in === undefined ? scan.owner : scan.powers.get(let_in.caller))?.type ?? "unknown";
};
