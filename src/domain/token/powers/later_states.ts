import type { ContractCall, SimulatedBlock, SimulatedCall } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, type Hex } from "../../../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";
import { drawnAddress } from "../simulation/drawn.ts";
import { paceOf, type SimulationState } from "../simulation/market.ts";
import { readTrade } from "../simulation/simulator_calls.ts";
import type { PreparedStage } from "./stage.ts";
import {
  merged,
  OWN_COINS,
  readTrials,
  type Trial,
  type TrialAct,
  type TrialResult,
  type TrialStage,
  type TrialState,
  trialCall,
  trialCodes,
} from "./trials.ts";

/**
 * The state of a token after calls, and some time later. The calls are transactions of an account without code, with a price
 * of gas and much gas. Later the probe measures as in other trials, and at last two holders without code transfer and sell.
 */

/** Calls of an account, in order; those that fail change nothing. `sequels`: tried by the probe after the wait, each by itself. */
export interface LaterPlay {
  readonly caller: Hex;
  readonly acts: readonly TrialAct[];
  readonly sequels: readonly Trial[];
}

export interface LaterMoment {
  readonly blocks: number;
  readonly days: number;
  /** Of each sequel; `undefined`: not run. */
  readonly sequels: readonly (TrialResult | undefined)[];
  /** Without a further call. Null: not measured. */
  readonly state: TrialState | null;
}

/** Blocks of the calls: a block has gas for few calls with much gas. */
const ACT_BLOCKS = 8;
/** Calls of one play. */
export const ACTS_MAX = 2 * ACT_BLOCKS;
const ACT_GAS = 12_000_000;
const STEP_GAS = 2_500_000;
const WAIT_BLOCKS = 300;
const FAR_DAYS = 400;
const DAY_S = 86_400;
const PART = 200n;
const MILLION = 1_000_000n;
/** Of an account without code. */
const EMPTY_CODE: Hex = "";
const UNLIMITED = 2n ** 256n - 1n;

const APPROVE = selectorOf(INTERFACES.erc20.approve);
const BALANCE_OF = selectorOf(INTERFACES.erc20.balanceOf);
const TRANSFER = selectorOf(INTERFACES.erc20.transfer);

/** The node simulates far enough. */
export const canPlayLater = ({ chain }: SimulationState): boolean =>
  chain.can.simulations && chain.can.simulated_blocks_max > 2 * ACT_BLOCKS;

/** The last calls are in the last of these blocks. */
const spreadOver = <T>(items: readonly T[], blocks: number): readonly (readonly T[])[] =>
  Array.from({ length: blocks }, (_, i) => {
    const per_block = Math.max(1, Math.ceil(items.length / blocks));
    const end = items.length - (blocks - 1 - i) * per_block;
    return items.slice(Math.max(0, end - per_block), Math.max(0, end));
  });

/** The parts of a play that do not depend on its calls. */
class Stagehand {
  readonly #state: SimulationState;
  readonly #stage: TrialStage;
  readonly #amounts: readonly [victim: bigint, other: bigint];

  constructor({ ground, stage, before }: PreparedStage, caller: Hex) {
    this.#state = ground.state;
    this.#stage = { ...stage, caller };
    this.#amounts = [(before.victim ?? 0n) / PART, (before.other ?? 0n) / PART];
  }

  get stage(): TrialStage {
    return this.#stage;
  }

