/** The programs that ask for a key: registered ones, and those known by a document at their own address. */
import * as z from "zod";
import type { AssistantClient, ClientBook } from "../../../accounts/assistants/clients.ts";
import { cleanText } from "../../../lib/text.ts";
import { isRedirectAllowed } from "./redirects.ts";

/** The text of a program's document, or null when none could be read. It checks the address and limits the answer. */
export type ReadDocument = (url: string) => Promise<string | null>;

const NAME_BYTES_MAX = 80;
const UNNAMED = "A program without a name";

/** A program as it describes itself, in a registration or in its document (RFC 7591, 2). Other members are ignored. */
export const clientMetadata = z.object({
  client_name: z.string().max(1_000).optional(),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(10),
  grant_types: z.array(z.string().max(100)).max(20).optional(),
  response_types: z.array(z.string().max(100)).max(20).optional(),
  token_endpoint_auth_method: z.string().max(100).optional(),
});

export type ClientMetadata = z.output<typeof clientMetadata>;

/** The name as pages show it. */
export const nameOf = ({ client_name = "" }: ClientMetadata): string =>
  cleanText(client_name, NAME_BYTES_MAX) || UNNAMED;

/** Whether a program can take part: by codes, which it exchanges itself. */
export const isSupported = ({ grant_types, response_types }: ClientMetadata): boolean =>
  grant_types?.includes("authorization_code") !== false && response_types?.includes("code") !== false;

/** A program, and the host of its document; null for one that registered, whose name is only its word. */
export interface FoundClient extends AssistantClient {
  readonly host: string | null;
}

const ADDRESS_LENGTH_MAX = 512;

/** Whether an id is the address of a document, written in the one way that addresses are compared. */
const isDocumentAddress = (id: string): boolean => {
  if (!id.startsWith("https://") || id.length > ADDRESS_LENGTH_MAX || !URL.canParse(id)) return false;
  const { href, pathname, hash, username, password } = new URL(id);
  return href === id && pathname !== "/" && hash + username + password === "";
};

const readClient = (id: string, text: string): FoundClient | null => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null; // no document of a program
  }
  const read = clientMetadata.extend({ client_id: z.literal(id) }).safeParse(json);
  if (!read.success || !isSupported(read.data) || !read.data.redirect_uris.every(isRedirectAllowed)) return null;
  // A program with a secret of its own would prove itself in a way that Assay does not check.
  if ((read.data.token_endpoint_auth_method ?? "none") !== "none") return null;
  return { id, name: nameOf(read.data), redirect_uris: read.data.redirect_uris, host: new URL(id).host };
};

interface CachedClient {
  readonly client: Promise<FoundClient | null>;
  readonly until: number;
}

const CACHED_MS = 300_000;
const CACHED_MAX = 200;
/** Documents that are read at the same time. */
const READING_MAX = 4;

/** Finds programs by their ids. Documents are read for signed-in users only, and cached. */
export class AssistantClients {
  readonly #book: ClientBook;
  readonly #readDocument: ReadDocument | null;
  readonly #cached = new Map<string, CachedClient>();
  #reading = 0;

  /** @param readDocument null = this service reads no addresses that others name */
  constructor(book: ClientBook, readDocument: ReadDocument | null) {
    this.#book = book;
    this.#readDocument = readDocument;
  }

  async find(id: string): Promise<FoundClient | null> {
    if (isDocumentAddress(id)) return this.#documented(id);
    const found = await this.#book.find(id);
    return found === null ? null : { ...found, host: null };
  }

  #documented(id: string): Promise<FoundClient | null> {
    const held = this.#cached.get(id);
    if (held !== undefined && held.until > performance.now()) return held.client;
    this.#cached.delete(id);
    if (this.#readDocument === null || this.#reading >= READING_MAX) return Promise.resolve(null);
    const [oldest] = this.#cached.keys();
    if (oldest !== undefined && this.#cached.size >= CACHED_MAX) this.#cached.delete(oldest);
    const client = this.#read(id, this.#readDocument);
    this.#cached.set(id, { client, until: performance.now() + CACHED_MS });
    // A document that could not be read is read again at the next request.
    void client.then((found) => found ?? this.#cached.delete(id));
    return client;
  }

  async #read(id: string, readDocument: ReadDocument): Promise<FoundClient | null> {
    this.#reading += 1;
    try {
      const text = await readDocument(id);
      return text === null ? null : readClient(id, text);
    } finally {
      this.#reading -= 1;
    }
  }
}
