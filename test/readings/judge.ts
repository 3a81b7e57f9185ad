/** The rules of ../shared/data/readings/judge.mjs: how well a headline describes a transaction. */
import type { Headline } from "../../src/domain/transaction/headline/types.ts";
import { type Hex, hex } from "../../src/lib/bytes.ts";

interface Item {
  readonly asset: string;
  readonly amount_raw: string;
  readonly token_id?: string;
  readonly approx?: boolean;
}

interface Leg {
  readonly kind: string;
  readonly gave: readonly Item[];
  readonly got: readonly Item[];
}

export interface ExpectedReading {
  readonly network: string;
  readonly tx: string;
  readonly kind: string;
  readonly actor: string;
  readonly category: string;
  readonly category_also: readonly string[];
  readonly protocol: {
    readonly name: string;
    readonly version: string | null;
    readonly also?: readonly string[];
  } | null;
  readonly headline: { readonly gave: readonly Item[]; readonly got: readonly Item[]; readonly fee?: readonly Item[] };
  readonly legs: readonly Leg[] | null;
}

/** Words of a type that name a kind. */
const TYPES: Readonly<Record<string, RegExp>> = {
  swap: /swap|trade|exchange/,
  bridge_out: /bridge(?!_in|_rec)/,
  bridge_in: /bridge(?!_out|_send)/,
  lp_add: /add_liquidity|increase_liquidity|supply|deposit|(?<!un)stake/,
  lp_remove: /remove_liquidity|decrease_liquidity|withdraw|unstake|exit/,
  supply: /supply|deposit|(?<!un)stake|lend/,
  vault_deposit: /supply|deposit|(?<!un)stake|lend/,
  stake: /(?<!un)stake|(?<!un)lock|deposit|supply|(?<!un)wrap/,
  deposit: /deposit|supply|(?<!un)stake|add_liquidity|(?<!un)lock|mint/,
  withdraw: /withdraw|unstake|remove_liquidity|redeem|unlock/,
  vault_withdraw: /withdraw|unstake|redeem/,
  unstake: /unstake|withdraw|unlock|redeem|unwrap/,
  wrap: /^wrap|deposit/,
  unwrap: /^unwrap|withdraw/,
  borrow: /borrow/,
  repay: /repay/,
  liquidation: /liquidat/,
  claim: /claim|reward|collect|harvest|airdrop/,
  airdrop: /claim|airdrop|reward/,
  donate: /donat|contribut|grant/,
  governance: /vote|propos|delegate|governance|queue|execute|cancel/,
  migrate: /migrat|swap|upgrade|convert/,
  name: /name|regist|renew|record|(^|_)text|resolver|(^|_)ens/,
  multisig: /multisig|owner|safe|threshold|upgrade|module/,
  user_operation: /user_operation/,
  transfer: /transfer|send|pay|purchase/,
  order: /order|swap|deposit|position/,
  delegate_stake: /delegat|(?<!un)stake/,
  deploy: /deploy|create/,
  attest: /attest/,
  follow: /follow|list/,
  queue_withdraw: /withdraw|unstake|queue|unlock|cooldown|undelegate/,
  stream: /stream|flow/,
  register: /regist|appl|creat|profile|recipient/,
  subscribe: /subscri|setting|automat/,
};

const GETS_RECEIPT = ["supply", "vault_deposit", "stake", "deposit", "lp_add"];
const GIVES_RECEIPT = ["withdraw", "vault_withdraw", "unstake", "lp_remove"];

type AmountSum = ReadonlyMap<string, bigint>;

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

const sumOf = (items: readonly (readonly [string, bigint])[]): AmountSum => {
  const sum = new Map<string, bigint>();
  for (const [key, amount] of items) sum.set(key, (sum.get(key) ?? 0n) + amount);
  return sum;
};

const keyOf = ({ asset, token_id }: Item): string =>
  (asset === "native" ? "native" : asset.toLowerCase()) + (token_id === undefined ? "" : `/${token_id}`);

