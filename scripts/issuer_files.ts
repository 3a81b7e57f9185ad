/** The files of `knowledge/issuers` and `knowledge/freeze_families.yaml`. */
import { checkIds, filesOf, knowledgeReader } from "./knowledge.ts";
import { addressOf, readAddresses, readInterfaces, resolverOf } from "./protocol_files.ts";

interface FamilyRow {
  readonly id: string;
  readonly source: string;
  readonly views?: readonly string[];
  readonly assumed_views?: readonly string[];
  readonly events?: readonly {
    readonly effect: string;
    readonly event: string;
    readonly account_at: string;
    readonly amount_at?: string;
    readonly direction_bool_at?: string;
  }[];
  readonly powers: Readonly<Record<string, boolean | null>>;
}

interface IssuerContract {
  readonly symbol?: string;
  readonly families?: readonly string[];
  readonly decimals?: number;
  readonly start_blocks?: Readonly<Record<string, number>>;
  readonly at: Readonly<Record<string, string>>;
}

interface IssuerFile {
  readonly symbol: string;
  readonly issuer?: string;
  readonly peg?: string;
  readonly families?: readonly FamilyRow[];
  readonly contracts: readonly IssuerContract[];
}

/** A coin on a network. */
export interface CoinRow {
  readonly network: string;
  readonly symbol: string;
  readonly address: string;
  readonly issuer: string;
  readonly peg: string | undefined;
  /** Undefined: not examined. */
  readonly families: readonly string[] | undefined;
  readonly decimals: number | null;
  readonly start_block: number | null;
}

const readIssuers = (root: string): readonly IssuerFile[] => {
  const read = knowledgeReader(root);
  // The reader has checked each file against its schema, here and below.
  return filesOf(root, "issuers").map((file) => read(file, "issuers") as IssuerFile);
};

/** Every coin of every file, by file name. */
export const readCoins = (root: string): readonly CoinRow[] => {
  const resolve = addressOf(readAddresses(root));
  return readIssuers(root).flatMap(({ symbol, issuer = "", peg, contracts }) =>
    contracts.flatMap((row) =>
      Object.entries(row.at).map(([network, text]) => ({
        ...{ network, address: resolve(text), symbol: row.symbol ?? symbol, issuer, peg, families: row.families },
        ...{ decimals: row.decimals ?? null, start_block: row.start_blocks?.[network] ?? null },
      })),
    ),
  );
};

/** Freeze families, those of several issuers first. @throws Error for a coin whose family none is */
export const readFamilies = (root: string): readonly FamilyRow[] => {
  const { families } = knowledgeReader(root)("freeze_families") as { readonly families: readonly FamilyRow[] };
  const all = [...families, ...readIssuers(root).flatMap((file) => file.families ?? [])];
  checkIds("freeze_families", all);
  const ids = new Set(all.map(({ id }) => id));
  for (const coin of readCoins(root))
    for (const id of coin.families ?? [])
      if (!ids.has(id))
        throw new Error(`knowledge/issuers: ${coin.symbol} names the freeze family ${id}, which no file has`);
  const resolve = resolverOf(readInterfaces(root));
  return all.map((family) => ({
    ...family,
    views: (family.views ?? []).map(resolve),
    assumed_views: (family.assumed_views ?? []).map(resolve),
    events: (family.events ?? []).map((row) => ({ ...row, event: resolve(row.event) })),
  }));
};
