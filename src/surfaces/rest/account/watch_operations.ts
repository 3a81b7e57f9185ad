import type * as z from "zod";
import { z as zod } from "zod";
import { actorOf } from "../../../accounts/roles.ts";
import type { WatchedEvent } from "../../../accounts/watch/events.ts";
import type { WatchStore } from "../../../accounts/watch/open.ts";
import type { RuleDefinition, WatchRule, WatchRules } from "../../../accounts/watch/rules.ts";
import type { Chain } from "../../../chains/chain.ts";
import { hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { readTransferSubject, transferSubject } from "../../../lib/transfer_subject.ts";
import { definer } from "../../operations/operation.ts";
import type { AccountContext } from "./operations.ts";
import * as shapes from "./watch_shapes.ts";

/** Watching, as the operator allows it to accounts. */
export interface WatchContext {
  readonly book: WatchStore;
  readonly chains: readonly Chain[];
  /** Words of labels. */
  readonly categories: readonly string[];
  /** False: nothing is sent, and a rule names no url. */
  readonly webhooks: boolean;
  /** Origins that may be local, or plain http. */
  readonly local_origins: readonly string[];
  /** Why the text of a URL alone forbids sending to it, as a sentence's second half; null when it does not. */
  readonly refusalOfUrl: (url: string) => string | null;
  readonly streams_per_account: number;
  /** The text of a test event. */
  readonly testBody: (rule: WatchRule, made: { readonly id: string; readonly at_ms: number }) => string;
}

const define = definer<AccountContext>();

export const READ = "watch:read";
export const MANAGE = "watch:manage";

const refuse = (code: string, message: string): AssayError => new AssayError({ code, message, public: message });

/** @throws AssayError WATCH_OFF, NOT_ALLOWED */
export const watchOf = ({ watch, caller }: AccountContext, scope: typeof READ | typeof MANAGE): WatchContext => {
  if (watch === null)
    throw refuse("WATCH_OFF", "Watch rules are disabled on this service. The operator can enable them.");
  const held = [scope, MANAGE].some((one) => caller.scopes.includes(one));
  if (!held) throw refuse("NOT_ALLOWED", `This requires a key with the scope ${scope}, or a role with that right.`);
  return watch;
};

const rulesOf = (desk: AccountContext): WatchRules => watchOf(desk, MANAGE).book.rules(actorOf(desk.caller.key_id));

const MICROS = 1e6;

const NATIVE = "native";

/** As stored where its network is not served here. */
const shownSubject = (
  { subject_kind, subject }: Pick<WatchRule, "subject_kind" | "subject">,
  chain: Chain | undefined,
): string => {
  if (chain === undefined) return subject;
  if (subject_kind !== "screening") return chain.formatAddress(hex(subject));
  const { tx_hash, asset, direction, method } = readTransferSubject(subject);
  return [chain.formatHash(tx_hash), asset === "" ? NATIVE : chain.formatAddress(asset), direction, method].join(" ");
};

/** A rule as it is shown. */
export const ruleOutput = (
  { min_usd_micros, events, categories, ...rule }: WatchRule,
  chains: readonly Chain[],
): z.input<typeof shapes.rule> => ({
  ...rule,
  subject: shownSubject(
    rule,
    chains.find(({ network }) => network.id === rule.network),
  ),
  events: [...events],
  categories: [...categories],
  min_usd: min_usd_micros === null ? null : min_usd_micros / MICROS,
});

const eventOutput = ({ body, ...event }: WatchedEvent): z.input<typeof shapes.event> => ({
  ...event,
  event: JSON.parse(body),
});

type NewRule = z.output<typeof shapes.newRule>;

/** @throws AssayError BAD_RULE */
const subjectOf = ({ address, token }: NewRule, chain: Chain): Pick<RuleDefinition, "subject_kind" | "subject"> => {
  const subject = chain.parseAddress(address ?? token ?? "");
  if (subject === null) throw refuse("BAD_RULE", `The address is not valid on ${chain.network.name}.`);
  return { subject_kind: address === undefined ? "token" : "address", subject };
};

/** A screening has one kind of event: its verdict changes. @throws AssayError BAD_RULE */
const screeningOf = (
  { tx_hash, asset, direction, method }: NonNullable<NewRule["transfer"]>,
  chain: Chain,
): Pick<RuleDefinition, "subject_kind" | "subject" | "events" | "direction"> => {
  const hash = chain.parseHash(tx_hash);
  if (hash === null) throw refuse("BAD_RULE", `The hash is not valid on ${chain.network.name}.`);
  const token = asset === NATIVE ? hex("") : chain.parseAddress(asset);
  if (token === null) throw refuse("BAD_RULE", `The asset is neither native nor a token of ${chain.network.name}.`);
  const subject = transferSubject({ tx_hash: hash, asset: token, direction, method });
  return { subject_kind: "screening", subject, events: ["risk"], direction };
};

/** @throws AssayError BAD_RULE */
const ruleDefinition = (input: NewRule, watch: WatchContext): RuleDefinition => {
  const { address, token, transfer, min_usd, ...rest } = input;
  const chain = watch.chains.find(({ network }) => network.id === input.network);
  const known = watch.chains.map(({ network }) => network.id).join(", ");
  if (chain === undefined) throw refuse("BAD_RULE", `Unknown network. Available networks: ${known}.`);
  if ([address, token, transfer].filter((one) => one !== undefined).length !== 1)
    throw refuse("BAD_RULE", "Set either address, token or transfer.");
  const watched = transfer === undefined ? subjectOf(input, chain) : screeningOf(transfer, chain);
  const stranger = input.categories.find((one) => !watch.categories.includes(one));
  if (stranger !== undefined)
    throw refuse("BAD_RULE", `Unknown label category. Available categories: ${watch.categories.join(", ")}.`);
  return {
    ...rest,
    events: [...new Set(input.events)],
    ...watched,
    categories: [...new Set(input.categories)],
    min_usd_micros: min_usd === null ? null : Math.round(min_usd * MICROS),
    url: input.url === null ? null : urlOf(input.url, watch),
  };
};

/** Rejects URLs that can never be sent to. Where a URL leads is checked before each delivery. */
const urlOf = (text: string, { webhooks, local_origins, refusalOfUrl }: WatchContext): string => {
  if (!webhooks) throw refuse("BAD_RULE", "Webhooks are disabled on this service. Omit url and read the stream.");
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username + url.password !== "")
    throw refuse("BAD_RULE", "url must be an address without a username or password.");
  if (local_origins.includes(url.origin)) return url.href;
  if (url.protocol !== "https:") throw refuse("BAD_RULE", "url must be https: events are never sent unencrypted.");
  const refusal = refusalOfUrl(url.href);
  if (refusal !== null) throw refuse("BAD_RULE", `url can never be sent to: ${refusal}.`);
  return url.href;
};

