/** Calls about networks that are read on demand: which addresses they are about, and the wait until these are read. */
import type { Chain } from "../chains/chain.ts";
import type { Settings } from "../config/settings.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { ParsedByNetwork, ParsedText } from "../lib/parsed.ts";
import { pause } from "../lib/pause.ts";
import { DAY_S } from "../lib/time.ts";
import type { FactsStore } from "../store/open.ts";
import {
  heldSince,
  readSubjects,
  readTail,
  readUse,
  readWishedBlocks,
  readWishes,
  type SubjectRecord,
  writeWishedBlock,
  writeWishes,
} from "../store/subjects/records.ts";
import type { SubjectCall } from "../store/subjects/subject_call.ts";
import type { CallAbout } from "../surfaces/call/call_tool.ts";
import type { AnyTool } from "../tools/tool.ts";
import { findCounterparties } from "./counterparty_calls.ts";
import type { EnabledNetwork } from "./enabled_network.ts";
import { readNodePools } from "./node_pools.ts";
import { whenPriced } from "./price_calls.ts";

interface SubjectCallsOptions {
  readonly facts: Pick<FactsStore, "engine" | "writer" | "look">;
  /** Always the current networks. */
  readonly enabled: readonly EnabledNetwork[];
  readonly chain: (network: string) => Chain;
  readonly settings: Pick<Settings, "on_demand">;
}

/** The parts of a tool that decide which facts it may use. */
type SubjectTool = Pick<AnyTool, "name" | "subjects" | "are_tokens" | "follows_counterparties">;

interface ReadWish {
  readonly network: string;
  readonly subjects: readonly Hex[];
  readonly tool: SubjectTool;
}

const LOOK_MS = 200;
/** When a caller should look again. */
const AGAIN_S = 10;

const refuse = (code: string, message: string, retryable = false): AssayError =>
  new AssayError({ code, message, public: message, retryable });

const reading = (network: string, so_far: string): AssayError =>
  refuse(
    "READING",
    `The history on ${network} is being read from the node. ${so_far}. Nothing is charged; ask again in ${AGAIN_S} seconds.`,
    true,
  );

/** The bytes of an input on a network: of a tool that asks one network, or of one that asks several. */
const hexOn = (value: unknown, network: string): Hex | null => {
  if (value === null || typeof value !== "object") return null;
  // Binding makes one of these two of an address.
  const { hex, by_network } = value as Partial<ParsedText & ParsedByNetwork>;
  return hex ?? by_network?.get(network) ?? null;
};

/** The addresses of a call on a network, by the inputs that name them; null if one of these inputs names none there. */
const subjectsIn = (tool: SubjectTool, about: CallAbout | null, network: string): readonly Hex[] | null => {
  const fields = tool.subjects ?? null;
  if (fields === null || (about === null && fields.length > 0)) return null;
  const found = fields.flatMap((field) => hexOn(about?.asked[field], network) ?? []);
  return found.length === 0 && fields.length > 0 ? null : found;
};

const isRead = ({ state }: SubjectRecord): boolean => state === "read";

/** The facts that each call may use of networks that are read on demand. */
export class SubjectCalls {
  readonly #parts: SubjectCallsOptions;

  constructor(parts: SubjectCallsOptions) {
    this.#parts = parts;
  }

  /** Some network is read on demand. */
  areNeeded(): boolean {
    return this.#parts.enabled.some(({ index }) => index === "on_demand");
  }

  isOnDemand(network: string): boolean {
    return this.#parts.enabled.some((one) => one.network.id === network && one.index === "on_demand");
  }

