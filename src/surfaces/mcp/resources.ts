import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import type { Catalog } from "../../accounts/meter.ts";
import type { Network } from "../../chains/chain.ts";
import type { ReadStatus } from "../../lib/status.ts";
import { toJson } from "../http/json.ts";

/** A wallet or contract of the demo, as a subject for tools. */
export interface CastRow {
  readonly network: string;
  readonly who: string;
  readonly address: string;
  readonly role: string;
}

/** The sources of the resources that assistants may read. */
export interface Library {
  /** The networks of now, in configuration order. */
  readonly networks: () => readonly Network[];
  readonly status: ReadStatus;
  /** Empty where no demo is served. */
  readonly cast: readonly CastRow[];
}

interface LibraryEntry {
  readonly resource: Resource;
  readonly read: (library: Library, catalog: Catalog) => unknown;
}

const JSON_TYPE = "application/json";

const networksOf = async ({ networks, status }: Library): Promise<unknown> => {
  const states = (await status()).networks;
  return {
    networks: networks().map(({ id, name, family, caip2, native }) => {
      const {
        indexed = null,
        from_block = null,
        lag_blocks = null,
        verified = null,
        state = "starting",
      } = states[id] ?? {};
      return {
        id,
        name,
        family,
        chain_id: caip2,
        native: native.symbol,
        from_block,
        indexed,
        lag_blocks,
        verified,
        state,
      };
    }),
  };
};

const NETWORKS: LibraryEntry = {
  resource: {
    uri: "assay://networks",
    name: "networks",
    title: "Networks",
    description: "Valid ids for `network`, with family, CAIP-2 id, native coin and the blocks that answers cover.",
    mimeType: JSON_TYPE,
  },
  read: networksOf,
};

const PRICES: LibraryEntry = {
  resource: {
    uri: "assay://prices",
    name: "prices",
    title: "Prices",
    description: "Credits per call by tool, and the version to send as assay/catalog_version.",
    mimeType: JSON_TYPE,
  },
  read: (_, { version, credits }) => ({ catalog_version: version, credits }),
};

const CAST: LibraryEntry = {
  resource: {
    uri: "assay://demo/cast",
    name: "demo_cast",
    title: "Demo addresses",
    description: "Wallets and contracts of the demo networks and their roles, to try the tools on.",
    mimeType: JSON_TYPE,
  },
  read: ({ cast }) => ({ cast }),
};

const shelf = ({ cast }: Library): readonly LibraryEntry[] =>
  cast.length > 0 ? [NETWORKS, PRICES, CAST] : [NETWORKS, PRICES];

export const listResources = (library: Library): readonly Resource[] => shelf(library).map(({ resource }) => resource);

/** Null for an unknown resource. */
export const readResource = async (
  uri: string,
  library: Library,
  catalog: Catalog,
): Promise<ReadResourceResult | null> => {
  const found = shelf(library).find(({ resource }) => resource.uri === uri);
  if (found === undefined) return null;
  return { contents: [{ uri, mimeType: JSON_TYPE, text: toJson(await found.read(library, catalog)) }] };
};