const expectedSum = (items: readonly Item[]): AmountSum =>
  sumOf(items.map((item) => [keyOf(item), BigInt(item.amount_raw)]));

const headlineSum = (sides: Headline["given"]): AmountSum =>
  sumOf(
    sides.map(({ token, token_id, amount }) => [
      (token === "" ? "native" : `0x${token}`) + (token_id === null ? "" : `/${token_id}`),
      amount,
    ]),
  );

const isSame = (want: AmountSum, have: AmountSum, approx: ReadonlySet<string>): boolean =>
  want.size === have.size &&
  [...want].every(([key, amount]) => {
    const found = have.get(key);
    if (found === undefined) return false;
    const apart = found > amount ? found - amount : amount - found;
    return apart === 0n || (approx.has(key) && apart * 100n <= amount);
  });

const variantsOf = ({ kind, headline, legs }: ExpectedReading): readonly (readonly [AmountSum, AmountSum])[] => {
  const { gave, got, fee = [] } = headline;
  const all = legs ?? [];
  const real = all.filter((leg) => leg.kind !== "debt_token");
  return (fee.length > 0 ? [[], fee] : [[]]).flatMap((paid) =>
    [[], real, all].flatMap((shown): readonly (readonly [AmountSum, AmountSum])[] => {
      const out = expectedSum([...gave, ...paid, ...shown.flatMap((leg) => leg.gave)]);
      const into = expectedSum([...got, ...shown.flatMap((leg) => leg.got)]);
      return [
        [out, into],
        ...(GETS_RECEIPT.includes(kind) && out.size > 0 ? [[out, new Map()] as const] : []),
        ...(GIVES_RECEIPT.includes(kind) && into.size > 0 ? [[new Map(), into] as const] : []),
      ];
    }),
  );
};

export interface ReadingVerdict {
  readonly verdict: "right" | "partly" | "silent" | "wrong";
  /** Expectations that did not hold. */
  readonly missing: readonly string[];
}

const nameFits = ({ protocol }: ExpectedReading, headline: Headline): boolean => {
  if (protocol === null) return true;
  const name = plain(headline.protocol === null ? "" : `${headline.protocol.name} ${headline.protocol.version ?? ""}`);
  const is_named = [protocol.name, ...(protocol.also ?? [])].some((one) => name.includes(plain(one)));
  return is_named && (protocol.version === null || name.includes(plain(protocol.version)));
};

/** The account through which a user acted is not the act itself. */
const ENVELOPES: readonly string[] = ["multisig_exec", "user_operation"];
const ENVELOPE_KINDS = ["multisig", "user_operation"];

/** Null headline: the reading is empty. */
export const judge = (expected: ExpectedReading, headline: Headline | null): ReadingVerdict => {
  const is_envelope = headline !== null && ENVELOPES.includes(headline.type) && !ENVELOPE_KINDS.includes(expected.kind);
  if (headline === null || is_envelope) return { verdict: "silent", missing: [] };
  if (TYPES[expected.kind]?.test(headline.type) !== true) return { verdict: "wrong", missing: [headline.type] };
  const { gave, got } = expected.headline;
  const approx = new Set([...gave, ...got].filter((item) => item.approx === true).map(keyOf));
  const variants = variantsOf(expected);
  const actor: Hex = hex(expected.actor.slice(2).toLowerCase());
  const is_still = gave.length + got.length + (expected.headline.fee?.length ?? 0) === 0;
  const missing = [
    ...([expected.category, ...expected.category_also].includes(headline.category) ? [] : ["category"]),
    ...(headline.actor === actor ? [] : ["actor"]),
    ...(is_still ||
    variants.some(
      ([out, into]) =>
        isSame(out, headlineSum(headline.given), approx) && isSame(into, headlineSum(headline.received), approx),
    )
      ? []
      : ["amounts"]),
    ...(nameFits(expected, headline) ? [] : ["protocol"]),
  ];
  return { verdict: missing.length === 0 ? "right" : "partly", missing };
};
