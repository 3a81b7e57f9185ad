import type { Network } from "../chains/chain.ts";
import { PACK_LIST, packLabels, packVersion } from "../labels/pack/index.ts";
import { EMPTY, fromHex, type Hex } from "../lib/bytes.ts";
import { EVERY_EVM } from "../lib/every_evm.ts";
import { currentLists, type ListHead, removeList, replaceList } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import { queryRows } from "../store/query.ts";
import type { LabelsRow } from "../store/tables.gen.ts";

type PackStore = Pick<FactsStore, "engine" | "writer">;
type Lists = Awaited<ReturnType<typeof currentLists>>;

/** The operator's choice from the label pack (settings, `label_pack`). */
export interface LabelPackChoice {
  readonly enabled: boolean;
  /** Names of omitted sources. */
  readonly leave_out: readonly string[];
}

const headOf = ({ leave_out }: LabelPackChoice): ListHead => ({
  list: PACK_LIST,
  kind: "labels",
  version: [packVersion(), ...[...leave_out].sort().map((source) => `without ${source}`)].join(" "),
  format: PACK_LIST,
  origin: "shipped with the program",
  licence: "",
  published_on: packVersion(),
});

const otherLists = (lists: Lists): Lists => lists.filter(({ kind, list }) => kind === "labels" && list !== PACK_LIST);

/** Lists in the store, and the addresses on the operator's own ones, which the pack does not label. */
interface PackBasis {
  readonly lists: Lists;
  isNamed(network: string, address: Hex): boolean;
}

const readBasis = async (store: PackStore): Promise<PackBasis> => {
  const lists = await currentLists(store);
  const names = otherLists(lists).map(({ list }) => list);
  const rows = names.length === 0 ? [] : await queryRows(store.engine, "indexer/listed_addresses", { lists: names });
  const named = new Set(rows.map(({ network, address }) => `${network} ${address}`));
  return {
    lists,
    isNamed: (network, address) => named.size > 0 && [network, EVERY_EVM].some((id) => named.has(`${id} ${address}`)),
  };
};

const storedPack = ({ lists }: PackBasis): Lists[number] | undefined => lists.find(({ list }) => list === PACK_LIST);

interface PackOptions {
  readonly choice: LabelPackChoice;
  readonly now_ms: number;
}

/**
 * Makes the stored pack equal the shipped one, without the omitted sources and the addresses on the operator's lists.
 */
const replacePack = async (store: PackStore, ground: PackBasis, { choice, now_ms }: PackOptions): Promise<void> => {
  if (!choice.enabled) {
    if (storedPack(ground) !== undefined) await removeList(store, headOf(choice), now_ms);
    return;
  }
  const entries = packLabels(choice.leave_out).filter(({ network, address }) => !ground.isNamed(network, address));
  await replaceList(store, headOf(choice), { kind: "labels", entries, now_ms });
};

/** The pack of another program, of another choice, or older than the operator's imports. */
const isOld = (ground: PackBasis, choice: LabelPackChoice): boolean => {
  const held = storedPack(ground);
  if (held === undefined || !choice.enabled) return choice.enabled || held !== undefined;
  const newest_ms = Math.max(0, ...otherLists(ground.lists).map(({ imported_at_ms }) => imported_at_ms));
  return held.version !== headOf(choice).version || newest_ms > held.imported_at_ms;
};

/**
 * Writes labels that hold on every EVM network under each of these, so that queries name one network. It runs at every
 * start and not only after an import, because a network may be enabled later, and because an import may have ended
 * before its copies.
 */
const copyEverywhere = async (store: PackStore, ground: PackBasis, networks: ReadonlySet<string>): Promise<void> => {
  const rows = await queryRows(store.engine, "indexer/everywhere_labels", {});
  const copies = [...networks].flatMap((network) =>
    rows.map(({ written_at_ms, address, category, ...said }): LabelsRow => {
      const is_silent = said.source === PACK_LIST && ground.isNamed(network, address);
      return {
        ...said,
        network,
        address: fromHex(address) ?? EMPTY,
        category: is_silent ? "" : category,
        valid_from: 0,
        written_at: written_at_ms / 1000,
      };
    }),
  );
  await store.writer.insert("labels", copies);
};

const withCopies = async ({ engine }: PackStore): Promise<readonly string[]> =>
  (await queryRows(engine, "indexer/networks_with_copies", {})).map(({ network }) => network);

const evmAmong = (networks: readonly Network[]): readonly string[] =>
  networks.filter(({ family }) => family === EVERY_EVM).map(({ id }) => id);

/** Networks of one process open at one time: the first one writes the pack, and the others find it written. */
export class PackTurns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined); // Its own caller gets the error.
    return turn;
  }
}

/** At the start of a network's indexer: writes the shipped pack, and the labels that hold on every EVM network. */
export const writeListedLabels = async (store: PackStore, network: Network, how: PackOptions): Promise<void> => {
  const ground = await readBasis(store);
  const is_old = isOld(ground, how.choice);
  if (is_old) await replacePack(store, ground, how);
  const others = is_old ? await withCopies(store) : [];
  await copyEverywhere(store, ground, new Set([...evmAmong([network]), ...others]));
};

/**
 * After the operator's lists have changed: removes the pack's labels of addresses that they name now, and restores
 * those of addresses that they no longer name.
 */
export const mendLabelPack = async (
  store: PackStore,
  networks: readonly Network[],
  how: PackOptions,
): Promise<void> => {
  const ground = await readBasis(store);
  if (storedPack(ground) !== undefined) await replacePack(store, ground, how);
  await copyEverywhere(store, ground, new Set([...evmAmong(networks), ...(await withCopies(store))]));
};