  of(tool: SubjectTool, about: CallAbout | null): SubjectCall {
    const { enabled, chain, facts } = this.#parts;
    const account = about?.account_id ?? "";
    const until_ms = this.#patience();
    const settingsOf = (id: string) => enabled.find(({ network }) => network.id === id);
    return {
      tool: tool.name,
      isOnDemand: (network) => this.isOnDemand(network),
      subjectsOn: (network) => this.#subjectsOf(tool, about, network),
      are_tokens: tool.are_tokens === true,
      whenRead: (network, subjects, signal) => this.#whenRead({ network, subjects, tool }, account, signal),
      whenPriced: (network, { asked, now }, signal) =>
        whenPriced(
          { facts, mayAsk: (by) => this.#mayAsk(by).then(() => undefined), refusal: reading },
          { network, asked, account, until_ms: now ? null : until_ms, signal },
        ),
      has_counterparties: tool.follows_counterparties === true,
      counterparties: (network, addresses, is_wished) =>
        findCounterparties(
          { facts, settings: this.#parts.settings, mayAsk: (by) => this.#mayAsk(by) },
          { network, addresses, is_wished, account },
        ),
      whenHeld: (network, block, signal) => this.#whenHeld([network, block], account, signal),
      heldSince: (network, block) => heldSince(facts.engine, network, block),
      async ends(network, signal) {
        const from_block = settingsOf(network)?.from_block ?? 0;
        const final = await chain(network).finalized(signal);
        const newest = await chain(network).ref(final, signal);
        if (newest === null)
          throw refuse("UPSTREAM_UNAVAILABLE", `No node of ${network} has its final block ${final}.`, true);
        return { newest, from_block };
      },
      poolsOf: (network, asked, signal) =>
        readNodePools({ chain: chain(network), venues: settingsOf(network)?.venues ?? [] }, asked, signal),
      tailOf: (network, blocks) => readTail(facts.engine, network, blocks),
      recordsOf: (network, subjects) => this.#recordsOf(network, subjects),
      async ref(network, number, signal) {
        const block = await chain(network).ref(number, signal);
        return block === null ? null : { number: block.number, hash: block.hash, time: block.time };
      },
    };
  }

  /** Null: the tool needs more, or other facts than the histories of addresses show on this network. */
  #subjectsOf(tool: SubjectTool, about: CallAbout | null, network: string): readonly Hex[] | null {
    const subjects = subjectsIn(tool, about, network);
    if (subjects === null || tool.are_tokens === undefined) return subjects;
    const { past } = this.#parts.chain(network);
    return past?.finds_tokens === true && !subjects.some((token) => token === "") ? subjects : null;
  }

  #recordsOf(network: string, subjects: readonly Hex[]): Promise<readonly SubjectRecord[]> {
    return readSubjects(this.#parts.facts.engine, network, [...new Set(subjects)]);
  }

  async #whenRead(
    { network, subjects, tool }: ReadWish,
    account: string,
    signal: AbortSignal,
  ): Promise<readonly SubjectRecord[]> {
    const until = this.#patience();
    const blocks_max = tool.are_tokens === true ? this.#parts.settings.on_demand.token_blocks : 0;
    let is_wished = false;
    for (;;) {
      const records = await this.#recordsOf(network, subjects);
      // A counterparty that was too large is read if a call is about it.
      if (blocks_max > 0) await this.#mustFit(network, records, blocks_max);
      const followed = records.filter(({ state }) => state !== "left" && state !== "too_large");
      if (followed.length === new Set(subjects).size && followed.every(isRead)) {
        // Kept answers may be older than its rows.
        await this.#parts.facts.look();
        return followed;
      }
      // Also those that are read as counterparties, which no call waits for.
      const strangers = subjects.filter(
        (subject) => !followed.some((record) => record.subject === subject && isRead(record)),
      );
      const is_new = strangers.length > 0 && !is_wished;
      if (is_new) await this.follow(network, strangers, { account, blocks_max });
      is_wished = true;
      const waiting = followed.filter((record) => !isRead(record));
      if (signal.aborted || performance.now() >= until) throw this.#reading(network, waiting);
      await pause(LOOK_MS, signal);
    }
  }

  /** @throws AssayError TOKEN_TOO_LARGE_ON_DEMAND if one of them was found to have more blocks */
  async #mustFit(network: string, records: readonly SubjectRecord[], blocks_max: number): Promise<void> {
    const large = new Map(records.flatMap((one) => (one.state === "too_large" ? [[one.subject, one]] : [])));
    if (large.size === 0) return;
    const wishes = await readWishes(this.#parts.facts.engine, network);
    const isFinal = ({ subject, ...wish }: (typeof wishes)[number]): boolean =>
      wish.blocks_max >= blocks_max && (large.get(subject)?.wished_ms ?? -1) >= wish.wished_ms;
    if (!wishes.some(isFinal)) return;
    throw refuse(
      "TOKEN_TOO_LARGE_ON_DEMAND",
      `The token moved in more than ${blocks_max} blocks, and ${network} is read on demand. A network with 'index: whole' serves it, or a higher 'on_demand.token_blocks'.`,
    );
  }

