import * as z from "zod";
import { readImplementation } from "../../analysis/account_code.ts";
import { type Bytes, type Hex, keccak256, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { data, failed, noData } from "../../lib/outcome.ts";
import { iso } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import {
  address,
  asOfBlock,
  chainText,
  metadata,
  network,
  page,
  pagination,
  recordsPerPage,
  unavailable,
} from "../fields.ts";
import { metadataFor, type Warning } from "../metadata.ts";
import { labelsOf, type Party } from "../parties.ts";
import type { Place } from "../token_faces.ts";
import { defineTool } from "../tool.ts";

const TYPE = "deployed_contracts";
const METHODOLOGY = "deployed-contracts@1";
/** Codes that one call reads from a node: the largest page. */
const CODE_READS_MAX = 100;

const input = z.strictObject({
  address: address("Account that deployed contracts."),
  network: network(),
  include_factory_created: z
    .boolean()
    .default(true)
    .meta({ description: "Include contracts that a factory created in this account's transactions." }),
  kind: z
    .enum(["all", "token", "contract"])
    .default("all")
    .meta({ description: "`token` lists token contracts only, `contract` everything else." }),
  page: page(),
  records_per_page: recordsPerPage(),
  as_of_block: asOfBlock(),
});

const row = z.strictObject({
  contract_address: z.string(),
  network: z.string(),
  created_at: z.string(),
  block_number: z.int(),
  tx_hash: z.string(),
  via: z.string().nullable().meta({ description: "The factory, null when the transaction itself created it." }),
  kind: z.enum(["erc20", "erc721", "erc1155", "pool", "proxy", "contract"]),
  name: chainText("As the token calls itself.").nullable(),
  symbol: chainText("As the token calls itself.").nullable(),
  is_verified: z.boolean().nullable(),
  is_proxy: z.boolean().nullable(),
  is_self_destructed: z.boolean().nullable(),
  code_hash: z.string().nullable(),
  same_code_count: z.int().nullable().meta({ description: "Contracts of this answer, all pages, with the same code." }),
  token: z
    .strictObject({ holders_count: z.int(), liquidity_usd: z.number().nullable(), outcome: z.string().nullable() })
    .nullable(),
  risk_tags: z.array(z.string()).meta({ description: "Categories of the contract's labels." }),
});

const output = z.strictObject({
  type: z.literal(TYPE),
  data: z.array(row),
  summary: z.strictObject({
    total: z.int(),
    tokens: z.int(),
    verified: z.int().nullable(),
    destroyed: z.int().nullable(),
    distinct_code: z.int().nullable(),
    first_at: z.string(),
    last_at: z.string(),
  }),
  pagination,
  unavailable,
  metadata: metadata({ address: z.string() }),
});

type Output = z.output<typeof output>;
type OutputRow = z.output<typeof row>;
type Found = Row<"get_wallet_deployed_contracts/rows">;

/** What a node says of a contract at the snapshot's block. */
interface Live {
  readonly code: Bytes;
  readonly is_proxy: boolean;
}

/** By address; empty when no node answers. */
const readLive = async (place: Place, addresses: readonly Hex[]): Promise<ReadonlyMap<Hex, Live>> => {
  const { chain, snapshot, signal } = place;
  const at = snapshot.block.number;
  const read = async (address: Hex): Promise<readonly [Hex, Live]> => {
    const { code } = await chain.account(address, signal, at);
    const implementation = await readImplementation({ chain, address, code, at, signal });
    return [address, { code, is_proxy: implementation !== null }];
  };
  try {
    return new Map(await Promise.all([...new Set(addresses)].map(read)));
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return new Map();
    throw error;
  }
};

/** Hash of the code that a creation left: from the index, or of the code that still stands there. */
const codeHashOf = (found: Found, live: ReadonlyMap<Hex, Live>): Hex | null => {
  if (found.code_hash !== "") return found.code_hash;
  const code = found.is_replaced === 1 ? undefined : live.get(found.address)?.code;
  return code === undefined || code.length === 0 ? null : toHex(keccak256(code));
};

const isDestroyed = (found: Found, live: ReadonlyMap<Hex, Live>): boolean | null => {
  if (found.is_replaced === 1) return true;
  const state = live.get(found.address);
  return state === undefined ? null : state.code.length === 0;
};

interface Census {
  readonly countOf: (hash: Hex) => number;
  readonly distinct_code: number;
  readonly destroyed: number;
}

/** Counts over every contract; null when a node would have to be asked for more codes than one call may read. */
const takeCensus = (all: readonly Found[] | null, live: ReadonlyMap<Hex, Live>): Census | null => {
  if (all === null || live.size === 0) return null;
  const counts = new Map<Hex, number>();
  for (const found of all) {
    const hash = codeHashOf(found, live);
    if (hash !== null) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return {
    countOf: (hash) => counts.get(hash) ?? 0,
    distinct_code: counts.size,
    destroyed: all.filter((found) => isDestroyed(found, live) === true).length,
  };
};

const STANDARDS = ["erc20", "erc721", "erc1155"] as const;

const kindOf = ({ standard, is_pool }: Found, is_proxy: boolean): OutputRow["kind"] =>
  STANDARDS.find((known) => known === standard) ?? (is_pool === 1 ? "pool" : is_proxy ? "proxy" : "contract");

interface RowContext {
  readonly place: Place;
  readonly live: ReadonlyMap<Hex, Live>;
  readonly labels: ReadonlyMap<Hex, Party>;
  readonly census: Census | null;
  /** The index knows the code hash of every contract. */
  readonly all_hashed: boolean;
}

const outputRow = async (found: Found, context: RowContext): Promise<OutputRow> => {
  const { chain, facts, snapshot } = context.place;
  const hash = codeHashOf(found, context.live);
  const is_proxy = context.live.get(found.address)?.is_proxy ?? null;
  const same = context.all_hashed ? found.same_code : (context.census?.countOf(hash ?? "") ?? null);
  const holders = found.standard === "" ? null : await facts.holderCount(snapshot, found.address);
  return {
    contract_address: chain.formatAddress(found.address),
    network: chain.network.id,
    created_at: iso(found.time),
    block_number: found.block_number,
    tx_hash: chain.formatHash(found.tx_hash),
    via: found.factory === "" ? null : chain.formatAddress(found.factory),
    kind: kindOf(found, is_proxy ?? false),
    name: found.name,
    symbol: found.symbol,
    is_verified: null,
    is_proxy,
    is_self_destructed: isDestroyed(found, context.live),
    code_hash: hash === null ? null : `0x${hash}`,
    same_code_count: hash === null ? null : same,
    token: holders === null ? null : { holders_count: holders.holders, liquidity_usd: null, outcome: null },
    risk_tags: [...(context.labels.get(found.address)?.tags ?? [])],
  };
};

const missingOf = (rows: readonly OutputRow[], summary: Output["summary"]): Output["unavailable"] => {
  const missing = [
    { field: "data[].is_verified", reason: "no source code store is configured" },
    { field: "summary.verified", reason: "no source code store is configured" },
  ];
  if (rows.some(({ token }) => token !== null)) {
    missing.push({ field: "data[].token.liquidity_usd", reason: "not computed by this tool" });
    missing.push({ field: "data[].token.outcome", reason: "not computed by this tool" });
  }
  if (rows.some(({ is_proxy }) => is_proxy === null)) {
    const reason = "no node of this network answered";
    missing.push({ field: "data[].is_proxy", reason }, { field: "data[].is_self_destructed", reason });
  }
  const uncounted = `more than ${CODE_READS_MAX} codes would have to be read, or no node answered`;
  for (const field of ["destroyed", "distinct_code"] as const) {
    if (summary[field] === null) missing.push({ field: `summary.${field}`, reason: uncounted });
  }
  return missing;
};

const CHILDREN_MISSING: Warning = {
  code: "FACTORY_CHILDREN_MISSING",
  message: "Inner calls are not indexed: contracts from factories are missing.",
};

interface Page {
  readonly rows: OutputRow[];
  readonly summary: Output["summary"];
  readonly has_more_data: boolean;
}

/** One page and the totals over all; null when nothing was deployed. */
const readPage = async (place: Place, creator: Hex, asked: z.output<typeof input>): Promise<Page | null> => {
  const { facts, snapshot } = place;
  const { page, records_per_page, kind } = asked;
  const filter = { creator, with_children: asked.include_factory_created ? 1 : 0, kind };
  const ask = (limit: number, offset: number): Promise<readonly Found[]> =>
    facts.ask(snapshot, "get_wallet_deployed_contracts/rows", { ...filter, limit, offset });
  const [[totals], found] = await Promise.all([
    facts.ask(snapshot, "get_wallet_deployed_contracts/totals", filter),
    ask(records_per_page + 1, (page - 1) * records_per_page),
  ]);
  if (totals === undefined || totals.total === 0) return null;
  const shown = found.slice(0, records_per_page);
  const all = totals.total <= CODE_READS_MAX ? await ask(CODE_READS_MAX, 0) : null;
  const addressesOf = (list: readonly Found[]): readonly Hex[] => list.map(({ address }) => address);
  const [live, labels] = await Promise.all([
    readLive(place, addressesOf(all ?? shown)),
    labelsOf(facts, snapshot, addressesOf(shown)),
  ]);
  const all_hashed = totals.without_code_hash === 0;
  const census = takeCensus(all, live);
  const context: RowContext = { place, live, labels, census, all_hashed };
  return {
    rows: await Promise.all(shown.map((contract) => outputRow(contract, context))),
    summary: {
      total: totals.total,
      tokens: totals.tokens,
      verified: null,
      destroyed: census?.destroyed ?? null,
      distinct_code: all_hashed ? totals.distinct_code : (census?.distinct_code ?? null),
      first_at: iso(totals.first_at),
      last_at: iso(totals.last_at),
    },
    has_more_data: found.length > records_per_page,
  };
};

export const getWalletDeployedContracts = defineTool({
  name: "get_wallet_deployed_contracts",
  title: "Contracts an account deployed",
  description:
    "Every contract and token that an account deployed, directly or through factories, newest first: what it is, whether it still stands, how many share its code.",
  credits: 8,
  families: ["evm"],
  input,
  output,
  example: { address: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc", network: "demo" },
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const creator = chain.parseAddress(asked.address);
    if (creator === null) throw new AssayError({ code: "BUG", message: `binding let ${asked.address} through` });
    const { facts, signal } = context;
    const snapshot = await facts.snapshot(asked.network, asked.as_of_block ?? null);
    const place: Place = { facts, chain, snapshot, signal };
    const { complete, gaps, traces } = snapshot.coverage;
    const children_missing = asked.include_factory_created && !traces;
    const described = metadataFor(chain, snapshot, {
      echo: { address: chain.formatAddress(creator) },
      methodology: METHODOLOGY,
      warnings: children_missing ? [CHILDREN_MISSING] : [],
    });
    const is_complete = complete && gaps.length === 0 && !children_missing;
    const found = await readPage(place, creator, asked);
    if (found === null) {
      const reason = "Nothing was found, and the index does not cover the whole history.";
      return is_complete ? noData(TYPE, described) : failed("COVERAGE_INCOMPLETE", reason, described);
    }
    const { rows, summary, has_more_data } = found;
    return data<Output>({
      type: TYPE,
      data: rows,
      summary,
      pagination: {
        page: asked.page,
        per_page: asked.records_per_page,
        returned_count: rows.length,
        has_more_data,
        is_complete: is_complete && !has_more_data,
        network: asked.network,
      },
      unavailable: missingOf(rows, summary),
      metadata: described,
    });
  },
});
