import { checksOf } from "../../../../src/charts/token_checks.ts";
import { worded } from "../../../../src/charts/words.ts";
import { fieldsOf, type JsonObject, textOf } from "../../api/answer.ts";
import { at, numberAt, reasonAt, rowsAt, textsAt } from "../../sheet/read.ts";
import { percentText } from "../../ui/format.ts";
import { capital, type HeadFacts, type RowAnswer, type SummaryPlan, type SummaryText, type Verdict } from "./model.ts";

const INFO = "get_token_info";
const TRAITS = "get_token_risk_traits";

/** Alerts that limit a successful sale. */
const LIMITS_A_SALE = /^(sells_|sales_|stops_selling|one_sale|purchases_|external_judge)/;

const saleNotes = (body: JsonObject): readonly string[] => {
  const simulation = fieldsOf(at(body, "risk_overview.simulation"));
  const alerts = rowsAt(body, "alerts").filter(({ code }) => LIMITS_A_SALE.test(String(code)));
  const { holders_tested: tested, holders_failed: failed } = simulation;
  const is_stuck = typeof tested === "number" && typeof failed === "number" && failed > 0;
  return [
    ...alerts.map(({ description }) => textOf(description) ?? ""),
    ...(is_stuck ? [`${failed} of ${tested} tested holders could not move their tokens.`] : []),
  ];
};

/** A result that decides the sale alone. */
const BARS: readonly (readonly [flag: string, text: string])[] = [
  ["is_honeypot", "No. It can be bought, but not sold"],
  ["cannot_buy", "No. It cannot even be bought"],
  ["cannot_sell_all", "Only in part. A whole balance cannot be sold"],
  ["non_transferable", "No. It cannot be transferred"],
];

const canBeSold = (body: JsonObject): RowAnswer => {
  const notes = saleNotes(body);
  const bar = BARS.find(([flag]) => at(body, `security_flags.${flag}`) === true);
  if (bar !== undefined) return { parts: [bar[1]], tone: "bad", notes };
  const simulation = fieldsOf(at(body, "risk_overview.simulation"));
  const { status, block_number } = simulation;
  const [plain, contract] = ["eoa_buyer", "contract_buyer"].map((buyer) => at(simulation, `${buyer}.can_sell`));
  if (plain === false) return { parts: ["No. A simulated sale failed"], tone: "bad", notes };
  if (plain === true) {
    const part: SummaryText = { kind: "count", value: block_number };
    const more = contract === false ? ["A contract that buys it cannot sell it."] : [];
    const tone = notes.length + more.length > 0 ? "warn" : "good";
    return { parts: ["Yes. A simulated sale succeeded at block ", part], tone, notes: [...notes, ...more] };
  }
  const { holders_tested: tested, holders_failed: failed } = simulation;
  if (status === "transfers" && typeof tested === "number" && typeof failed === "number") {
    const text = `No sale was simulated. Simulated transfers of ${tested - failed} of ${tested} holders succeeded`;
    return { parts: [text], tone: failed > 0 ? "bad" : "unknown", notes };
  }
  const why = typeof status === "string" ? worded(status) : "the answer gives no reason";
  return { parts: [`Unknown: ${why}`], tone: "unknown", notes };
};

const TAXES = [
  ["purchases", "taxes.buy_tax_percent"],
  ["sales", "taxes.sell_tax_percent"],
  ["transfers", "taxes.transfer_tax_percent"],
] as const;

const taxes = (body: JsonObject): RowAnswer => {
  const rates = TAXES.map(([of, path]) => ({ of, rate: numberAt(body, path), reason: reasonAt(body, path) }));
  const known = rates.filter(({ rate }) => rate !== null);
  const open = rates.filter(({ rate }) => rate === null);
  const is_taxed = known.some(({ rate }) => rate !== 0);
  const can_change = at(body, "security_flags.tax_modifiable") === true;
  const reason = open.find((one) => one.reason !== null)?.reason ?? "it could not be measured";
  const notes = [
    ...(can_change ? ["An account can change the tax."] : []),
    ...(open.length > 0 ? [`Unknown on ${open.map(({ of }) => of).join(" and ")}: ${reason}.`] : []),
  ];
  if (known.length === 0) return { parts: ["Unknown"], tone: "unknown", notes };
  const listed = known.map(({ of, rate }) => `${percentText(rate ?? 0)} on ${of}`).join(", ");
  const tone = is_taxed || can_change ? "warn" : open.length > 0 ? "unknown" : "good";
  return { parts: [is_taxed || open.length > 0 ? listed : "None on purchases, sales and transfers"], tone, notes };
};

/** Checks about what an account may still do to the holders. */
const POWER_FLAGS: ReadonlySet<string> = new Set([
  ...["is_mintable", "transfer_pausable", "has_blacklist", "owner_can_change_balance", "is_upgradeable"],
  ...["hidden_owner", "can_take_back_ownership", "per_wallet_tax", "tax_modifiable", "has_whitelist"],
  ...["anti_whale_modifiable", "has_selfdestruct", "mint_authority", "freeze_authority", "permanent_delegate"],
  ...["transfer_hook", "pausable", "balance_mutable_authority", "default_account_state_frozen", "closable"],
]);

