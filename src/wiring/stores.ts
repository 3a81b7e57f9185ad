/** Opens the two stores of a configuration. */
import { join } from "node:path";
import type { AccountsLocation } from "../accounts/engine.ts";
import { type AccountsStore, openAccounts } from "../accounts/open.ts";
import { WATCH_EVENT } from "../accounts/watch/pay.ts";
import type { Settings } from "../config/settings.ts";
import { type Log, Secret } from "../lib/log.ts";
import { makePrivateFolder } from "../lib/private_folder.ts";
import { type FactsStore, openFacts } from "../store/open.ts";
import { CREDITS } from "../tools/credits.gen.ts";

/** The SQLite file of the accounts. */
export const accountsFile = (data_dir: string): string => join(data_dir, "accounts.db");

/** Location of a configuration's accounts. */
const accountsLocation = ({ accounts }: Settings, data_dir: string): AccountsLocation =>
  accounts.engine === "embedded"
    ? { engine: "sqlite", path: accountsFile(data_dir) }
    : { engine: "postgres", url: new Secret(accounts.url), connections: accounts.connections };

/** The accounts in an existing folder. */
export const openAccountsIn = (data_dir: string, settings: Settings, log: Log): Promise<AccountsStore> => {
  const { prefix, pepper, previous_peppers } = settings.keys;
  const { redis_url, instances } = settings.rate_limit;
  const previous = previous_peppers.map((text) => new Secret(text));
  const is_priced = settings.watch.enabled && settings.watch.credits > 0;
  return openAccounts({
    place: accountsLocation(settings, data_dir),
    plans: settings.plans,
    keys: { prefix, previous_peppers: previous, ...(pepper === undefined ? {} : { pepper: new Secret(pepper) }) },
    // Events are priced like tools, from the same list.
    tools: is_priced ? [...CREDITS, { name: WATCH_EVENT, credits: settings.watch.credits }] : CREDITS,
    watch: { rules_per_account: settings.watch.rules_per_account, is_priced, hold: holdOf(settings.watch) },
    cases: caseTerms(settings.cases),
    answers: answerTerms(settings.answers),
    assistants: termsOf(settings.sign_in),
    now: Date.now,
    deadline_ms: settings.call_timeout_ms,
    index_lease_ms: settings.index_lease_ms,
    ...(redis_url === null ? {} : { shared_limits: { redis_url: new Secret(redis_url), instances } }),
    log,
  });
};

const DAY_S = 86_400;

const termsOf = ({ assistants }: Settings["sign_in"]) => ({
  ...{ access_s: assistants.access_seconds, refresh_s: assistants.refresh_days * DAY_S },
});

const BYTES_OF_MB = 1_048_576;

const holdOf = ({ events_per_account, megabytes_per_account }: Settings["watch"]) => ({
  ...{ events: events_per_account, bytes: megabytes_per_account * BYTES_OF_MB },
});

const caseTerms = ({ cases_per_account, megabytes_per_account }: Settings["cases"]) => ({
  ...{ cases_per_account, bytes_per_account: megabytes_per_account * BYTES_OF_MB },
});

const answerTerms = ({ days, answers_per_account, megabytes_per_account }: Settings["answers"]) => ({
  ...{ days, answers_per_account, bytes_per_account: megabytes_per_account * BYTES_OF_MB },
});

/** Only the accounts, for commands that work while the service runs. */
export const openAccountsOnly = (settings: Settings, data_dir: string, log: Log): Promise<AccountsStore> => {
  makePrivateFolder(data_dir);
  return openAccountsIn(data_dir, settings, log);
};

/** Only the facts. Joins the engine of a running service, or starts one. */
export const openFactsOnly = (settings: Settings, data_dir: string): Promise<FactsStore> => {
  makePrivateFolder(data_dir);
  return openFacts(
    settings.facts.engine === "embedded" ? { engine: "embedded", data_dir: join(data_dir, "facts") } : settings.facts,
    { standing_bytes_max: settings.standing_facts_bytes_max, recent_bytes_max: settings.recent_answers_bytes_max },
  );
};
