/** Keeps the operator's prices current: watches tables, polls price services, sets fixed prices. */
import { createHash } from "node:crypto";
import { mkdir, open, readFile, stat, truncate } from "node:fs/promises";
import { extname, join } from "node:path";
import { addressIn } from "../chains/networks/from_config.ts";
import { type PriceRow, readFeed, readPriceRows } from "../config/price_rows.ts";
import type { Settings } from "../config/settings.ts";
import type { OperatorPrices, OperatorSeries, OperatorSource } from "../domain/valuation/prices/operator_prices.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError, codeOf, messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import { hourOf } from "../lib/time.ts";
import { UnreachableLog } from "../lib/unreachable_log.ts";
import type { Web } from "../web/web.ts";
import type { EnabledNetwork } from "./enabled_network.ts";

type PriceSetting = Settings["prices"][number];
type SettingOf<K extends PriceSetting["kind"]> = Extract<PriceSetting, { kind: K }>;

export interface OperatorPriceOptions {
  readonly settings: readonly PriceSetting[];
  readonly networks: readonly EnabledNetwork[];
  /** Guarded access to the web; null when the operator does not allow it. */
  readonly web: Web | null;
  /** Folder of the stored prices of services. */
  readonly data_dir: string;
  readonly prices: OperatorPrices;
  readonly log: Log;
  /** Unix milliseconds. */
  readonly now_ms: () => number;
  readonly stop: AbortSignal;
  /** Interval between two checks of a table; defaults to two seconds. */
  readonly look_every_ms?: number;
}

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const LOOK_EVERY_MS = 2_000;
const VERSION_CHARACTERS = 12;
/** Maximum lead of a service's clock over the local one. */
const AHEAD_S_MAX = 120;

const refuse = (id: string, what: string) =>
  new AssayError({ code: "CONFIG", message: `prices: ${id}: ${what}`, public: `prices: ${id}: ${what}` });

const NATIVE = "native";

/**
 * The coin as stored; null on a network that is not enabled.
 * @throws AssayError CONFIG for an invalid address
 */
const tokenOf = (
  networks: readonly EnabledNetwork[],
  { network: id, token }: Pick<PriceRow, "network" | "token">,
): Hex | null => {
  const enabled = networks.find(({ network }) => network.id === id);
  if (enabled === undefined) return null;
  return token === NATIVE ? "" : addressIn(enabled.network, token);
};

const seriesOf = (networks: readonly EnabledNetwork[], rows: readonly PriceRow[]): readonly OperatorSeries[] => {
  const found = new Map<string, { network: string; token: Hex; points: { time: number; price_usd: number }[] }>();
  for (const { network, token: text, time, price_usd } of rows) {
    const token = tokenOf(networks, { network, token: text });
    if (token === null) continue;
    const key = `${network}:${token}`;
    const one = found.get(key) ?? { network, token, points: [] };
    one.points.push({ time, price_usd });
    found.set(key, one);
  }
  return [...found.values()];
};

/** One source: its current prices, and their updates. */
interface PriceSource {
  now: OperatorSource;
  readonly run: (changed: () => void) => Promise<void>;
}

const fixedSource = (
  { networks }: OperatorPriceOptions,
  { id, network, token, price_usd }: SettingOf<"fixed">,
): PriceSource => {
  const series = seriesOf(networks, [{ network, token, price_usd, time: Number.NEGATIVE_INFINITY }]);
  return { now: { id, version: String(price_usd), is_standing: true, series }, run: async () => undefined };
};

