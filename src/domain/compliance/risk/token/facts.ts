import type { Chain } from "../../../../chains/chain.ts";
import type { TokenTraits } from "../../../../chains/token_accounts.ts";
import { INTERFACES } from "../../../../knowledge/names.gen.ts";
import type { Hex } from "../../../../lib/bytes.ts";
import type { CapabilityScan } from "../../../token/contracts/capabilities/scan.ts";
import type { Capability } from "../../../token/contracts/capabilities/selectors.ts";
import type { Rugs } from "../../../token/developer/rugs.ts";
import type { Replay } from "../../../token/simulation/replay.ts";
import type { NoSends, Sends } from "../../../token/simulation/sends.ts";
import type { NoSimulation, Simulation } from "../../../token/simulation/simulate.ts";
import type { Holders } from "./holders.ts";
import type { TokenLiquidity } from "./liquidity.ts";

/** What holders, pools and the index say about a token, whatever it is made of. */
export interface MarketFacts {
  readonly chain: Chain;
  readonly token: Hex;
  /** The block whose state was read, unix seconds. */
  readonly block: { readonly number: number; readonly time: number };
  readonly holders: Holders;
  readonly liquidity: TokenLiquidity;
  readonly creator: Hex | null;
  /** Unix seconds; null when the index did not see its creation. */
  readonly created_at: number | null;
  /** A stablecoin or wrapped coin of the network's registry, whose issuer is known. */
  readonly is_listed: boolean;
  readonly is_fake: boolean;
  /** Its pools lost what they had (developer/held_outcomes.ts). */
  readonly is_drained: boolean;
  /** The most receivers of one transaction. */
  readonly receivers_max: number;
  /** Its name lures: an address of a site, words like "claim". */
  readonly is_luring: boolean;
  /** Its name or symbol holds words for the program that reads it. */
  readonly is_instructing: boolean;
  /** Its name or symbol holds characters that are not shown. */
  readonly has_hidden: boolean;
  /** Its own end, and other tokens of its creator that ended in a rug; null when the creator is not known. */
  readonly creator_rugs: Rugs | null;
}

/** Everything that was found out about a token that is a contract, before it is judged. */
export interface RiskFacts extends MarketFacts {
  readonly scan: CapabilityScan;
  readonly simulation: Simulation | NoSimulation;
  readonly replay: Replay;
  /** Percent of a call's energy that callers pay; null where there is no such thing. */
  readonly caller_energy_percent: number | null;
  readonly is_verified: boolean | null;
  /** Why that is not known. */
  readonly verified_gap: string | null;
}

/** Everything that was found out about a token that is an account with powers over it. */
export interface PowerFacts extends MarketFacts {
  readonly traits: TokenTraits;
  /** Who may mint is an account whose key one person may hold; null where nobody may. */
  readonly is_minter_alone: boolean | null;
  /** What became of the transfers of real holders, as a node simulates them. */
  readonly sends: Sends | NoSends;
}

/** Null when no transfer was rehearsed. */
export const sendsIn = ({ sends }: PowerFacts): Sends | null => (typeof sends === "string" ? null : sends);

/** Null when nothing was rehearsed. */
export const simulationOf = ({ simulation }: RiskFacts): Simulation | null =>
  typeof simulation === "string" ? null : simulation;

/** Who can use a power: `nobody` when it was given up, `unknown` when nobody was found. */
export type Power = "nobody" | "eoa" | "multisig" | "timelock" | "contract" | "unknown";

/** Functions that holders of coins may have too (with an allowance): they count when somebody else was let in. */
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
export const powerOver = (scan: CapabilityScan, capability: Capability): Power | null => {
  const functions = functionsOf(scan, capability);
  if (functions === null || functions.length === 0) return null;
  const let_in = scan.lets.find(({ found }) => found.capability === capability);
  const type = (let_in === undefined ? scan.owner : scan.powers.get(let_in.caller))?.type;
  return type === "renounced" ? "nobody" : (type ?? "unknown");
};