const powers = (body: JsonObject): RowAnswer => {
  const checks = checksOf(body).filter(({ flag }) => POWER_FLAGS.has(flag));
  const of = (verdict: string) => checks.filter((check) => check.verdict === verdict).map(({ name }) => name);
  const [found, open] = [of("failed"), of("unknown")];
  const owner = textOf(at(body, "ownership.owner_type"));
  const notes = [
    ...(open.length > 0 ? [`Not known: ${open.join(", ")}.`] : []),
    ...(owner === null ? [] : [`Owner: ${worded(owner)}.`]),
  ];
  if (found.length > 0) return { parts: [capital(found.join(", "))], tone: "warn", notes };
  if (open.length > 0) return { parts: ["None was found"], tone: "unknown", notes };
  return { parts: ["None: no account can mint, stop transfers or change balances"], tone: "good", notes };
};

const liquidity = (body: JsonObject): RowAnswer => {
  const total = numberAt(body, "liquidity.total_usd");
  const reason = reasonAt(body, "liquidity.total_usd");
  if (total === 0) return { parts: ["None: no pool trades it"], tone: "bad", notes: [] };
  const [deepest] = rowsAt(body, "liquidity.pools");
  const shares = ["lp_locked_percent", "lp_burned_percent"].map((path) => numberAt(deepest ?? {}, path));
  const [locked = null, burned = null] = shares;
  const notes =
    locked === null || burned === null
      ? ["How much of it is locked is not known, or its pools have no shares."]
      : [`Of the deepest pool's shares ${percentText(locked)} are locked and ${percentText(burned)} burned.`];
  const value: SummaryText = { kind: "usd", value: total, reason };
  return { parts: [value, " in all pools"], tone: total === null ? "unknown" : "plain", notes };
};

const holders = (body: JsonObject): RowAnswer => {
  const shares: readonly (readonly [string, string])[] = [
    ["the ten largest have ", "ownership.top10_percent_adjusted"],
    ["its creator has ", "ownership.creator_percent"],
  ];
  const parts = shares.flatMap(([words, path]): readonly SummaryText[] => [
    ", ",
    words,
    { kind: "percent", value: numberAt(body, path), reason: reasonAt(body, path) },
  ]);
  const count: SummaryText = { kind: "count", value: at(body, "ownership.holder_count") };
  const notes = ["Pools, lockers, exchanges and bridges are not counted among the ten."];
  return { parts: [count, " holders", ...parts], tone: "plain", notes };
};

const LEVEL_TONES: Readonly<Record<string, Verdict["tone"]>> = {
  low: "good",
  medium: "warn",
  high: "bad",
  critical: "bad",
};

const verdictOf = (info: JsonObject | null, traits: JsonObject | null): Verdict | null => {
  const copied = textOf(at(info, "impersonates.canonical_address"));
  if (copied !== null) return { tone: "bad", text: "Copy of another token", reason: `The original is ${copied}.` };
  const level = textOf(at(traits, "risk_overview.risk_level"));
  if (traits === null || level === null) return null;
  const sale = canBeSold(traits);
  if (sale.tone === "bad")
    return { tone: "bad", text: `${capital(level)} risk`, reason: `${String(sale.parts[0]).replace(/^No\. /, "")}.` };
  const [reason = null] = textsAt(traits, "risk_overview.detector_descriptions");
  const text = level === "unknown" ? "Risk unknown" : `${capital(level)} risk`;
  return { tone: LEVEL_TONES[level] ?? "unknown", text, reason };
};

const head = (read: (tool: string) => JsonObject | null): HeadFacts => {
  const [info, traits] = [read(INFO), read(TRAITS)];
  const price = info === null ? null : numberAt(info, "price_usd");
  const reason = info === null ? null : reasonAt(info, "price_usd");
  return {
    name: textOf(at(info, "name")),
    symbol: textOf(at(info, "symbol")),
    kind: null,
    figure: info === null ? null : { title: "Price", usd: price, reason, note: null },
    verdict: verdictOf(info, traits),
  };
};

const identity = (body: JsonObject): RowAnswer => {
  const copied = textOf(at(body, "impersonates.canonical_address"));
  const listed = textsAt(body, "lists");
  const signs = textsAt(body, "name_flags").map((flag) => `Its name: ${worded(flag)}.`);
  if (copied !== null) {
    const parts: readonly SummaryText[] = ["No. It copies ", { kind: "token", value: copied }];
    return { parts, tone: "bad", notes: [capital(textOf(at(body, "impersonates.reason")) ?? ""), ...signs] };
  }
  const created: SummaryText = { kind: "time", value: at(body, "created_at"), reason: reasonAt(body, "created_at") };
  const known = listed.length > 0 ? `Named by ${listed.join(", ")}` : "No imported token list names it";
  return { parts: [known, ", created ", created], tone: signs.length > 0 ? "warn" : "plain", notes: signs };
};

export const TOKEN_SUMMARY: SummaryPlan = {
  tools: [TRAITS, INFO],
  rows: [
    { question: "Can it be sold?", tool: TRAITS, read: canBeSold },
    { question: "Taxes", tool: TRAITS, read: taxes },
    { question: "Powers over holders", tool: TRAITS, read: powers },
    { question: "Liquidity", tool: TRAITS, read: liquidity },
    { question: "Holders", tool: TRAITS, read: holders },
    { question: "Is it the real one?", tool: INFO, read: identity },
  ],
  head,
};
