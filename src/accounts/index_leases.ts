import { randomBytes } from "node:crypto";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Lease, LeaseAnswer, LeaseHolder, LeaseSubject, Leases } from "../lib/lease.ts";
import type { Log } from "../lib/log.ts";
import { hasEnded, type ProcessIdentity } from "../lib/processes.ts";
import type { Queries, SqlValue } from "./database.ts";

/**
 * Leases of networks in the accounts store. No clocks are compared: the holder counts its renewals in the row, and a lease
 * has expired for a process that has seen that count unchanged for `lease_ms` on its own monotonic clock. The
 * holder's time started earlier, so the holder stops writing first, unless the store confirms its lease. Each change is one conditional
 * statement: of two takers one changes a row.
 */
export interface LeaseSettings {
  readonly database: Pick<Queries, "all" | "get" | "run">;
  readonly self: ProcessIdentity;
  /** Time after the last renewal for which a holder keeps its lease. */
  readonly lease_ms: number;
  /** Milliseconds of a monotonic clock that continues while the process is suspended. */
  readonly monotonic: () => number;
  /** Unix milliseconds, for display. */
  readonly now: () => number;
  readonly log: Log;
}

/** Renewals that may fail before the lease is given up. */
const BEATS_PER_LEASE = 5;
/** Share of the lease after a renewal in which no other process can take it. */
const HELD_SHARE = 0.8;
const LATE = "its lease could not be renewed in time";
const ASKS_PER_LEASE = 10;
const ASK_EVERY_MAX_MS = 1_000;

interface LeaseRow {
  readonly [column: string]: SqlValue;
  readonly network: string;
  readonly epoch: number;
  readonly holder: string | null;
  readonly beats: number;
  readonly lease_ms: number;
  readonly host: string;
  readonly pid: number;
  readonly place: string;
  readonly started: string;
  readonly since: number;
}

const COLUMNS = "network, epoch, holder, beats, lease_ms, host, pid, place, started, since";
const READ_SQL = `select ${COLUMNS} from index_leases where facts = $1 and network = $2`;
const HOLDERS_SQL = `select ${COLUMNS} from index_leases where holder is not null order by network, since`;
const HOLDERS_OF_SQL = `select ${COLUMNS} from index_leases where holder is not null and facts = $1 order by network`;
const FIRST_SQL = `insert into index_leases (facts, network, epoch, holder, beats, lease_ms, host, pid, place, started, since)
  values ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9, $10) on conflict (facts, network) do nothing`;
const TAKE_SQL = `update index_leases set epoch = $3, holder = $4, beats = 0, lease_ms = $5, host = $6, pid = $7, place = $8,
    started = $9, since = $10
  where facts = $1 and network = $2 and epoch = $11 and beats = $12 and coalesce(holder, '') = $13`;
const BEAT_SQL = `update index_leases set beats = beats + 1 where facts = $1 and network = $2 and epoch = $3 and holder = $4`;
const FREE_SQL = `update index_leases set holder = null where facts = $1 and network = $2 and epoch = $3 and holder = $4`;

export const openLeases = (settings: LeaseSettings): Leases => ({
  ask_every_ms: Math.min(ASK_EVERY_MAX_MS, settings.lease_ms / ASKS_PER_LEASE),
  wish(subject) {
    const watch = new Watch(settings.monotonic);
    return { ask: (known_epoch) => ask(settings, { subject, watch, known_epoch }) };
  },
  async holders(facts) {
    const { database } = settings;
    const rows = await (facts === null
      ? database.all<LeaseRow>(HOLDERS_SQL)
      : database.all<LeaseRow>(HOLDERS_OF_SQL, [facts]));
    return Object.fromEntries(rows.filter((row) => !hasEnded(row)).map((row) => [row.network, holderOf(row)]));
  },
});

const holderOf = ({ host, pid, since }: LeaseRow): LeaseHolder => ({ host, pid, since_ms: since });

/** The last seen state of a holder, and how long it has been unchanged. */
class Watch {
  readonly #monotonic: () => number;
  #seen: { readonly epoch: number; readonly beats: number; readonly at_ms: number } | null = null;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Milliseconds since this count was first seen. */
  stillFor({ epoch, beats }: LeaseRow): number {
    const at_ms = this.#monotonic();
    if (this.#seen === null || this.#seen.epoch !== epoch || this.#seen.beats !== beats) {
      this.#seen = { epoch, beats, at_ms };
    }
    return at_ms - this.#seen.at_ms;
  }
}

interface LeaseClaim {
  readonly subject: LeaseSubject;
  readonly watch: Watch;
  readonly known_epoch: number;
}