  /** When a wait that begins now ends, monotonic milliseconds. */
  #patience(): number {
    return performance.now() + this.#parts.settings.on_demand.wait_seconds * 1_000;
  }

  async #whenHeld([network, block]: readonly [string, number], account: string, signal: AbortSignal): Promise<number> {
    const { facts } = this.#parts;
    const until = this.#patience();
    let since = await heldSince(facts.engine, network, block);
    if (since === null) await this.#wishBlock([network, block], account);
    while (since === null) {
      if (signal.aborted || performance.now() >= until)
        throw refuse(
          "READING",
          `Block ${block} of ${network} is being read from the node. Nothing is charged; ask again in ${AGAIN_S} seconds.`,
          true,
        );
      await pause(LOOK_MS, signal);
      since = await heldSince(facts.engine, network, block);
    }
    await facts.look();
    return since;
  }

  /** @throws AssayError SUBJECT_LIMIT */
  async #wishBlock([network, block_number]: readonly [string, number], account: string): Promise<void> {
    const { facts, settings } = this.#parts;
    const { blocks_per_day } = settings.on_demand;
    const since = Math.floor(Date.now() / 1_000) - DAY_S;
    if ((await readWishedBlocks(facts.engine, network, { asked_since: since, which: "all" })).includes(block_number))
      return;
    const { blocks } = await readUse(facts.engine, account, since);
    if (blocks >= blocks_per_day)
      throw refuse(
        "SUBJECT_LIMIT",
        `The calls of this account have had ${blocks} blocks read for single transactions within a day, of ${blocks_per_day} at most. Ask again later.`,
        true,
      );
    await writeWishedBlock(facts.writer, network, { block_number, asked_by: account });
  }

  /**
   * Wishes for addresses that the network does not follow yet.
   * @param blocks_max an address with more blocks is not read; 0: no limit
   * @throws AssayError SUBJECT_LIMIT
   */
  async follow(
    network: string,
    strangers: readonly Hex[],
    { account, blocks_max = 0 }: { readonly account: string; readonly blocks_max?: number },
  ): Promise<void> {
    const { facts, settings } = this.#parts;
    const { addresses_per_account } = settings.on_demand;
    const wishes = await readWishes(facts.engine, network);
    const suffices = (most: number): boolean => most === 0 || (blocks_max > 0 && most >= blocks_max);
    const wished = new Set(
      wishes.flatMap(({ subject, wish, ...one }) => (wish === "track" && suffices(one.blocks_max) ? [subject] : [])),
    );
    const subjects = strangers.filter((subject) => !wished.has(subject));
    if (subjects.length === 0) return;
    const use = await this.#mayAsk(account);
    const own = new Set(
      wishes.flatMap(({ subject, wish, asked_by }) => (wish === "track" && asked_by === account ? [subject] : [])),
    );
    const added = subjects.filter((subject) => !own.has(subject)).length;
    if (added > 0 && use.subjects + added > addresses_per_account)
      throw refuse(
        "SUBJECT_LIMIT",
        `This account has ${use.subjects} addresses followed on networks that are read on demand, of ${addresses_per_account} at most. The operator can stop following some ('assay untrack').`,
      );
    await writeWishes(facts.writer, network, { subjects, wish: "track", asked_by: account, blocks_max });
  }

  /** The use of the account. @throws AssayError SUBJECT_LIMIT */
  async #mayAsk(account: string) {
    const { facts, settings } = this.#parts;
    const { requests_per_day } = settings.on_demand;
    const use = await readUse(facts.engine, account, Math.floor(Date.now() / 1_000) - DAY_S);
    if (use.requests >= requests_per_day)
      throw refuse(
        "SUBJECT_LIMIT",
        `This account has used ${use.requests} requests to nodes within a day for addresses on demand, of ${requests_per_day} at most. Ask again later.`,
        true,
      );
    return use;
  }

  #reading(network: string, waiting: readonly SubjectRecord[]): AssayError {
    if (waiting.some(({ state }) => state === "failed"))
      return refuse(
        "UPSTREAM_UNAVAILABLE",
        `The history of the address on ${network} could not be read from the node yet; Assay tries again.`,
        true,
      );
    const progress = waiting.map(({ subject, state, found, fetched }) => {
      const address = this.#parts.chain(network).formatAddress(subject);
      return state === "searching"
        ? `${address}: ${found} blocks found so far`
        : `${address}: ${fetched} of ${found} blocks read`;
    });
    const so_far = progress.length === 0 ? "The search has yet to begin" : progress.join("; ");
    return reading(network, so_far);
  }
}
