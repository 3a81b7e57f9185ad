import { burn } from "./burn.ts";
import { contracts } from "./contracts.ts";
import { issuerCoinLabels } from "./issuer_coins.ts";
import { lockers } from "./lockers.ts";
import type { Label, LabelSource } from "./source.ts";

/** Every source of labels. A new one is a file and its line here. */
export const LABEL_SOURCES: readonly LabelSource[] = [burn, contracts, lockers, issuerCoinLabels];

/** Labels that apply on a network, each with the name of its source. */
export const labelsFor = (network: string): readonly (Label & { readonly source: string })[] =>
  LABEL_SOURCES.flatMap(({ name, rows }) =>
    rows.filter((row) => row.network === "" || row.network === network).map((row) => ({ ...row, source: name })),
  );
