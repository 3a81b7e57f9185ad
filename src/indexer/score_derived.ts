import { DERIVED_SOURCES } from "../labels/derived.ts";
import { type Compared, type Score, type ScoredLabel, scoreLabels } from "../labels/score.ts";
import { askEngine } from "../store/ask.ts";
import type { Engine } from "../store/engine.ts";

const ADDRESSES_MAX = 5_000;

/** Labels that the index derives and that a list can say the truth about. Pools follow from their factories. */
const SCORED_CATEGORIES: readonly string[] = ["exchange_deposit", "mev_bot"];

const readDerived = async (engine: Engine): Promise<readonly ScoredLabel[]> => {
  const all = await Promise.all(DERIVED_SOURCES.map((list) => askEngine(engine, "labels_of_list", { list })));
  return all.flat().filter(({ category }) => SCORED_CATEGORIES.includes(category));
};

const readActive = async (engine: Engine, truth: readonly ScoredLabel[]): Promise<ReadonlySet<string>> => {
  const active = new Set<string>();
  for (const network of new Set(truth.map((label) => label.network))) {
    const here = truth.filter((label) => label.network === network).map(({ address }) => address);
    for (let at = 0; at < here.length; at += ADDRESSES_MAX) {
      const asked = { network, addresses: here.slice(at, at + ADDRESSES_MAX) };
      for (const { address } of await askEngine(engine, "indexer/active_addresses", asked))
        active.add(`${network} ${address}`);
    }
  }
  return active;
};

/** How the labels that the index has derived agree with true ones, by network of these and category. */
export const scoreDerived = async (engine: Engine, truth: readonly ScoredLabel[]): Promise<readonly Score[]> => {
  const [derived, active] = await Promise.all([readDerived(engine), readActive(engine, truth)]);
  const compared: Compared = { derived, truth, active };
  return scoreLabels(SCORED_CATEGORIES, compared);
};
