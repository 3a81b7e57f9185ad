import { type Bytes, type Hex, hex } from "../../../lib/bytes.ts";
import { storedAddresses } from "../contracts/capabilities/access_probes.ts";
import { drawnAddress } from "../simulation/drawn.ts";
import type { SimulationMarket, SimulationState } from "../simulation/market.ts";
import { callersOf, namedBy, readNamed } from "./candidates.ts";
import { type DeployedFunction, functionsInCode, hashesInCode } from "./code_functions.ts";
import { readJudges } from "./judges.ts";
import { canPlayLater } from "./later_states.ts";
import { LaterTrials } from "./later_trials.ts";
import type { NoPowers, PowersFound } from "./power.ts";
import { PowerTrials } from "./power_trials.ts";
import { functionOf, keyOf } from "./run_trials.ts";
import { settingKeysIn } from "./setting_keys.ts";
import { spentFunctions } from "./spent_functions.ts";
import { prepareStage } from "./stage.ts";
import { HOLDER_FUNCTIONS, STANDARD, TOTAL_SUPPLY } from "./standard_functions.ts";

/**
 * Powers over a token by their effects: every function of its code is called as the accounts that its code, views and
 * storage name, and the effect on holders, supply, trades and ownership is measured (contracts/PowerProbe.sol).
 */

export const POWERS_METHOD = "powers/evm@2";

export interface PowersQuery {
  readonly token: Hex;
  /** The code that runs: the token's own, and the code behind a proxy. */
  readonly codes: readonly Bytes[];
  /** Owner, creator, administrator of a proxy. */
  readonly known: readonly Hex[];
  /** Addresses in its storage. */
  readonly stored: readonly Hex[];
  /** Accounts without code that hold it. */
  readonly people: readonly Hex[];
  readonly market: SimulationMarket | null;
  /** Pools, routers, coins and burn addresses: they have no power over a token. */
  readonly never: readonly Hex[];
  /** Contracts whose code the token runs as its own. */
  readonly implementations: readonly Hex[];
}

const ZERO = hex("00".repeat(20));

const functionsAt = (at: Hex, codes: readonly Bytes[]): readonly DeployedFunction[] => {
  const known = new Map(codes.flatMap(functionsInCode).map((found) => [found.selector, { ...found, at }] as const));
  return [...known.values()];
};

/** A payment without call data, and a call of a function that no code has: a contract may answer both. */
const UNNAMED: readonly Hex[] = ["", hex("fffffffe")];

const unnamedAt = (at: Hex): readonly DeployedFunction[] =>
  UNNAMED.map((selector) => ({
    ...{ at, selector, types: selector === "" ? "" : "uint256", is_view: false, is_payable: true },
    ...{ writes: new Set<string>(), reads: new Set<string>(), values: [] },
  }));

/**
 * A function without a visible write may write through assembly or through another contract; one that writes only slots
 * that no transfer reads cannot change what holders can do.
 */
const mayMatter = (found: DeployedFunction, functions: readonly DeployedFunction[]): boolean => {
  if (STANDARD.has(found.selector) || UNNAMED.includes(found.selector)) return false;
  if (found.writes.size === 0) return true;
  const read = functions.filter(({ selector }) => HOLDER_FUNCTIONS.has(selector)).flatMap(({ reads }) => [...reads]);
  return read.length === 0 || read.some((slot) => found.writes.has(slot));
};

interface JudgeContract {
  readonly functions: readonly DeployedFunction[];
  /** Accounts that it names. */
  readonly named: readonly Hex[];
}

/** A contract that decides over the token's transfers, with the accounts that may change what it says. */
const readJudge = async (state: SimulationState, address: Hex): Promise<JudgeContract> => {
  const { chain, block, signal } = state;
  const { code } = await chain.account(address, signal, block.number);
  const functions = functionsAt(address, [code]);
  const [views, stored] = await Promise.all([
    readNamed(state, address, functions),
    storedAddresses({ chain, address, at: block.number, signal }),
  ]);
  return { functions, named: namedBy({ views: views.addresses, stored, codes: [code] }) };
};

export const readPowers = async (state: SimulationState, query: PowersQuery): Promise<PowersFound | NoPowers> => {
  const { token, codes, known: accounts, stored, people, market, never, implementations } = query;
  if (!state.chain.can.overrides) return "no_overrides";
  const functions = functionsAt(token, codes);
  if (functions.length === 0) return "no_functions";
  const [views, prepared] = await Promise.all([
    readNamed(state, token, functions),
    prepareStage(state, { token, people, market }),
  ]);
  if (typeof prepared === "string") return prepared;
  const { victim, other } = prepared.stage;
  const excluded = [...never, ...implementations, token, ZERO, victim, other];
  const named = namedBy({ views: views.addresses, stored, codes });
  const stranger = drawnAddress(state, `${token} stranger`);
  const judges = await readJudges(
    prepared,
    named.filter((one) => !excluded.includes(one)),
    stranger,
  );
  const judging = await Promise.all(judges.map((judge) => readJudge(state, judge)));
  const callers = callersOf([...accounts, ...judging.flatMap((one) => one.named), ...named], [...excluded, ...judges]);
  const acting = [
    ...[...functions, ...judging.flatMap((one) => one.functions)].filter(({ is_view }) => !is_view),
    ...unnamedAt(token),
  ];
  const trials = new PowerTrials(prepared, {
    ...{ functions: acting, callers, stranger },
    roles: [...views.roles, ...codes.flatMap(hashesInCode)],
    keys: settingKeysIn(codes),
    supply_slots: new Set(functions.flatMap(({ selector, reads }) => (selector === TOTAL_SUPPLY ? [...reads] : []))),
    zero: ZERO,
  });
  const { powers, reached: tried, silent } = await trials.run();
  const settingOf = (caller: Hex) => trials.settingOf(caller);
  const is_played_later = canPlayLater(state);
  // Later effects of such a function are effects of the code that it was given.
  const replacing = new Set(powers.flatMap(({ kind, by }) => (kind === "replaces_code" ? keyOf(by) : [])));
  const lasting = acting.filter((one) => !replacing.has(keyOf(one)));
  const known = new Set(powers.map(({ kind }) => kind));
  const later = is_played_later
    ? await new LaterTrials(prepared, trials, { functions: lasting, callers, stranger, known }).run()
    : { powers: [], reached: new Set<Hex>(), left_out: new Set<Hex>() };
  const reached = new Set([...tried, ...(tried.size === 0 ? [] : later.reached)]);
  const enough = acting.filter((one) => !later.left_out.has(keyOf(one)));
  const spent = await spentFunctions(prepared, { functions: enough, reached, callers, settingOf });
  const used = new Set(later.powers.map(({ by }) => keyOf(by)));
  const isMissed = (one: DeployedFunction): boolean => {
    const key = keyOf(one);
    if (later.left_out.has(key)) return true;
    return (!reached.has(key) && !spent.has(key)) || (silent.has(key) && !used.has(key));
  };
  return {
    powers: [...powers, ...later.powers],
    is_played_later,
    unreached: acting.filter((one) => isMissed(one) && (one.at !== token || mayMatter(one, functions))).map(functionOf),
    ...{ judges, tried: acting.length, callers, block: state.block.number },
  };
};
