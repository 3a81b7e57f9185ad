import type { Override } from "../../../chains/chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { addressAt, selectorOf } from "../../abi.ts";
import type { SimulationState } from "../simulation/market.ts";
import { MARKER_CODE } from "./marker.gen.ts";
import type { PreparedStage } from "./stage.ts";
import { runTrials, type TrialResult, type TrialState } from "./trials.ts";

/**
 * Contracts that decide over the transfers of a token: with their code replaced by one that answers 0, or that rejects
 * every call, holders cannot sell or transfer.
 */

/** Number of contracts to look at. */
const CONTRACTS_MAX = 4;
/** INVALID: rejects every call. */
const REJECTING = hex("fe");

/** Routers answer this view: a token that sells its fees through one depends on it, and nothing is decided there. */
const IS_ROUTER = selectorOf("WETH()");

const hasStopped = (before: TrialState, after: TrialResult | undefined): boolean =>
  after === undefined ||
  after === null ||
  (["victim_transfer", "other_transfer", "sale"] as const).some(
    (step) => before[step] !== null && after[step] === null,
  );

const contractsAmong = async (
  { chain, block, signal }: SimulationState,
  addresses: readonly Hex[],
): Promise<readonly Hex[]> => {
  const states = await Promise.all(addresses.map((address) => chain.account(address, signal, block.number)));
  const contracts = addresses.filter((_, i) => (states[i]?.code.length ?? 0) > 0);
  const calls = contracts.map((to) => ({ to, data: IS_ROUTER }));
  const answers = calls.length === 0 ? [] : await chain.call(calls, signal, block.number);
  return contracts.filter((_, i) => {
    const answer = answers[i];
    return answer?.ok !== true || addressAt(answer.data, 0) === null;
  });
};

/** `named`: addresses in the code, the views and the storage of the token. */
export const readJudges = async (
  { ground, stage, before }: PreparedStage,
  named: readonly Hex[],
  caller: Hex,
): Promise<readonly Hex[]> => {
  const contracts = (await contractsAmong(ground.state, named)).slice(0, CONTRACTS_MAX);
  const runWith = async (override: Override): Promise<TrialResult | undefined> => {
    const extra = [...ground.extra, override];
    const [result] = await runTrials({ ...ground, extra }, { ...stage, caller }, [[]]);
    return result;
  };
  const decides = await Promise.all(
    contracts.map(async (address) => {
      const codes = [MARKER_CODE, REJECTING];
      const results = await Promise.all(codes.map((code) => runWith({ address, code })));
      return results.some((result) => hasStopped(before, result));
    }),
  );
  return contracts.filter((_, i) => decides[i] === true);
};
