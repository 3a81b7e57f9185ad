import { GUESSED_SOURCES } from "../labels/derived_labels.ts";
import { type RuledLabel, type Score, type ScoredLabel, type ScoreInput, scoreLabels } from "../labels/score.ts";
import type { Engine } from "../store/engine.ts";
import { queryRows } from "../store/query.ts";

const ADDRESSES_MAX = 5_000;

/** Derived labels of exchanges and traders are scored even if none was found. */
const ALWAYS_SCORED: readonly string[] = ["exchange", "exchange_deposit", "mev_bot"];

/** Labels that a list can confirm or refute. Pools follow from their factories. */
const readDerived = async (engine: Engine): Promise<readonly RuledLabel[]> => {
  const all = await Promise.all(
    GUESSED_SOURCES.map(async (rule) =>
      (await queryRows(engine, "labels_of_list", { list: rule })).map((label) => ({ ...label, rule })),
    ),
  );
  return all.flat().filter(({ category }) => category !== "");
};

const readActive = async (engine: Engine, truth: readonly ScoredLabel[]): Promise<ReadonlySet<string>> => {
  const active = new Set<string>();
  for (const network of new Set(truth.map((label) => label.network))) {
    const here = truth.filter((label) => label.network === network).map(({ address }) => address);
    for (let at = 0; at < here.length; at += ADDRESSES_MAX) {
      const asked = { network, addresses: here.slice(at, at + ADDRESSES_MAX) };
      for (const { address } of await queryRows(engine, "indexer/active_addresses", asked))
        active.add(`${network} ${address}`);
    }
  }
  return active;
};

/** Compares derived labels with true ones, by network of these, category and rule. */
export const scoreDerived = async (engine: Engine, truth: readonly ScoredLabel[]): Promise<readonly Score[]> => {
  const [derived, active] = await Promise.all([readDerived(engine), readActive(engine, truth)]);
  const compared: ScoreInput = { derived, truth, active };
  const categories = new Set([...ALWAYS_SCORED, ...derived.map(({ category }) => category)]);
  return scoreLabels([...categories].sort(), compared);
};
