/** The files of `knowledge/` that describe protocols, with the names of addresses and signatures resolved. */
import { checkIds, filesOf, knowledgeReader } from "./knowledge.ts";

interface SideFields {
  readonly token: string;
  readonly amount: string;
}

export interface EventRow {
  readonly id: string;
  readonly version?: string | null;
  readonly source: string;
  readonly event: string;
  readonly position_of?: string;
  readonly headline_actor?: string;
  readonly actor: string;
  readonly given?: SideFields;
  readonly received?: SideFields;
  readonly action?: { readonly type?: string; readonly protocol?: string | null };
  readonly words_min?: number;
  readonly is_action_only?: true;
}

export interface Act {
  readonly type: string;
  readonly version?: string;
  readonly protocol?: string | null;
  readonly position?: string;
  readonly actor_at?: string;
  readonly needs?: string;
  readonly is_known?: true;
  readonly is_own?: true;
  readonly is_minor?: true;
  /** A signature, or an event with the roles of its parameters. */
  readonly events?: readonly (string | EventRow)[];
  readonly functions?: readonly string[];
}

export type AddressesByNetwork = Readonly<Record<string, readonly string[]>>;

interface ContractLabel {
  readonly name: string;
  readonly category?: string;
  readonly entity?: string;
  readonly evidence: string;
}

export interface ContractRow {
  readonly version?: string;
  readonly role?: string;
  readonly at: AddressesByNetwork;
  readonly label?: ContractLabel;
}

export interface PoolRow {
  readonly venue: string;
  readonly family: string;
  readonly fee_ppm?: number;
  readonly entity?: string;
  readonly vaults?: string;
  readonly factories: Readonly<Record<string, string>>;
}

export interface ReceiptRow {
  readonly network: string;
  readonly token: string;
}

export interface MarketRow {
  readonly network: string;
  readonly market: string;
  readonly lends: string;
}

/** The contents of one file. A file of acts that several protocols share has no name. */
export interface ProtocolFile {
  readonly name: string | null;
  readonly category?: string;
  readonly contracts?: readonly ContractRow[];
  readonly pools?: readonly PoolRow[];
  readonly receipts?: readonly ReceiptRow[];
  readonly markets?: readonly MarketRow[];
  readonly marks?: readonly { readonly name?: string; readonly events: readonly string[] }[];
  readonly acts?: readonly Act[];
}

interface Interface {
  readonly source: string;
  readonly signatures: Readonly<Record<string, string>>;
}
export type Interfaces = Readonly<Record<string, Interface>>;
export type NamedAddresses = Readonly<Record<string, { readonly address: string; readonly source: string }>>;

// The reader has checked each file against its schema, here and below.
export const readInterfaces = (root: string): Interfaces => knowledgeReader(root)("interfaces") as Interfaces;
export const readAddresses = (root: string): NamedAddresses => knowledgeReader(root)("addresses") as NamedAddresses;

const REFERENCE = /^([a-z][a-z0-9_]*)\.(\w+)$/;
/** Shorter than any address. */
const NAME = /^[a-z][a-z0-9_]{1,30}$/;

/** Signatures by their names in `interfaces.yaml`. @throws Error for a name that it lacks */
export const resolverOf = (interfaces: Interfaces) => (text: string) => {
  const [, name = "", member = ""] = REFERENCE.exec(text) ?? [];
  if (name === "") return text;
  const found = interfaces[name]?.signatures[member];
  if (found === undefined) throw new Error(`knowledge/interfaces.yaml has no ${text}`);
  return found;
};

/** The signature of an event or function as its interface declares it. */
export const plainSignature = (declared: string): string => {
  const [, name = "", list = ""] = /^(\w+)\((.*)\)$/.exec(declared) ?? [];
  return `${name}(${list
    .split(", ")
    .map((one) => one.split(" ")[0])
    .join(",")})`;
};

const resolveAct = (act: Act, resolve: (text: string) => string): Act => ({
  ...act,
  ...(act.events === undefined
    ? {}
    : {
        events: act.events.map((one) =>
          typeof one === "string" ? plainSignature(resolve(one)) : { ...one, event: resolve(one.event) },
        ),
      }),
  ...(act.functions === undefined ? {} : { functions: act.functions.map(resolve) }),
});

/** Addresses by their names in `addresses.yaml`; other text is an address. @throws Error for a name that it lacks */
export const addressOf =
  (named: NamedAddresses) =>
  (text: string): string => {
    if (!NAME.test(text)) return text;
    const found = named[text]?.address;
    if (found === undefined) throw new Error(`knowledge/addresses.yaml has no ${text}`);
    return found;
  };

/**
 * Acts of several protocols first, then protocols, by file name.
 * @throws Error for a file that does not fit its schema
 */
export const readProtocols = (root: string): readonly ProtocolFile[] => {
  const read = knowledgeReader(root);
  const resolve = resolverOf(readInterfaces(root));
  const address = addressOf(readAddresses(root));
  const shared = filesOf(root, "acts").map((file) => ({ ...(read(file, "acts") as ProtocolFile), name: null }));
  const own = filesOf(root, "protocols").map((file) => read(file, "protocol") as ProtocolFile);
  const files = [...shared, ...own].map((file) => ({
    ...file,
    contracts: (file.contracts ?? []).map((row) => ({
      ...row,
      at: Object.fromEntries(Object.entries(row.at).map(([network, list]) => [network, list.map(address)])),
    })),
    pools: (file.pools ?? []).map((row) => ({
      ...row,
      factories: Object.fromEntries(Object.entries(row.factories).map(([network, text]) => [network, address(text)])),
    })),
    receipts: (file.receipts ?? []).map((row) => ({ ...row, token: address(row.token) })),
    markets: (file.markets ?? []).map((row) => ({
      ...row,
      lends: row.lends === "native" ? row.lends : address(row.lends),
    })),
    marks: (file.marks ?? []).map((mark) => ({ ...mark, events: mark.events.map(resolve).map(plainSignature) })),
    acts: (file.acts ?? []).map((act) => resolveAct(act, resolve)),
  }));
  checkIds("protocols", eventRowsOf(files));
  return files;
};

const eventRowsOf = (files: readonly ProtocolFile[]): readonly EventRow[] =>
  files
    .flatMap(({ acts = [] }) => acts.flatMap(({ events = [] }) => events))
    .filter((one): one is EventRow => typeof one !== "string");
