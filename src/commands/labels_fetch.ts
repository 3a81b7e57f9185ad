import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PUBLISHED_LISTS, type PublishedList } from "../labels/published_lists.ts";
import { AssayError } from "../lib/errors.ts";
import { cleanText } from "../lib/text.ts";
import type { FactsStore } from "../store/open.ts";
import { guardedWeb } from "../web/guarded.ts";
import type { Web } from "../web/web.ts";
import { importList, importScope, type KnownNetworks, type ListReport } from "../wiring/import_list.ts";
import { type CommandArgs, flag, UsageFault } from "./command.ts";

/** A list that is to be fetched, and where from. */
export interface ListDownload {
  readonly list: PublishedList;
  /** Files or URLs; none when neither the caller nor the list names one. */
  readonly from: readonly string[];
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
  return lists.map((list) => ({ list, from: from === null ? list.urls : [from] }));
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

/** Imports files like every import. `called`: as messages call them. */
const takeFiles = async (
  store: ListStore,
  { list, paths, called }: { readonly list: PublishedList; readonly paths: readonly string[]; readonly called: string },
  how: ListFetchOptions,
): Promise<FetchedList> => {
  const origin = cleanText(called, ORIGIN_BYTES_MAX);
  const [path = "", ...more] = paths;
  const { name, format, licence, rows_min, networks } = list;
  const file = { path, more, called: origin, list: name, format, licence, origin, rows_min };
  const scope = importScope(how.networks, networks);
  const report = await importList(store, { ...file, may_shrink: how.accepts_smaller }, { scope, now_ms: how.now_ms });
  return { outcome: "taken", ...report };
};

/** Downloads the files of a list to a folder: their paths, or why one of them could not be fetched. */
const downloadAll = async (
  list: PublishedList,
  { from, folder }: { readonly from: readonly string[]; readonly folder: string },
  how: ListFetchOptions,
): Promise<readonly string[] | string> => {
  const paths: string[] = [];
  for (const url of from) {
    const body = isUrl(url) ? await download(list, url, how) : null;
    if (typeof body === "string") return from.length === 1 ? body : `${url}: ${body}`;
    const path = body === null ? url : join(folder, `${list.name}-${paths.length}`);
    if (body !== null) await writeFile(path, body);
    paths.push(path);
  }
  return paths;
};

const fetchOne = async (store: ListStore, wanted: ListDownload, how: ListFetchOptions): Promise<FetchedList> => {
  const { list, from } = wanted;
  const { name } = list;
  if (from.length === 0) {
    const reason = `Each issue has an address of its own: see ${list.page} and name it with --from FILE or URL.`;
    return { outcome: "skipped", list: name, reason };
  }
  const folder = await mkdtemp(join(tmpdir(), "assay-fetch-"));
  try {
    const paths = await downloadAll(list, { from, folder }, how);
    if (typeof paths === "string") return { outcome: "kept", list: name, reason: paths };
    // Several files of one publisher: its page names them all.
    return await takeFiles(store, { list, paths, called: from.length === 1 ? (from[0] ?? "") : list.page }, how);
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
