import { decode, encode, from } from "ox/AbiParameters";
import type { ContractCall, Override } from "../../../chains/chain.ts";
import { concatHex, type Hex, hex, toBigInt, toHex } from "../../../lib/bytes.ts";
import { selectorOf } from "../../abi.ts";
import type { SimulationState } from "../simulation/market.ts";
import { MARKER_CODE } from "./marker.gen.ts";
import { PROBE_CODE } from "./probe.gen.ts";
import { PUPPET_CODE } from "./puppet.gen.ts";

/** Trials of contracts/PowerProbe.sol: calls as one account, and their effects on a token. */

/** The accounts of all trials of one caller. */
export interface TrialStage {
  readonly token: Hex;
  readonly caller: Hex;
  readonly victim: Hex;
  readonly other: Hex;
  /** An argument of calls. */
  readonly friend: Hex;
  /** Of transfers. */
  readonly receiver: Hex;
  readonly marker: Hex;
  readonly payee: Hex;
  readonly simulator: Hex;
  readonly buyer: Hex;
  readonly quote: Hex;
  /** Calls of the simulator; empty without a market. */
  readonly sale: Hex;
  readonly purchase: Hex;
}

export interface TrialAct {
  readonly to: Hex;
  readonly data: Hex;
  readonly value?: bigint;
}

/** Calls in order, all of which must succeed. */
export type Trial = readonly TrialAct[];

/** The part of a step that arrives, in millionths; null when the step failed. */
type ArrivedPpm = number | null;

/** State of a token after a trial. Amounts in base units; null where a view does not answer. */
export interface TrialState {
  readonly supply: bigint | null;
  /** Balances. */
  readonly caller: bigint | null;
  readonly victim: bigint | null;
  readonly other: bigint | null;
  readonly friend: bigint | null;
  readonly payee: bigint | null;
  readonly token: bigint | null;
  readonly owner: bigint | null;
  /** Allowance of the caller over the victim's coins. */
  readonly allowance: bigint | null;
  /** Base units of the native coin. */
  readonly native: bigint;
  /** The marker contract runs as the token's code. */
  readonly is_replaced: boolean;
  readonly victim_transfer: ArrivedPpm;
  readonly other_transfer: ArrivedPpm;
  readonly sale: ArrivedPpm;
  readonly purchase: ArrivedPpm;
}

/** Null: rejected. */
export type TrialResult = TrialState | null;

const STAGE = "(address,address,address,address,address,address,address,address,address,address,address,bytes,bytes)";
const TRIALS = "(address,uint256,bytes)[][]";
const RUN = selectorOf(`run(${STAGE},${TRIALS})`);
const INPUT = from([`${STAGE} stage`, `${TRIALS} trials`]);
const OUTPUT = from(["bytes[]"]);
const [FAILED, ABSENT] = [2n ** 256n - 1n, 2n ** 256n - 2n];
const MARK = 0xa55an;
/** The probe's answer to a trial that used up its gas, and to those that it left out after two of them. */
const USED_UP = "0x01";
const WORD = 32;
/** Trials of one request: with every one accepted, they use about as much gas as a block. */
const TRIALS_MAX = 60;

const text = (bytes: Hex): `0x${string}` => `0x${bytes}`;

const dataOf = (stage: TrialStage, trials: readonly Trial[]): Hex => {
  const { token, caller, victim, other, friend, receiver, marker, payee, simulator, buyer, quote, sale, purchase } =
    stage;
  const accounts = [token, caller, victim, other, friend, receiver, marker, payee, simulator, buyer, quote].map(text);
  const acts = trials.map((trial) => trial.map(({ to, data, value = 0n }) => [text(to), value, text(data)]));
  // The types are those of contracts/PowerProbe.sol.
  return concatHex(RUN, hex(encode(INPUT, [[...accounts, text(sale), text(purchase)], acts] as never).slice(2)));
};

const stateOf = (words: Uint8Array): TrialState => {
  const at = (index: number): bigint => toBigInt(words.subarray(index * WORD, (index + 1) * WORD));
  const amount = (index: number): bigint | null => (at(index) === ABSENT ? null : at(index));
  const arrived = (index: number): ArrivedPpm => (at(index) === FAILED ? null : Number(at(index)));
  return {
    ...{ supply: amount(0), caller: amount(1), victim: amount(2), other: amount(3), friend: amount(4) },
    ...{ payee: amount(5), token: amount(6), owner: amount(7), allowance: amount(8), native: at(9) },
    is_replaced: at(10) === MARK || at(10) === 1n,
    ...{ victim_transfer: arrived(11), other_transfer: arrived(12), sale: arrived(13), purchase: arrived(14) },
  };
};