const ask = async (settings: LeaseSettings, { subject, watch, known_epoch }: LeaseClaim): Promise<LeaseAnswer> => {
  const { database, monotonic, self, lease_ms } = settings;
  const place = [subject.facts, subject.network];
  const row = await database.get<LeaseRow>(READ_SQL, place);
  if (row !== null && row.holder !== null && !hasEnded(row) && watch.stillFor(row) < row.lease_ms) {
    return { kind: "taken", by: holderOf(row) };
  }
  const holder = randomBytes(12).toString("hex");
  const epoch = Math.max(row?.epoch ?? 0, known_epoch) + 1;
  const asked_at_ms = monotonic();
  const since_ms = settings.now();
  const fresh = [epoch, holder, lease_ms, self.host, self.pid, self.place, self.started, since_ms];
  const changed =
    row === null
      ? await database.run(FIRST_SQL, [...place, ...fresh])
      : await database.run(TAKE_SQL, [...place, ...fresh, row.epoch, row.beats, row.holder ?? ""]);
  if (changed === 1) {
    const lease = new ActiveLease(settings, { subject, epoch, holder, since_ms, asked_at_ms });
    return { kind: "held", lease };
  }
  // Another process was faster, or the answer to an earlier change was lost.
  const winner = await database.get<LeaseRow>(READ_SQL, place);
  return { kind: "taken", by: winner === null ? { host: "", pid: 0, since_ms } : holderOf(winner) };
};

interface LeaseHolding {
  readonly subject: LeaseSubject;
  readonly epoch: number;
  readonly holder: string;
  readonly since_ms: number;
  /** Before the query, on the monotonic clock. */
  readonly asked_at_ms: number;
}

class ActiveLease implements Lease {
  readonly epoch: number;
  readonly holder: string;
  readonly since_ms: number;
  readonly #settings: LeaseSettings;
  readonly #holding: LeaseHolding;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #valid_until_ms: number;
  #beating: Promise<void> | null = null;

  constructor(settings: LeaseSettings, holding: LeaseHolding) {
    this.#settings = settings;
    this.#holding = holding;
    this.epoch = holding.epoch;
    this.holder = holding.holder;
    this.since_ms = holding.since_ms;
    this.#valid_until_ms = holding.asked_at_ms + settings.lease_ms * HELD_SHARE;
    this.#timer = setInterval(() => this.#tick(), settings.lease_ms / BEATS_PER_LEASE);
    this.#timer.unref();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async confirm(): Promise<void> {
    this.#lost.signal.throwIfAborted();
    if (!this.#isCertain()) await this.#renew();
    if (!this.#isCertain()) this.#lose(LATE);
    this.#lost.signal.throwIfAborted();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    if (!this.#lost.signal.aborted) this.#lose("it was released");
    // Also when it could not be renewed in time: this process writes nothing more, so the next one need not wait. If this
    // fails, the others wait until the lease expires.
    await this.#settings.database.run(FREE_SQL, this.#key()).catch((error: unknown) => this.#warn(error));
  }

  #key(): readonly SqlValue[] {
    const { subject, epoch, holder } = this.#holding;
    return [subject.facts, subject.network, epoch, holder];
  }

  #isCertain(): boolean {
    return this.#settings.monotonic() <= this.#valid_until_ms;
  }

  #tick(): void {
    const { monotonic, lease_ms } = this.#settings;
    // The store does not answer, so the lease is not released there.
    if (monotonic() > this.#valid_until_ms + lease_ms && this.#beating !== null) this.#lose(LATE);
    else void this.#renew();
  }

  /** One renewal at a time. A renewal that fails after the certain share of the lease ends it. */
  #renew(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch((error: unknown) => {
        this.#warn(error);
        if (!this.#isCertain()) this.#lose(LATE);
      })
      .finally(() => {
        this.#beating = null;
      });
    return this.#beating;
  }

  /**
   * A renewal that changes the row proves that no other process has taken the lease, however late it arrives: a slow process keeps
   * an uncontended lease. After it, other processes wait for a whole lease again.
   */
  async #beat(): Promise<void> {
    const { database, monotonic, lease_ms } = this.#settings;
    const sent_at_ms = monotonic();
    const changed = await database.run(BEAT_SQL, this.#key());
    if (changed === 0) this.#lose("another process has taken it over");
    else this.#valid_until_ms = sent_at_ms + lease_ms * HELD_SHARE;
  }

  #lose(reason: string): void {
    clearInterval(this.#timer);
    const { network } = this.#holding.subject;
    this.#lost.abort(
      new AssayError({
        code: "LEASE_LOST",
        message: `${network}: this process does not write its facts any more: ${reason}`,
        retryable: true,
      }),
    );
  }

  #warn(error: unknown): void {
    const { network } = this.#holding.subject;
    this.#settings.log.warn({ network, error: messageOf(error) }, "the lease of a network was not renewed");
  }
}
