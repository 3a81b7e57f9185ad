/** Continues traces on the other side of bridges. */
import type { Chain } from "../../../../chains/chain.ts";
import { type Hex, hex } from "../../../../lib/bytes.ts";
import { iso } from "../../../../lib/time.ts";
import type { TraceMethod } from "../../../../lib/trace_method.ts";
import type { CallContext, SnapshotContext } from "../../../context.ts";
import { readHistory } from "../../../wallet/history/history.ts";
import { addressRiskIn, type RiskScope, readAddressRisks } from "../address_risks.ts";
import type { FrontierSplit } from "../frontier.ts";
import { LIMITS } from "../model.ts";
import type { PaymentOrigin } from "../payment_origin.ts";
import { traceWallet } from "../wallet_trace.ts";
import { readCalledBridges } from "./called.ts";
import type { BridgeReader, LegsQuestion } from "./cross.ts";
import { type BridgeLeg, LEFT_OUT, type LegOutcome, UNMATCHED } from "./legs.ts";
import { matchOf, sideOf } from "./match.ts";
import { type ProofQuestion, provenSide } from "./proof.ts";
import type { CrossedSide, MatchedSide, MovedSide } from "./side.ts";
import { StatementReader } from "./statements.ts";

const partsOf = (split: FrontierSplit, usd: number): FrontierSplit => ({
  followed_usd: split.followed_usd / usd,
  stopped_at_services_usd: split.stopped_at_services_usd / usd,
  bridge_unmatched_usd: split.bridge_unmatched_usd / usd,
  not_followed_usd: split.not_followed_usd / usd,
});

const outcomeOf = (origin: PaymentOrigin, { side, confidence }: MatchedSide): LegOutcome => {
  const { in: received, out: paid } = origin.traced.totals;
  const usd = received + paid;
  // Without a price there, it is unknown which part of the movement is tainted.
  if (usd <= 0) return LEFT_OUT;
  return { parts: partsOf(origin, usd), crossing: { from: { scope: side.scope, walk: origin }, usd, confidence } };
};

/** Shared by the walks of one wallet over its bridges. */
interface BridgeBudget {
  left: number;
  readonly unindexed: Set<string>;
  statements: StatementReader | null;
}

type IsWanted = (leg: BridgeLeg) => boolean;

/** Money that left came by earlier arrivals, and money that arrived leaves by later departures. */
const beyond =
  ({ is_arrival, time }: CrossedSide): IsWanted =>
  ({ is_arrival: is_arriving, event }) =>
    is_arrival ? !is_arriving && event.time >= time : is_arriving && event.time <= time;

/** The networks of the call, and the method of its trace. */
interface BridgeScene {
  readonly chains: readonly Chain[];
  readonly method: TraceMethod;
}

/** Follows the legs of one wallet, and of the addresses beyond its bridges, within one budget for all. */
class BridgeWalk implements BridgeReader {
  readonly #scene: BridgeScene;
  readonly #budget: BridgeBudget;
  readonly #isWanted: IsWanted;

  constructor(scene: BridgeScene, budget: BridgeBudget, isWanted: IsWanted) {
    this.#scene = scene;
    this.#budget = budget;
    this.#isWanted = isWanted;
  }

