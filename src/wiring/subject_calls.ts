/** Calls about networks that are read on demand: which addresses they are about, and the wait until these are read. */
import type { Chain } from "../chains/chain.ts";
import type { Settings } from "../config/settings.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { ParsedByNetwork, ParsedText } from "../lib/parsed.ts";
import { pause } from "../lib/pause.ts";
import { DAY_S } from "../lib/time.ts";
import type { FactsStore } from "../store/open.ts";
import { readSubjects, readUse, readWishes, type SubjectRecord, writeWishes } from "../store/subjects/records.ts";
import type { SubjectCall } from "../store/subjects/subject_facts.ts";
import type { CallAbout } from "../surfaces/call/call_tool.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { EnabledNetwork } from "./enabled_network.ts";
import { whenPriced } from "./price_calls.ts";

interface SubjectCallsOptions {
  readonly facts: Pick<FactsStore, "engine" | "writer">;
  /** Always the current networks. */
  readonly enabled: readonly EnabledNetwork[];
  readonly chain: (network: string) => Chain;
  readonly settings: Pick<Settings, "on_demand">;
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

  of(tool: AnyTool, about: CallAbout | null): SubjectCall {
    const { enabled, chain, facts, settings } = this.#parts;
    const account = about?.account_id ?? "";
    const until_ms = performance.now() + settings.on_demand.wait_seconds * 1_000;
    return {
      tool: tool.name,
      isOnDemand: (network) => enabled.some((one) => one.network.id === network && one.index === "on_demand"),
      subjectsOn: (network) =>
        tool.subjects === undefined || about === null
          ? null
          : tool.subjects.flatMap((field) => hexOn(about.asked[field], network) ?? []),
      whenRead: (network, subjects, signal) => this.#whenRead([network, subjects], account, signal),
      whenPriced: (network, asked, signal) =>
        whenPriced(
          { facts, mayAsk: (by) => this.#mayAsk(by).then(() => undefined), refusal: reading },
          { network, asked, account, until_ms, signal },
        ),
      recordsOf: (network, subjects) => this.#recordsOf(network, subjects),
      async ref(network, number, signal) {
        const block = await chain(network).ref(number, signal);
        return block === null ? null : { number: block.number, hash: block.hash, time: block.time };
      },
    };
  }

  #recordsOf(network: string, subjects: readonly Hex[]): Promise<readonly SubjectRecord[]> {
    return readSubjects(this.#parts.facts.engine, network, [...new Set(subjects)]);
  }

  async #whenRead(
    [network, subjects]: readonly [string, readonly Hex[]],
    account: string,
    signal: AbortSignal,
  ): Promise<readonly SubjectRecord[]> {
    const until = performance.now() + this.#parts.settings.on_demand.wait_seconds * 1_000;
    let is_wished = false;
    for (;;) {
      const records = await this.#recordsOf(network, subjects);
      const followed = records.filter(({ state }) => state !== "left");
      if (followed.length === new Set(subjects).size && followed.every(isRead)) return followed;
      const strangers = subjects.filter((subject) => !followed.some((record) => record.subject === subject));
      if (strangers.length > 0 && !is_wished) await this.follow(network, strangers, account);
      is_wished = true;
      const waiting = followed.filter((record) => !isRead(record));
      if (signal.aborted || performance.now() >= until) throw this.#reading(network, waiting);
      await pause(LOOK_MS, signal);
    }
  }

  /** Wishes for addresses that the network does not follow yet. @throws AssayError SUBJECT_LIMIT */
  async follow(network: string, strangers: readonly Hex[], account: string): Promise<void> {
    const { facts, settings } = this.#parts;
    const { addresses_per_account } = settings.on_demand;
    const wishes = await readWishes(facts.engine, network);
    const wished = new Set(wishes.flatMap(({ subject, wish }) => (wish === "track" ? [subject] : [])));
    const subjects = strangers.filter((subject) => !wished.has(subject));
    if (subjects.length === 0) return;
    const use = await this.#mayAsk(account);
    if (use.subjects + subjects.length > addresses_per_account)
      throw refuse(
        "SUBJECT_LIMIT",
        `This account has ${use.subjects} addresses followed on networks that are read on demand, of ${addresses_per_account} at most. The operator can stop following some ('assay untrack').`,
      );
    await writeWishes(facts.writer, network, { subjects, wish: "track", asked_by: account });
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