const named = zod.strictObject({ rule_id: shapes.rule_id });

/** On a network that is read on demand the address is followed for its rule. @throws AssayError SUBJECT_LIMIT: no rule is made then */
const followFor = async (
  { followed, caller }: AccountContext,
  { network, address }: { readonly network: string; readonly address?: string | undefined },
): Promise<void> => {
  if (address === undefined || followed?.networks().includes(network) !== true) return;
  await followed.follow({ account_id: caller.account_id, network, addresses: [address] });
};

/** Every operation on watch rules by its id. */
export const watchOperations = {
  create_watch_rule: define({
    method: "POST",
    path: "/api/watch/rules",
    summary: `Watch an address or a token; requires the scope ${MANAGE}.`,
    input: shapes.newRule,
    output: shapes.ruleWithSecret,
    async run(desk, input) {
      const watch = watchOf(desk, MANAGE);
      const definition = ruleDefinition(input, watch);
      await followFor(desk, input);
      const { secret, ...rule } = await rulesOf(desk).create(desk.caller, definition);
      return { ...ruleOutput(rule, watch.chains), secret };
    },
  }),
  list_watch_rules: define({
    method: "GET",
    path: "/api/watch/rules",
    summary: "List the account's watch rules, oldest first, without removed ones, and the number of its stored events.",
    input: zod.strictObject({}),
    output: zod.strictObject({ rules: zod.array(shapes.rule), standing: shapes.quota }),
    async run(desk) {
      const { book, chains } = watchOf(desk, READ);
      const { account_id } = desk.caller;
      const [rules, standing] = await Promise.all([book.rules("").list(account_id), book.events.standing(account_id)]);
      return { rules: rules.map((rule) => ruleOutput(rule, chains)), standing };
    },
  }),
  show_watch_rule: define({
    method: "GET",
    path: "/api/watch/rules/{rule_id}",
    summary: "Get a watch rule.",
    input: named,
    output: shapes.rule,
    async run(desk, input) {
      const { book, chains } = watchOf(desk, READ);
      return ruleOutput(await book.rules("").show(desk.caller.account_id, input.rule_id), chains);
    },
  }),
  pause_watch_rule: define({
    method: "POST",
    path: "/api/watch/rules/{rule_id}/pause",
    summary: "Pause a rule: it neither matches nor sends.",
    input: named,
    output: shapes.rule,
    run: (desk, input) => setPaused(desk, input.rule_id, true),
  }),
  resume_watch_rule: define({
    method: "POST",
    path: "/api/watch/rules/{rule_id}/resume",
    summary: "Resume a paused rule from the newest block.",
    input: named,
    output: shapes.rule,
    run: (desk, input) => setPaused(desk, input.rule_id, false),
  }),
  remove_watch_rule: define({
    method: "POST",
    path: "/api/watch/rules/{rule_id}/remove",
    summary: "Remove a rule. Its events stay listed.",
    input: named,
    output: shapes.rule,
    async run(desk, input) {
      const { chains } = watchOf(desk, MANAGE);
      return ruleOutput(await rulesOf(desk).remove(desk.caller.account_id, input.rule_id), chains);
    },
  }),
  rotate_watch_secret: define({
    method: "POST",
    path: "/api/watch/rules/{rule_id}/rotate",
    summary:
      "Replace the secret of a rule's webhooks. Deliveries carry both signatures until the old secret's grace period ends.",
    input: zod.strictObject({
      rule_id: shapes.rule_id,
      grace_seconds: zod.int().min(0).max(2_592_000).default(86_400),
    }),
    output: shapes.ruleWithSecret,
    async run(desk, input) {
      const { chains } = watchOf(desk, MANAGE);
      const { account_id } = desk.caller;
      const { secret, ...rule } = await rulesOf(desk).rotate(account_id, input.rule_id, input.grace_seconds);
      return { ...ruleOutput(rule, chains), secret };
    },
  }),
  test_watch_rule: define({
    method: "POST",
    path: "/api/watch/rules/{rule_id}/test",
    summary: "Stream and send a test event of the rule, free of charge.",
    input: named,
    output: shapes.event,
    async run(desk, input) {
      const { book, testBody } = watchOf(desk, MANAGE);
      const rule = await book.rules("").show(desk.caller.account_id, input.rule_id);
      const made = { id: book.newId("event"), at_ms: Date.now() };
      return eventOutput(await book.events.test(rule, { id: made.id, body: testBody(rule, made) }));
    },
  }),
  list_watch_events: define({
    method: "GET",
    path: "/api/watch/history",
    summary: "List the account's events, newest first, with the state of their delivery.",
    input: zod.strictObject(shapes.eventsQuery),
    output: shapes.events,
    run: (desk, input) => listEvents(desk, input, false),
  }),
  list_dead_letters: define({
    method: "GET",
    path: "/api/watch/dead_letters",
    summary: "List undelivered and unpaid events, newest first.",
    input: zod.strictObject(shapes.eventsQuery),
    output: shapes.events,
    run: (desk, input) => listEvents(desk, input, true),
  }),
  replay_watch_event: define({
    method: "POST",
    path: "/api/watch/history/{event_id}/replay",
    summary: "Send an event again under the same id, or pay for an unpaid one.",
    input: zod.strictObject({ event_id: shapes.event_id }),
    output: shapes.event,
    async run(desk, input) {
      const { book } = watchOf(desk, MANAGE);
      return eventOutput(await book.events.replay(desk.caller.account_id, input.event_id));
    },
  }),
} as const;

const setPaused = async (desk: AccountContext, rule_id: string, is_paused: boolean) => {
  const { chains } = watchOf(desk, MANAGE);
  return ruleOutput(await rulesOf(desk).setPaused(desk.caller.account_id, rule_id, is_paused), chains);
};

interface EventsRequest {
  readonly rule_id?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const listEvents = async (desk: AccountContext, { rule_id, before, limit }: EventsRequest, is_dead: boolean) => {
  const { book } = watchOf(desk, READ);
  const { account_id } = desk.caller;
  const page = { account_id, rule_id: rule_id ?? null, before: before ?? null, limit, is_dead };
  return { events: (await book.events.list(page)).map(eventOutput) };
};
