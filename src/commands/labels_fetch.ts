import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PUBLISHED_LISTS, type PublishedList } from "../labels/published_lists.ts";
import { AssayError } from "../lib/errors.ts";
import { cleanText } from "../lib/text.ts";
import type { FactsStore } from "../store/open.ts";
import { guardedWeb } from "../web/guarded.ts";
import type { Web } from "../web/web.ts";
import { type CommandArgs, flag, UsageFault } from "./command.ts";
import { importList, importScope, type KnownNetworks, type ListReport } from "./import_list.ts";

/** A list that is to be fetched, and where from. */
export interface ListDownload {
  readonly list: PublishedList;
  /** A file or a URL; null when neither the caller nor the list names one. */
  readonly from: string | null;
}

/** Result for one list. `kept`: the old version stays. */
export type FetchedList =
  | ({ readonly outcome: "taken" } & ListReport)
  | { readonly outcome: "kept" | "skipped"; readonly list: string; readonly reason: string };

const ORIGIN_BYTES_MAX = 256;

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** The parsed arguments. Throws UsageFault. */
export const selectedLists = (args: CommandArgs): readonly ListDownload[] => {
  const known = PUBLISHED_LISTS.map(({ name }) => name).join(", ");
  const names = args.words.slice(1);
  const is_all = flag(args, "all") !== null;
  if (names.length === 0 && !is_all) throw new UsageFault(`name what is to be fetched, or say --all: ${known}`);
  const unknown = names.find((name) => !PUBLISHED_LISTS.some((list) => list.name === name));
  if (unknown !== undefined) throw new UsageFault(`there is no published list '${unknown}': there are ${known}`);
  const lists = PUBLISHED_LISTS.filter(({ name }) => is_all || names.includes(name));
  const from = flag(args, "from");
  if (from !== null && lists.length !== 1)
    throw new UsageFault("--from says where one list comes from: name that list alone");
  return lists.map((list) => ({ list, from: from ?? list.url }));
};

/** A page that says "not found" with a friendly face is no list. */
const isWebPage = (body: Uint8Array, content_type: string): boolean =>
  content_type.toLowerCase().includes("text/html") ||
  /^\s*(<!doctype html|<html)/i.test(Buffer.from(body.subarray(0, 512)).toString("utf8"));

/** The file of a list, or why it could not be fetched. */
const download = async (list: PublishedList, url: string, how: ListFetchOptions): Promise<Uint8Array | string> => {
  const answer = await how.webFor(list).fetch({ url, signal: how.signal });
  if (answer.kind !== "answer") return answer.reason;
  if (answer.status !== 200) return `The site answered with status ${answer.status}.`;
  if (answer.is_cut) return `The file is larger than ${list.bytes_max} bytes.`;
  if (answer.body.length === 0) return "The site sent an empty file.";
  if (isWebPage(answer.body, answer.headers["content-type"] ?? "")) return "The site sent a web page, not the file.";
  return answer.body;
};

/** The way out with the limits of a list. */
export const webForList = ({ bytes_max, deadline_ms }: PublishedList): Web => guardedWeb({ bytes_max, deadline_ms });

export interface ListFetchOptions {
  readonly networks: KnownNetworks;
  readonly accepts_smaller: boolean;
  readonly now_ms: number;
  readonly signal: AbortSignal;
  readonly webFor: (list: PublishedList) => Web;
}

type ListStore = Pick<FactsStore, "engine" | "writer">;

/** Takes a file by the path of every import. `from`: as messages call it. */
const takeFile = async (
  store: ListStore,
  { list, path, from }: { readonly list: PublishedList; readonly path: string; readonly from: string },
  how: ListFetchOptions,
): Promise<FetchedList> => {
  const origin = cleanText(from, ORIGIN_BYTES_MAX);
  const { name, format, licence, rows_min } = list;
  const file = { path, called: origin, list: name, format, licence, origin, rows_min, may_shrink: how.accepts_smaller };
  const scope = importScope(how.networks, []);
  return { outcome: "taken", ...(await importList(store, file, { scope, now_ms: how.now_ms })) };
};

const fetchOne = async (store: ListStore, wanted: ListDownload, how: ListFetchOptions): Promise<FetchedList> => {
  const { list, from } = wanted;
  const { name } = list;
  if (from === null) {
    const reason = `Each issue has an address of its own: see ${list.page} and name it with --from FILE or URL.`;
    return { outcome: "skipped", list: name, reason };
  }
  if (!isUrl(from)) return takeFile(store, { list, path: from, from }, how);
  const body = await download(list, from, how);
  if (typeof body === "string") return { outcome: "kept", list: name, reason: body };
  const folder = await mkdtemp(join(tmpdir(), "assay-fetch-"));
  try {
    const path = join(folder, name);
    await writeFile(path, body);
    return await takeFile(store, { list, path, from }, how);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Fetches the lists one after the other. A failed list keeps its old version and does not affect the others. */
export const fetchLists = async (
  store: ListStore,
  wanted: readonly ListDownload[],
  how: ListFetchOptions,
): Promise<readonly FetchedList[]> => {
  const done: FetchedList[] = [];
  for (const one of wanted) {
    try {
      done.push(await fetchOne(store, one, how));
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== "CONFIG") throw error;
      done.push({ outcome: "kept", list: one.list.name, reason: error.message });
    }
  }
  return done;
};