/** The answer of the probe. `onUsedUp`: gets the place of each trial that was rejected because it used up its gas. */
export const readTrials = (data: Uint8Array, onUsedUp: (at: number) => void = () => {}): readonly TrialResult[] => {
  const [results] = decode(OUTPUT, text(toHex(data))) as readonly [readonly `0x${string}`[]];
  return results.map((one, i) => {
    if (one === USED_UP) onUsedUp(i);
    return one === "0x" || one === USED_UP ? null : stateOf(Buffer.from(one.slice(2), "hex"));
  });
};

/** Ordinary coins of the network for an account that acts: never a round number. */
export const OWN_COINS = 2_713_905_518_220_714_903n;
/** The place in the code of `Marker` for its own address. */
const SELF_PLACE = "44".repeat(20);

const markerCode = (self: Hex): Hex => hex(MARKER_CODE.replaceAll(SELF_PLACE, self));

/** One override of each address, with all of its parts. */
export const merged = (overrides: readonly Override[]): readonly Override[] => {
  const known = new Map<Hex, Override>();
  for (const one of overrides) {
    const before = known.get(one.address);
    const storage = { ...before?.storage, ...one.storage };
    const has_storage = Object.keys(storage).length > 0;
    known.set(one.address, { ...before, ...one, ...(has_storage ? { storage } : {}) });
  }
  return [...known.values()];
};

/** The code of the trials at their accounts. */
export const trialCodes = (stage: TrialStage, { probe }: Pick<TrialGround, "probe">): readonly Override[] => {
  const puppets = [stage.caller, stage.victim, stage.other, stage.buyer].map((address) => ({
    ...{ address, code: PUPPET_CODE, balance: OWN_COINS },
  }));
  return [...puppets, { address: probe, code: PROBE_CODE }, { address: stage.marker, code: markerCode(stage.marker) }];
};

/** The call that runs trials as `stage.caller`. */
export const trialCall = (stage: TrialStage, probe: Hex, trials: readonly Trial[]): ContractCall => ({
  from: stage.caller,
  to: probe,
  data: dataOf(stage, trials),
});

export interface TrialGround {
  readonly state: SimulationState;
  readonly probe: Hex;
  /** The code of the simulator at its address, coins of the buyer and of holders. */
  readonly extra: readonly Override[];
  /** Gets each trial that was rejected because it used up its gas. */
  readonly onUsedUp?: (trial: Trial) => void;
}

/**
 * Results of the trials as `stage.caller`, in their order. `undefined`: the node did not run it, because a trial used the
 * gas of the rest.
 */
export const runTrials = async (
  ground: TrialGround,
  stage: TrialStage,
  trials: readonly Trial[],
): Promise<readonly (TrialResult | undefined)[]> => {
  const { state, probe, onUsedUp = () => {} } = ground;
  const overrides = merged([...trialCodes(stage, ground), ...ground.extra]);
  const parts = Array.from({ length: Math.ceil(trials.length / TRIALS_MAX) }, (_, i) =>
    trials.slice(i * TRIALS_MAX, (i + 1) * TRIALS_MAX),
  );
  const run = async (part: readonly Trial[]): Promise<readonly (TrialResult | undefined)[]> => {
    const call = trialCall(stage, probe, part);
    const [answer] = await state.chain.callOverridden({ calls: [call], overrides }, state.signal, state.block.number);
    const used_up = (at: number): void => part.slice(at, at + 1).forEach(onUsedUp);
    const results = answer?.ok === true ? readTrials(answer.data, used_up) : [];
    const rest = part.slice(results.length);
    if (rest.length === 0) return results;
    // A node with little gas for a call runs fewer; one that runs none would never end.
    if (results.length === 0)
      return part.length === 1 ? [undefined] : (await Promise.all(halves(part).map(run))).flat();
    return [...results, ...(await run(rest))];
  };
  return (await Promise.all(parts.map(run))).flat();
};

const halves = (part: readonly Trial[]): readonly (readonly Trial[])[] => {
  const middle = Math.ceil(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)];
};
