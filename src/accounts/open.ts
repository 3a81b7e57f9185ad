import { randomBytes } from "node:crypto";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Leases } from "../lib/lease.ts";
import { type Log, openLog, type Secret } from "../lib/log.ts";
import { thisProcess } from "../lib/processes.ts";
import { type Administration, administrationFor } from "./administration.ts";
import { ANSWER_TERMS, type AnswerTerms, type KeptAnswers, openKeptAnswers } from "./answers/open.ts";
import { ASSISTANT_TERMS, type Assistants, type AssistantTerms, openAssistants } from "./assistants/open.ts";
import { type AuditEntry, type AuditQuery, listAudit, recorderOf } from "./audit.ts";
import { type Authenticator, openAuthenticator } from "./authenticate.ts";
import { listener, startable, sweepAll } from "./background.ts";
import { CASE_TERMS, type CaseTerms } from "./cases/terms.ts";
import type { Database, Engine, Instance } from "./database.ts";
import { type AccountsLocation, openEngine } from "./engine.ts";
import { idsOf, pooledBytes } from "./ids.ts";
import { openLeases } from "./index_leases.ts";
import { type InvariantViolation, verifyLedger } from "./invariants.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { type LedgerQuery, type LedgerRows, ledgerRows } from "./ledger_rows.ts";
import { type Limits, openOwnLimits } from "./limits.ts";
import type { Meter } from "./meter.ts";
import { migrate, readMigrations } from "./migrate.ts";
import type { PasswordCost } from "./passwords.ts";
import { checkPlans, type Plans, storePlans } from "./plans.ts";
import { CATALOG_SCOPE, openPrices, type PricedTool, storeCards, type ToolPrices } from "./prices.ts";
import type { Peppers, RandomBytes } from "./secret.ts";
import { openSessions, type Sessions } from "./sessions.ts";
import type { SharedLimitsSettings } from "./shared_limits.ts";
import { openUsage, type Usage } from "./usage.ts";
import { NO_TERMS, openWatchStore, type WatchStore, type WatchTerms } from "./watch/open.ts";
import { openWitness, type Witnesses } from "./witness.ts";

const SWEEP_EVERY_DEFAULT_MS = 5_000;
const DEADLINE_MS = 30_000;
const INDEX_LEASE_DEFAULT_MS = 15_000;
/** Time that a call may take beyond its deadline before its charge counts as orphaned. */
const LEASE_BEYOND_DEADLINE_MS = 30_000;

export interface AccountsSettings {
  readonly place: AccountsLocation;
  readonly plans: Plans;
  readonly keys: { readonly prefix: string; readonly pepper?: Secret; readonly previous_peppers?: readonly Secret[] };
  /** Public tools with the price on their card. */
  readonly tools: readonly PricedTool[];
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock, for rate limits; the system's by default. */
  readonly monotonic?: () => number;
  /** The shared store of several instances' rate limits; omitted: each instance has its own limits. */
  readonly shared_limits?: Pick<SharedLimitsSettings, "redis_url" | "instances">;
  readonly random?: RandomBytes;
  /** Time limit of a tool. */
  readonly deadline_ms?: number;
  /** Time that a charge may stay running before any process may refund it; the deadline and 30 s by default. */
  readonly lease_ms?: number;
  /** Interval of the sweeps for orphaned charges; 5 s by default. */
  readonly sweep_every_ms?: number;
  /** Time after the last renewal for which an indexer keeps its network; 15 s by default. */
  readonly index_lease_ms?: number;
  /** Cost of new passwords; the default of passwords.ts when omitted. */
  readonly password_cost?: PasswordCost;
  /** Facts stores and prices of watching; omitted: no watching. */
  readonly watch?: WatchTerms;
  /** Limits of cases; those of `CASE_TERMS` when omitted. */
  readonly cases?: CaseTerms;
  /** Limits of kept answers; those of `ANSWER_TERMS` when omitted. */
  readonly answers?: AnswerTerms;
  /** Lifetimes of the keys of assistants; an hour and 30 days when omitted. */
  readonly assistants?: AssistantTerms;
  readonly log?: Log;
}