  /** One for all walks of the wallet, whose emergency stop is the same. */
  #statements({ sight, stop }: Pick<LegsQuestion, "sight" | "stop">): StatementReader {
    const signal = AbortSignal.any([sight.scope.signal, stop]);
    this.#budget.statements ??= new StatementReader(LIMITS.bridge_transactions, signal);
    return this.#budget.statements;
  }

  #proof({ sight, stop }: Pick<LegsQuestion, "sight" | "stop">): ProofQuestion {
    return { chains: this.#scene.chains, sight, statements: this.#statements({ sight, stop }) };
  }

  called: BridgeReader["called"] = (question) => readCalledBridges(question, this.#proof(question));

  async follow(question: LegsQuestion) {
    const followed = new Map<Hex, LegOutcome & { readonly leg: BridgeLeg }>();
    let left_out = 0;
    for (const leg of question.legs) {
      const is_followed = leg.usd >= LIMITS.follow_usd && this.#isWanted(leg);
      const outcome = is_followed ? await this.#cross(leg, question) : LEFT_OUT;
      if (is_followed && outcome === LEFT_OUT) left_out += 1;
      followed.set(leg.id, { leg, ...outcome });
    }
    const here = question.sight.scope.snapshot.network;
    const unindexed = [...this.#budget.unindexed].filter((network) => network !== here).sort();
    return { followed, unindexed, left_out };
  }

  async #cross(leg: BridgeLeg, question: LegsQuestion): Promise<LegOutcome> {
    if (this.#budget.left === 0) return LEFT_OUT;
    this.#budget.left -= 1;
    const { sight, marks } = question;
    const { event, is_arrival, holder, bridge } = leg;
    const { asset, amount, time, tx } = event;
    // A collectible is no coin of several networks.
    if (event.is_limited || asset.includes(":")) return UNMATCHED;
    const proof = this.#proof(question);
    const where = { scope: sight.scope, is_arrival, holder, bridge };
    const moved: MovedSide = { ...where, token: hex(asset), amount, bucket: asset, time, ...tx };
    const proven = await provenSide(moved, (await proof.statements.about(moved)) ?? [], proof);
    if (proven !== null) return this.#continue(proven, question);
    const side = await sideOf(moved, addressRiskIn(marks, bridge).party.entity);
    if (side === null) return UNMATCHED;
    const { found, unindexed } = await matchOf(side, proof);
    if (found !== null) return this.#continue(found, question);
    for (const network of unindexed) this.#budget.unindexed.add(network);
    return UNMATCHED;
  }

  /** Traces the money of the other side: a departure with what came before it, an arrival up to the answer's time. */
  async #continue(matched: MatchedSide, { sight, stop }: LegsQuestion): Promise<LegOutcome> {
    const { side } = matched;
    const scope = await scopeOf(side, sight.scope);
    const there: RiskScope = { scope, operator: sight.operator };
    const life = await readHistory(scope, side.holder, { from: 0, until: scope.snapshot.block.time + 1 });
    const marks = await readAddressRisks(there, [side.holder]);
    const { block_number, tx_index, bucket, bridge, is_arrival } = side;
    const { payments } = await traceWallet(there, life, {
      method: this.#scene.method,
      payments: { tx: { block_number, tx_index }, asset: bucket, peers: new Set([bridge]), is_received: is_arrival },
      mark: addressRiskIn(marks, side.holder),
      stop,
      bridges: new BridgeWalk(this.#scene, this.#budget, beyond(side)),
    });
    return payments === null ? LEFT_OUT : outcomeOf(payments, { ...matched, side: { ...side, scope } });
  }
}

/** Seconds after a departure until the prices of its hour are complete. Its trace takes no later payment. */
const PRICED_S = 7_200;

const scopeOf = async (side: CrossedSide, { snapshot: asked }: SnapshotContext): Promise<SnapshotContext> => {
  const { facts, chain, snapshot: newest } = side.scope;
  const until = side.is_arrival ? asked.block.time : Math.min(asked.block.time, side.time + PRICED_S);
  if (newest.block.time <= until) return side.scope;
  return { ...side.scope, snapshot: await facts.snapshot(chain.network.id, { text: iso(until), until }) };
};

/** A reader of bridges between the networks of the call. */
export const bridgesBetween = (
  { networks, chain, facts }: Pick<CallContext, "networks" | "chain" | "facts">,
  method: TraceMethod,
): BridgeReader => {
  // The other side may be of any address, and there few are read.
  const unindexed = networks.filter((network) => facts.isOnDemand?.(network) === true);
  const whole = networks.filter((network) => !unindexed.includes(network));
  return new BridgeWalk(
    { chains: whole.map(chain), method },
    { left: LIMITS.bridge_legs, unindexed: new Set(unindexed), statements: null },
    () => true,
  );
};
