import type { Network } from "../chains/chain.ts";
import { PACK_LIST, packLabels, packVersion } from "../labels/pack/index.ts";
import { EMPTY, fromHex, type Hex } from "../lib/bytes.ts";
import { EVERY_EVM } from "../lib/every_evm.ts";
import { askEngine } from "../store/ask.ts";
import { currentLists, type ListHead, removeList, replaceList } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import type { LabelsRow } from "../store/tables.gen.ts";

type Store = Pick<FactsStore, "engine" | "writer">;
type Lists = Awaited<ReturnType<typeof currentLists>>;

/** What the operator takes of the label pack (settings, `label_pack`). */
export interface LabelPackChoice {
  readonly enabled: boolean;
  /** Names of sources that are not taken. */
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

/** What the store holds of lists, and whom the operator's own ones name: of them the pack says nothing. */
interface Ground {
  readonly lists: Lists;
  isNamed(network: string, address: Hex): boolean;
}

const readGround = async (store: Store): Promise<Ground> => {
  const lists = await currentLists(store);
  const names = otherLists(lists).map(({ list }) => list);
  const rows = names.length === 0 ? [] : await askEngine(store.engine, "indexer/listed_addresses", { lists: names });
  const named = new Set(rows.map(({ network, address }) => `${network} ${address}`));
  return {
    lists,
    isNamed: (network, address) => named.size > 0 && [network, EVERY_EVM].some((id) => named.has(`${id} ${address}`)),
  };
};

const heldIn = ({ lists }: Ground): Lists[number] | undefined => lists.find(({ list }) => list === PACK_LIST);

interface PackHow {
  readonly choice: LabelPackChoice;
  readonly now_ms: number;
}

/** Makes the store's pack what this program ships, as far as the operator takes it and does not say it himself. */
const replacePack = async (store: Store, ground: Ground, { choice, now_ms }: PackHow): Promise<void> => {
  if (!choice.enabled) {
    if (heldIn(ground) !== undefined) await removeList(store, headOf(choice), now_ms);
    return;
  }
  const entries = packLabels(choice.leave_out).filter(({ network, address }) => !ground.isNamed(network, address));
  await replaceList(store, headOf(choice), { kind: "labels", entries, now_ms });
};

/** The pack of another program, of another choice, or older than what the operator imported. */
const isOld = (ground: Ground, choice: LabelPackChoice): boolean => {
  const held = heldIn(ground);
  if (held === undefined || !choice.enabled) return choice.enabled || held !== undefined;
  const newest_ms = Math.max(0, ...otherLists(ground.lists).map(({ imported_at_ms }) => imported_at_ms));
  return held.version !== headOf(choice).version || newest_ms > held.imported_at_ms;
};

/**
 * What lists say of every EVM network is written under these too, so that questions ask for one network: at every start and not only
 * when a list is imported, because a network may be enabled later, and because an import may have been cut off before its copies.
 */
const copyEverywhere = async (store: Store, ground: Ground, networks: ReadonlySet<string>): Promise<void> => {
  const rows = await askEngine(store.engine, "indexer/everywhere_labels", {});
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

const withCopies = async ({ engine }: Store): Promise<readonly string[]> =>
  (await askEngine(engine, "indexer/networks_with_copies", {})).map(({ network }) => network);

const evmAmong = (networks: readonly Network[]): readonly string[] =>
  networks.filter(({ family }) => family === EVERY_EVM).map(({ id }) => id);

/** Networks of one process open at one time: the first one writes the pack, and the others find it written. */
export class PackTurns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined); // its own caller hears of it
    return turn;
  }
}

/** At the start of a network's indexer: the pack as it is shipped, and what holds on every EVM network. */
export const writeListedLabels = async (store: Store, network: Network, how: PackHow): Promise<void> => {
  const ground = await readGround(store);
  const is_old = isOld(ground, how.choice);
  if (is_old) await replacePack(store, ground, how);
  const others = is_old ? await withCopies(store) : [];
  await copyEverywhere(store, ground, new Set([...evmAmong([network]), ...others]));
};

/** After the operator's lists have changed: what they name now, the pack says no more, and of what they do not it speaks again. */
export const mendLabelPack = async (store: Store, networks: readonly Network[], how: PackHow): Promise<void> => {
  const ground = await readGround(store);
  if (heldIn(ground) !== undefined) await replacePack(store, ground, how);
  await copyEverywhere(store, ground, new Set([...evmAmong(networks), ...(await withCopies(store))]));
};