  /** A block at the network's pace, or `days` later. */
  block(after: number, content: Pick<SimulatedBlock, "calls" | "overrides">, days = 0): SimulatedBlock {
    const { block, conditions } = this.#state;
    const producer = conditions?.producer ?? null;
    return {
      number: block.number + after,
      time: block.time + after * paceOf(this.#state) + days * DAY_S,
      ...(producer === null ? {} : { producer }),
      ...(conditions === undefined ? {} : { base_fee: conditions.gas_price }),
      ...content,
    };
  }

  act({ to, data, value = 0n }: TrialAct): ContractCall {
    const gas_price = this.#state.conditions?.gas_price;
    return {
      ...{ from: this.#stage.caller, to, data, value, gas: ACT_GAS },
      ...(gas_price === undefined ? {} : { gas_price }),
    };
  }

  /** Coins for the gas of every call. */
  purse(): { readonly address: Hex; readonly balance: bigint } {
    const gas_price = this.#state.conditions?.gas_price ?? 0n;
    return { address: this.#stage.caller, balance: OWN_COINS + gas_price * BigInt(ACT_GAS * (ACTS_MAX + 1)) };
  }

  #receiver(of: string): Hex {
    return drawnAddress(this.#state, `${this.#stage.token} receiver of ${of}`);
  }

  /** [transfer, receiver's balance] of both holders, and [approval, sale] with a market. */
  steps(): readonly ContractCall[] {
    const { token, victim, other, simulator, sale } = this.#stage;
    const pay = (from: Hex, to: Hex, amount: bigint): readonly ContractCall[] => [
      { from, to: token, data: concatHex(TRANSFER, wordOf(to), wordOf(amount)), gas: STEP_GAS },
      { to: token, data: concatHex(BALANCE_OF, wordOf(to)), gas: STEP_GAS, from },
    ];
    const approve = concatHex(APPROVE, wordOf(simulator), wordOf(UNLIMITED));
    return [
      ...pay(victim, this.#receiver("victim"), this.#amounts[0]),
      ...pay(other, this.#receiver("other"), this.#amounts[1]),
      ...(sale === ""
        ? []
        : [
            { from: victim, to: token, data: approve, gas: STEP_GAS },
            { from: victim, to: simulator, data: sale, gas: STEP_GAS },
          ]),
    ];
  }

  readSteps(played: readonly SimulatedCall[]): Pick<TrialState, "victim_transfer" | "other_transfer" | "sale"> {
    const ppm = (arrived: bigint, given: bigint): number | null =>
      given === 0n ? null : Number(((arrived > given ? given : arrived) * MILLION) / given);
    const moved = (at: number, amount: bigint): number | null => {
      const [transfer, balance] = played.slice(at, at + 2);
      const refused = transfer?.ok !== true || (transfer.data.length >= 32 && integerAt(transfer.data, 0) === 0n);
      return refused ? null : ppm(integerAt(balance?.data ?? new Uint8Array(0), 0) ?? 0n, amount);
    };
    const sold = played[5]?.ok === true ? readTrade(played[5].data) : null;
    return {
      ...{ victim_transfer: moved(0, this.#amounts[0]), other_transfer: moved(2, this.#amounts[1]) },
      sale: sold === null ? null : ppm(sold.arrived, sold.given),
    };
  }
}

export interface LaterStates {
  /** Of each call. */
  readonly accepted: readonly boolean[];
  /** Moments after the calls, the soonest first: the next block, 300 blocks later, and 400 days later. */
  readonly moments: readonly LaterMoment[];
  /** Gas of all calls. */
  readonly gas: number;
}

export const playLater = async (prepared: PreparedStage, play: LaterPlay): Promise<LaterStates> => {
  const { ground } = prepared;
  const hand = new Stagehand(prepared, play.caller);
  const reach = ground.state.chain.can.simulated_blocks_max;
  const acts = spreadOver(
    play.acts.map((act) => hand.act(act)),
    ACT_BLOCKS,
  );
  const first = { overrides: merged([...ground.extra, hand.purse()]) };
  const probe = (trials: readonly Trial[]) => [trialCall(hand.stage, ground.probe, [[], ...trials])];
  const soon = ACT_BLOCKS + 1;
  const late = Math.min(ACT_BLOCKS + WAIT_BLOCKS, reach - 2);
  const [far, end] = [late + 1, late + 2];
  const people = [hand.stage.victim, hand.stage.other].map((address) => ({ address, code: EMPTY_CODE }));
  const blocks = [
    ...acts.map((calls, i) => hand.block(i + 1, { calls, ...(i === 0 ? first : {}) })),
    hand.block(soon, { calls: probe([]), overrides: trialCodes(hand.stage, ground) }),
    hand.block(late, { calls: probe(play.sequels) }),
    hand.block(far, { calls: probe(play.sequels) }, FAR_DAYS),
    hand.block(end, { calls: hand.steps(), overrides: people }, FAR_DAYS),
  ];
  const { chain, signal, block } = ground.state;
  const played = await chain.simulate(blocks, signal, block.number);
  const measured = played.slice(ACT_BLOCKS, -1).map(([answer]) => (answer?.ok === true ? readTrials(answer.data) : []));
  const moment = (at: number, days: number, [state = null, ...sequels]: readonly TrialResult[] = []): LaterMoment => ({
    ...{ blocks: at - ACT_BLOCKS, days, state, sequels },
  });
  const last = moment(far, FAR_DAYS, measured[2]);
  const moments = [
    moment(soon, 0, measured[0]),
    moment(late, 0, measured[1]),
    last,
    {
      ...last,
      sequels: [],
      state: last.state === null ? null : { ...last.state, ...hand.readSteps(played.at(-1) ?? []) },
    },
  ];
  const accepted = played.slice(0, ACT_BLOCKS).flatMap((calls) => calls.map(({ ok }) => ok));
  const gas = played.flat().reduce((sum, { gas_used }) => sum + gas_used, 0);
  return { accepted, moments, gas };
};
