/** The networks of one process, which change while it runs (docs/design/operations.md). */
import { isDeepStrictEqual } from "node:util";
import type { OpenChain } from "../chains/open_chain.ts";
import type { LeasedIndexer } from "../indexer/leased_indexer.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { EnabledNetwork } from "./enabled_network.ts";
import type { OpenNetwork } from "./status.ts";

export interface NetworkSetOptions {
  /** Opens the connections to a network's nodes, and its indexer if this process indexes. */
  readonly open: (enabled: EnabledNetwork, stop: AbortSignal) => Promise<OpenNetwork>;
  readonly how: Omit<Parameters<LeasedIndexer["run"]>[0], "signal">;
  /** How long running calls may still use the nodes of a removed network. */
  readonly linger_ms: number;
  readonly log: Log;
  readonly stop: AbortSignal;
}

/** Networks that the configuration requests of this process. */
export interface ConfiguredNetworks {
  readonly enabled: readonly EnabledNetwork[];
  /** Configured networks that are disabled. */
  readonly disabled: readonly string[];
}

interface RunningNetwork extends OpenNetwork {
  readonly enabled: EnabledNetwork;
  readonly own_stop: AbortController;
  ended: Promise<void>;
}

export class NetworkSet {
  readonly #parts: NetworkSetOptions;
  readonly #running = new Map<string, RunningNetwork>();
  readonly #leaving = new Map<string, OpenChain>();
  readonly #closings = new Map<OpenChain, NodeJS.Timeout>();
  /** Serializes changes. */
  #turn: Promise<void> = Promise.resolve();
  /** The networks of the start are open. */
  #is_begun = false;
  #configured: readonly string[] = [];
  /** Why a configured network does not run. */
  #absent: ReadonlyMap<string, string> = new Map();
  /** In configuration order. Always the same array, changed in place: its holders see the current networks. */
  readonly #chains: OpenChain[] = [];
  readonly #enabled: EnabledNetwork[] = [];

  constructor(parts: NetworkSetOptions) {
    this.#parts = parts;
  }

  get chains(): readonly OpenChain[] {
    return this.#chains;
  }

  get enabled(): readonly EnabledNetwork[] {
    return this.#enabled;
  }

  /** In configuration order. */
  get open(): readonly OpenNetwork[] {
    return this.#chains.flatMap(({ network }) => this.#running.get(network.id) ?? []);
  }

  get absent(): ReadonlyMap<string, string> {
    return this.#absent;
  }

  /** A network for a call, which may have started before the network was removed. */
  find(id: string): OpenChain | undefined {
    return this.#running.get(id)?.chain ?? this.#leaving.get(id);
  }

  /** Settles when the current indexers have ended. */
  ended(): Promise<void> {
    return Promise.all([...this.#running.values()].map(({ ended }) => ended)).then(() => undefined);
  }

  /**
   * Applies the configured networks. If a network's nodes cannot be opened, the set reports it and keeps the old
   * network running.
   */
  apply(wanted: ConfiguredNetworks): Promise<void> {
    const turn = this.#turn.then(() => this.#apply(wanted));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Ends all indexers, then closes all connections. */
  async close(): Promise<void> {
    await this.#turn;
    for (const { own_stop } of this.#running.values()) own_stop.abort();
    await this.ended();
    const chains = [...this.#chains, ...this.#closings.keys()];
    for (const timer of this.#closings.values()) clearTimeout(timer);
    this.#closings.clear();
    for (const chain of chains) await chain.close();
  }

  async #apply({ enabled, disabled }: ConfiguredNetworks): Promise<void> {
    const absent = new Map(disabled.map((id) => [id, "it is switched off in the configuration"]));
    this.#configured = enabled.map(({ network }) => network.id);
    const ids = new Set(this.#configured);
    for (const [id, one] of this.#running) if (!ids.has(id)) await this.#leave(id, one);
    const changes = enabled.map(async (one) => {
      const { id } = one.network;
      if (isDeepStrictEqual(this.#running.get(id)?.enabled, one) || this.#parts.stop.aborted) return;
      try {
        await this.#enter(one);
      } catch (error) {
        if (!this.#is_begun) throw error;
        this.#parts.log.error({ network: id, err: error }, "the network cannot be opened with its new configuration");
        if (!this.#running.has(id)) absent.set(id, messageOf(error));
      }
    });
    await Promise.all(changes);
    this.#absent = absent;
    this.#is_begun = true;
    this.#order();
  }

  async #enter(enabled: EnabledNetwork): Promise<void> {
    const { log, stop } = this.#parts;
    const { id } = enabled.network;
    const own_stop = new AbortController();
    const opened = await this.#parts.open(enabled, AbortSignal.any([stop, own_stop.signal]));
    const before = this.#running.get(id);
    const running: RunningNetwork = { ...opened, enabled, own_stop, ended: Promise.resolve() };
    this.#running.set(id, running);
    this.#order();
    running.ended = this.#run(running, before);
    if (before !== undefined) this.#retire(id, before.chain);
    if (this.#is_begun)
      log.warn(
        { network: id },
        before === undefined ? "a network was added" : "the network runs with its new configuration",
      );
  }

  /** The previous indexer ends first: the new one continues from the stored data. */
  async #run({ indexer, own_stop }: RunningNetwork, before: RunningNetwork | undefined): Promise<void> {
    before?.own_stop.abort();
    await before?.ended;
    const signal = AbortSignal.any([this.#parts.stop, own_stop.signal]);
    await indexer?.run({ ...this.#parts.how, signal });
  }

  async #leave(id: string, { chain, own_stop, ended }: RunningNetwork): Promise<void> {
    own_stop.abort();
    this.#running.delete(id);
    this.#order();
    this.#retire(id, chain);
    await ended;
    this.#parts.log.warn({ network: id }, "the network was removed from the configuration; its facts stay");
  }

  /** Running calls may use its nodes until their deadline. */
  #retire(id: string, chain: OpenChain): void {
    this.#leaving.set(id, chain);
    const close = () => {
      this.#closings.delete(chain);
      if (this.#leaving.get(id) === chain) this.#leaving.delete(id);
      void chain.close();
    };
    this.#closings.set(chain, setTimeout(close, this.#parts.linger_ms).unref());
  }

  #order(): void {
    const ids = new Set([...this.#configured, ...this.#running.keys()]);
    const running = [...ids].flatMap((id) => this.#running.get(id) ?? []);
    this.#chains.splice(0, this.#chains.length, ...running.map(({ chain }) => chain));
    this.#enabled.splice(0, this.#enabled.length, ...running.map(({ enabled }) => enabled));
  }
}