const readTable = async ({ networks }: OperatorPriceOptions, { id, file }: SettingOf<"file">) => {
  const { size, mtimeMs } = await stat(file);
  if (size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
  const text = await readFile(file, "utf8");
  const form = extname(file) === ".json" ? "json" : "csv";
  const series = seriesOf(networks, readPriceRows(text, form, Math.floor(mtimeMs / 1000)));
  const version = createHash("sha256").update(text).digest("hex").slice(0, VERSION_CHARACTERS);
  return { state: `${size} ${mtimeMs}`, source: { id, version, is_standing: false, series } };
};

/**
 * Opens a table: an invalid one ends the start; one that becomes invalid later is logged, and its last valid prices
 * stay in force.
 */
const tableSource = async (parts: OperatorPriceOptions, setting: SettingOf<"file">): Promise<PriceSource> => {
  const { log, stop } = parts;
  let { state, source } = await readTable(parts, setting).catch((error: unknown) => {
    throw refuse(setting.id, `${setting.file}: ${messageOf(error)}`);
  });
  const kept: PriceSource = {
    now: source,
    run: async (changed) => {
      const notes = new UnreachableLog({ network: `prices.${setting.id}`, log, now: () => performance.now() });
      while (!stop.aborted) {
        await pause(parts.look_every_ms ?? LOOK_EVERY_MS, stop);
        if (stop.aborted) return;
        try {
          const { size, mtimeMs } = await stat(setting.file);
          if (state === `${size} ${mtimeMs}`) continue;
          ({ state, source } = await readTable(parts, setting));
          kept.now = source;
          notes.back("the table is read again");
          changed();
        } catch (error) {
          notes.away({}, `the table cannot be read, its earlier prices stay in force: ${messageOf(error)}`);
        }
      }
    },
  };
  return kept;
};

/**
 * Opens a service: its first price of an hour counts, so that an hour's price never changes and is the same after a
 * restart.
 */
const feedSource = async (parts: OperatorPriceOptions, setting: SettingOf<"feed">): Promise<PriceSource> => {
  const { web, networks, log, stop } = parts;
  const { id, url, shape } = setting;
  if (web === null) throw refuse(id, "a price service needs web access: set web.enabled to true");
  for (const coin of setting.coins) tokenOf(networks, coin);
  const folder = join(parts.data_dir, "prices");
  const path = join(folder, `${id}.csv`);
  const rows = [...(await readStored(path, id))];
  const hours = new Set(rows.map((row) => hourKey(row)));
  const sourceNow = (): OperatorSource => ({
    id,
    version: shape,
    is_standing: false,
    series: seriesOf(networks, rows),
  });
  const kept: PriceSource = {
    now: sourceNow(),
    run: async (changed) => {
      const notes = new UnreachableLog({ network: `prices.${id}`, log, now: () => performance.now() });
      while (!stop.aborted) {
        const answer = await fetchFeed({ ...parts, web }, setting).catch((error: unknown) => messageOf(error));
        if (stop.aborted) return;
        if (typeof answer === "string") notes.away({}, `${new URL(url).host} gives no prices: ${answer}`);
        else {
          notes.back("the service returns prices again");
          const fresh = answer.filter((row) => !hours.has(hourKey(row)));
          for (const row of fresh) hours.add(hourKey(row));
          rows.push(...fresh);
          await appendRows(folder, path, fresh).catch((error: unknown) =>
            notes.away({}, `its prices cannot be stored: ${messageOf(error)}`),
          );
          kept.now = sourceNow();
          if (fresh.length > 0) changed();
        }
        await pause(setting.every_seconds * 1_000, stop);
      }
    },
  };
  return kept;
};

const hourKey = ({ network, token, time }: PriceRow): string => `${network} ${token} ${hourOf(time)}`;

const HEAD = "network,token,price_usd,time\n";

/** A line that a crash cut is not a row: it is removed before another row is appended. */
const wholeLines = async (path: string): Promise<string> => {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return Buffer.alloc(0); // the service was never queried before
    throw error;
  });
  const end = bytes.lastIndexOf("\n") + 1;
  if (end < bytes.length) await truncate(path, end);
  return bytes.toString("utf8", 0, end);
};

const readStored = async (path: string, id: string): Promise<readonly PriceRow[]> => {
  try {
    const text = await wholeLines(path);
    return text === "" ? [] : readPriceRows(text, "csv", 0);
  } catch (error) {
    throw refuse(id, `${path}, the file with the stored prices: ${messageOf(error)}. Repair it, or move it away`);
  }
};

/** Appends all of the rows, or none. */
const appendRows = async (folder: string, path: string, rows: readonly PriceRow[]): Promise<void> => {
  if (rows.length === 0) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  try {
    const { size } = await file.stat();
    const lines = rows.map(({ network, token, price_usd, time }) => `${network},${token},${price_usd},${time}\n`);
    await file.appendFile(`${size === 0 ? HEAD : ""}${lines.join("")}`).catch(async (error: unknown) => {
      await file.truncate(size);
      throw error;
    });
  } finally {
    await file.close();
  }
};

/** The service's current prices, or why there are none. */
const fetchFeed = async (
  { web, now_ms, stop }: OperatorPriceOptions & { readonly web: Web },
  { url, shape, coins }: SettingOf<"feed">,
): Promise<readonly PriceRow[] | string> => {
  const answer = await web.fetch({ url, headers: { accept: "application/json" }, signal: stop });
  if (answer.kind !== "answer") return answer.reason;
  if (answer.status !== 200) return `HTTP ${answer.status}`;
  const said = answer.is_cut ? null : readFeed(Buffer.from(answer.body).toString("utf8"), shape);
  if (said === null) return `its answer does not have the shape ${shape}`;
  const now = Math.floor(now_ms() / 1000);
  const rows = coins.flatMap(({ network, token, coin }) => {
    const found = said.get(coin);
    if (found === undefined || (found.time ?? now) > now + AHEAD_S_MAX) return [];
    return [{ network, token, price_usd: found.price_usd, time: found.time ?? now }];
  });
  return rows.length > 0 ? rows : "its answer has none of the coins";
};

const openSource = (parts: OperatorPriceOptions, setting: PriceSetting): Promise<PriceSource> | PriceSource => {
  if (setting.kind === "fixed") return fixedSource(parts, setting);
  return setting.kind === "file" ? tableSource(parts, setting) : feedSource(parts, setting);
};

/**
 * Reads all sources and updates them until `stop`. Resolves after the first read; `done` settles after `stop`.
 * @throws AssayError CONFIG for a source that cannot be used
 */
export const runOperatorPrices = async (parts: OperatorPriceOptions): Promise<{ readonly done: Promise<void> }> => {
  const kept = await Promise.all(parts.settings.map((setting) => openSource(parts, setting)));
  const publish = (): void => parts.prices.replace(kept.map(({ now }) => now));
  publish();
  return { done: Promise.all(kept.map(({ run }) => run(publish))).then(() => undefined) };
};