/** The administration of the store itself is that of the actor `process`. */
export interface AccountsStore extends Omit<Administration, "watch"> {
  readonly meter: Meter;
  /** The same store, whose changes the audit trail records under this actor's name. `account`: a user or a key, within their rights. */
  as(actor: string, by?: "operator" | "account"): Administration;
  /** The audit trail, newest first: at most `limit` entries, only those before `before_seq` when given. */
  audit(page: AuditQuery): Promise<readonly AuditEntry[]>;
  /** The plans of the configuration. */
  readonly plans: Plans;
  readonly ledger: { verify(): Promise<readonly InvariantViolation[]> };
  /** The ledger of one account, newest first. @throws AssayError BAD_PAGE */
  ledgerRows(page: LedgerQuery): Promise<LedgerRows>;
  /** Users who sign in to the portal. */
  readonly sessions: Sessions;
  /** Programs to which users gave a key by signing in. */
  readonly assistants: Assistants;
  /** Paid answers that accounts keep. */
  readonly answers: KeptAnswers;
  /** Calls and their credits. */
  readonly usage: Usage;
  /** @throws AssayError when the store does not answer, or is no longer the one that was opened */
  look(): Promise<void>;
  /** Checks that the other processes with this store open read the writes of this one, and that this one reads theirs. */
  witnesses(): Promise<Witnesses>;
  /** Leases for writing the facts of a network. */
  readonly leases: Leases;
  readonly watch: WatchStore;
  /** Refunds orphaned charges: expired leases, and running charges of dead processes. @returns how many. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the accounts: migrates the schema, stores plans and card prices, refunds charges that an earlier process left
 * running, and from then on listens for other processes' changes and sweeps.
 * @throws AssayError ACCOUNTS_UNREADABLE, ACCOUNTS_UNAVAILABLE, ACCOUNTS_UNSAFE, ACCOUNTS_TOO_NEW, ACCOUNTS_BUSY, BAD_PLAN
 */
export const openAccounts = async (settings: AccountsSettings): Promise<AccountsStore> => {
  checkPlans(settings.plans);
  checkPrefix(settings.keys.prefix);
  const engine = await openEngine(settings.place);
  const { database } = engine;
  let instance: Instance | null = null;
  try {
    await prepare(engine, settings);
    const authenticator = openAuthenticator({ database, peppers: peppersOf(settings), now: settings.now });
    instance = await engine.claimInstance(() => authenticator.purge());
    const store = assemble({ database, instance, authenticator, limits: await limitsOf(settings) }, settings);
    await store.start();
    return store.opened;
  } catch (error) {
    await instance?.release();
    await database.close();
    throw error;
  }
};

const prepare = async ({ name, database }: Engine, settings: AccountsSettings): Promise<void> => {
  await migrate(database, settings.now(), readMigrations(name));
  await database.transaction(CATALOG_SCOPE, async (within) => {
    await storeCards(within, settings.tools, settings.now());
    await storePlans(within, settings.plans, recorderOf("configuration", settings.now));
  });
};

const peppersOf = ({ keys }: AccountsSettings): Peppers => ({
  current: keys.pepper ?? null,
  previous: keys.previous_peppers ?? [],
});

const limitsOf = async (settings: AccountsSettings): Promise<Limits> => {
  const monotonic = settings.monotonic ?? (() => performance.now());
  const { shared_limits } = settings;
  if (shared_limits === undefined) return openOwnLimits(monotonic);
  const { openSharedLimits } = await import("./shared_limits.ts");
  return openSharedLimits({ ...shared_limits, monotonic, log: settings.log ?? openLog("warn") });
};

const leasesOn = (database: Database, settings: AccountsSettings): Leases =>
  openLeases({
    database,
    self: thisProcess(),
    lease_ms: settings.index_lease_ms ?? INDEX_LEASE_DEFAULT_MS,
    monotonic: settings.monotonic ?? (() => performance.now()),
    now: settings.now,
    log: settings.log ?? openLog("warn"),
  });

interface OpenedAccounts {
  readonly database: Database;
  readonly instance: Instance;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
}

/** The parts with which keys are made, and changed for all parts of this process. */
const secretParts = (database: Database, settings: AccountsSettings, changed: () => void) => ({
  ...{ database, now: settings.now, changed, prefix: settings.keys.prefix, peppers: peppersOf(settings) },
  random: settings.random ?? ((count: number) => randomBytes(count)),
  newId: idsOf(settings.now, settings.random ?? pooledBytes()),
});

const assemble = ({ database, instance, authenticator, limits }: OpenedAccounts, settings: AccountsSettings) => {
  const { now, plans } = settings;
  const secrets = secretParts(database, settings, () => authenticator.purge());
  const { random, peppers, newId } = secrets;
  const lease_ms = settings.lease_ms ?? (settings.deadline_ms ?? DEADLINE_MS) + LEASE_BEYOND_DEADLINE_MS;
  const sweep_every_ms = settings.sweep_every_ms ?? SWEEP_EVERY_DEFAULT_MS;

  const owner = () => instance.name;
  const prices = openPrices(database, settings.tools);
  const ledger = openLedger({ database, prices, owner, lease_ms, now, newId });
  const sweep = () => sweepAll(ledger, instance);
  const witness = openWitness({ database, instance, now });
  const poll = listener({ database, authenticator, prices, witness });

  const listen = async () => {
    await poll();
    await instance.renew(async (name) => void (await ledger.sweepOwner(name)));
  };
  let closing: Promise<void> | null = null;
  const assistants = openAssistants({ ...secrets, terms: settings.assistants ?? ASSISTANT_TERMS });
  const answers = openKeptAnswers({ database, now, terms: settings.answers ?? ANSWER_TERMS });
  const work = { listen, sweep: () => sweep().then(assistants.sweep).then(answers.sweep), sweep_every_ms };
  const background = startable(work, settings.log ?? openLog("warn"));
  const terms = settings.watch ?? NO_TERMS;
  const watch = openWatchStore({ database, ledger, prices, owner, now, newId, random, peppers, terms });
  const case_terms = settings.cases ?? CASE_TERMS;
  const parts = { ...secrets, plans, tools: settings.tools, prices, watch, case_terms };
  const opened: AccountsStore = {
    ...administrationFor(parts, "process"),
    as: (actor, by) => administrationFor(parts, actor, by),
    meter: toMeter({ authenticator, limits, prices, ledger, database }),
    audit: (page) => listAudit(database, page),
    plans,
    ledger: { verify: () => verifyLedger(database, now() - 2 * sweep_every_ms) },
    ledgerRows: (page) => ledgerRows(database, page),
    sessions: openSessions({ database, cost: settings.password_cost, random, now, newId }),
    assistants,
    answers,
    usage: openUsage({ database, now }),
    look: async () => void (await database.revision()),
    witnesses: () => witness.ask(),
    leases: leasesOn(database, settings),
    watch,
    sweep,
    close() {
      const log = settings.log ?? openLog("warn");
      closing ??= closeAll(background.stop, { authenticator, database, instance, limits, log });
      return closing;
    },
  };

  const start = async () => {
    // This process has no running charges yet, so those under its name belong to an earlier process.
    await ledger.sweepOwner(instance.name);
    await sweep();
    await prices.current(database);
    background.start();
  };
  return { opened, start };
};

interface CloseParameters extends OpenedAccounts {
  readonly log: Log;
}

const closeAll = async (stop: () => Promise<void>, parts: CloseParameters): Promise<void> => {
  const { limits, authenticator, instance, database, log } = parts;
  await stop();
  await limits.close();
  try {
    // Times of last use are precise to a minute; closing succeeds even if the store is unavailable or was moved.
    await authenticator
      .flush()
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, "Times of last use were not written."));
  } finally {
    await instance.release();
    await database.close();
  }
};

interface StoreDependencies {
  readonly database: Database;
  readonly authenticator: Authenticator;
  readonly prices: ToolPrices;
  readonly limits: Limits;
  readonly ledger: Ledger;
}

const toMeter = ({ authenticator, limits, prices, ledger, database }: StoreDependencies): Meter => ({
  authenticate: (authorization, door) => authenticator.authenticate(authorization, door),
  admit: (caller) => limits.admit(`${caller.surface} ${caller.key_id}`, caller.limit_per_minute),
  catalog: async () => (await prices.current(database)).catalog,
  isPublic: (tool) => prices.isPublic(tool),
  standing: (caller) => ledger.standing(caller.account_id),
  charge: (request) => ledger.charge(request),
  settle: (charge_id, outcome, reason) => ledger.settle(charge_id, outcome, reason),
  retract: (charge_id, reason) => ledger.retract(charge_id, reason),
});

const checkPrefix = (prefix: string): void => {
  if (/^[0-9A-Za-z_-]{1,32}$/.test(prefix)) return;
  throw new AssayError({
    code: "BAD_PREFIX",
    message: `The key prefix '${prefix}' must be 1 to 32 letters, digits, _ or -.`,
  });
};
