/**
 * Lists at a stable address, which an operator's own run may fetch (`assay labels fetch`). The project ships none of
 * them: sanctions must be fresh, and the others change. A new one is one entry here.
 */
export interface PublishedList {
  /** Its name, and that of the imported list. */
  readonly name: string;
  readonly what: string;
  /** Null when each issue has an address of its own: `--from` gives it. */
  readonly url: string | null;
  /** The publisher's page about it. */
  readonly page: string;
  /** Its name in `assay labels import --format`. */
  readonly format: "ofac-xml" | "bitfinex-wallets" | "okx-reserves";
  /** Kind of the imported list. */
  readonly kind: "labels" | "sanctions";
  /** SPDX id, or a sentence. */
  readonly licence: string;
  /** Fewer valid rows are a fault. */
  readonly rows_min: number;
  /** Maximum number of unpacked bytes to read. */
  readonly bytes_max: number;
  readonly deadline_ms: number;
}

const MB = 1024 * 1024;

export const PUBLISHED_LISTS: readonly PublishedList[] = [
  {
    name: "ofac-sdn",
    what: "the SDN list of OFAC, with its digital currency addresses",
    url: "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN_ADVANCED.XML",
    page: "https://ofac.treasury.gov/sdn-list-data-formats-data-schemas",
    format: "ofac-xml",
    kind: "sanctions",
    licence: "work of the government of the United States: public domain",
    rows_min: 500,
    bytes_max: 400 * MB,
    deadline_ms: 300_000,
  },
  {
    name: "bitfinex-wallets",
    what: "the wallets that Bitfinex publishes",
    url: "https://raw.githubusercontent.com/bitfinexcom/pub/main/wallets.txt",
    page: "https://github.com/bitfinexcom/pub",
    format: "bitfinex-wallets",
    kind: "labels",
    licence: "published by Bitfinex; no licence is stated",
    rows_min: 8,
    bytes_max: MB,
    deadline_ms: 30_000,
  },
  {
    name: "okx-reserves",
    what: "the monthly proof of reserves of OKX (its CSV, unpacked)",
    url: null,
    page: "https://www.okx.com/proof-of-reserves/download",
    format: "okx-reserves",
    kind: "labels",
    licence: "published by OKX; no licence is stated",
    rows_min: 50,
    bytes_max: 400 * MB,
    deadline_ms: 300_000,
  },
];
