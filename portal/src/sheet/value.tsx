import type { ComponentChildren } from "preact";
import { worded } from "../../../src/charts/words.ts";
import { fieldsOf, type JsonObject } from "../api/answer.ts";
import { type EntityKind, pageAddress, shortId } from "../entity/page_address.ts";
import { amountText, countText, percentText, timeText, usdText, wordsOf } from "../ui/format.ts";
import { Strange } from "../ui/strange.tsx";
import type { DisplayKind } from "./kinds.ts";

export interface ValueProps {
  readonly kind: DisplayKind;
  readonly value: unknown;
  /** Where addresses of this row live; null where the row does not say, and then nothing is a link. */
  readonly network: string | null;
  /** Why the value is null, when the answer says so. */
  readonly reason: string | null;
  /** Null says that there is none. */
  readonly is_optional?: boolean;
  /** The exact integer beside a number that was divided. */
  readonly exact?: string | null;
}

/** Reasons of values that are known but shown elsewhere, or do not apply to the row. */
const KNOWN_REASONS: readonly (readonly [RegExp, string])[] = [
  [/^counted on the first listed row/, "counted on first row"],
  [/paid no fee$/, "not paid by it"],
];

/** Shows an unknown value as unknown, never as zero, with its reason. */
const Unknown = ({ reason }: { readonly reason: string | null }) => {
  const known = KNOWN_REASONS.find(([told]) => reason !== null && told.test(reason))?.[1];
  return (
    <span class={known === undefined ? "unknown" : "none"} title={reason ?? "The service does not say why"}>
      {known ?? "unknown"}
    </span>
  );
};

/** Nothing is there: looked for and not found, such as a label of an address that has none. */
const None = () => <span class="none">none</span>;

const LINKED: Readonly<Partial<Record<DisplayKind, EntityKind>>> = {
  address: "wallet",
  token: "token",
  contract: "contract",
  transaction: "transaction",
};

const isIdentifier = (text: string): boolean =>
  /^(0x[0-9a-f]{40}|0x[0-9a-f]{64}|[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{32,90})$/i.test(text);

const Id = ({
  kind,
  text,
  network,
}: {
  readonly kind: EntityKind;
  readonly text: string;
  readonly network: string | null;
}) => {
  if (!isIdentifier(text)) return <Strange text={text} is_marked={false} />;
  const shown = <span class="mono">{shortId(text)}</span>;
  if (network === null) return <span title={text}>{shown}</span>;
  return (
    <a href={pageAddress({ kind, network, id: text })} title={text}>
      {shown}
    </a>
  );
};

const EVIDENCE_MAX = 3;

const Evidence = ({ list, network }: { readonly list: readonly unknown[]; readonly network: string | null }) => {
  if (list.length === 0) return <None />;
  return (
    <span class="evidence">
      {list.slice(0, EVIDENCE_MAX).map((one) => {
        const { kind, ref } = fieldsOf(one);
        const text = String(ref ?? "");
        return kind === "tx" ? (
          <Id key={text} kind="transaction" text={text} network={network} />
        ) : (
          <Strange key={text} text={text} width={48} is_marked={false} />
        );
      })}
      {list.length > EVIDENCE_MAX ? <span class="quiet">and {list.length - EVIDENCE_MAX} more</span> : null}
    </span>
  );
};

const NUMBERS: Readonly<Partial<Record<DisplayKind, (value: number) => string>>> = {
  usd: usdText,
  percent: percentText,
  amount: amountText,
  count: countText,
};

const NumberValue = ({
  kind,
  value,
  exact,
}: {
  readonly kind: DisplayKind;
  readonly value: number;
  readonly exact: string | null;
}) => {
  const text = (NUMBERS[kind] ?? countText)(value);
  const whole = exact === null ? String(value) : `${value} (exactly ${exact} units)`;
  const tone = value < 0 ? "negative" : undefined;
  return (
    <span class={tone} title={whole}>
      {text}
    </span>
  );
};

/** An amount of a token by its symbol, and by its address where it has none. */
const sideText = ({ amount, token, token_id, symbol }: JsonObject): string => {
  const name = typeof symbol === "string" && symbol !== "" ? symbol : shortId(String(token));
  if (typeof token_id === "string") return `#${token_id} of ${name}`;
  return typeof amount === "number" ? `${amountText(amount)} ${name}` : name;
};

/** Names of fields and values in answers, which are no text of a stranger. */
const isCode = (text: string): boolean => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(text);

/** A code as words; other texts stay. */
const readable = (text: string): string => (isCode(text) ? worded(text) : text);

const itemText = (one: unknown): string => {
  if (typeof one !== "object") return readable(String(one));
  const fields = fieldsOf(one);
  if ("token" in fields && "amount_raw" in fields) return sideText(fields);
  return String(fields.symbol ?? fields.code ?? JSON.stringify(one));
};

const LIST_MAX = 6;

const Listed = ({ list }: { readonly list: readonly unknown[] }): ComponentChildren =>
  list.length === 0 ? (
    <None />
  ) : (
    <>
      {list.slice(0, LIST_MAX).map((one, at) => (
        <span key={itemText(one)}>
          {at === 0 ? "" : ", "}
          <Strange text={itemText(one)} />
        </span>
      ))}
      {list.length > LIST_MAX ? ` and ${list.length - LIST_MAX} more` : ""}
    </>
  );

/** Kinds whose null means unknown; for others it means none. */
const isQuestion = (kind: DisplayKind): boolean => !["strange", "label", "text", "evidence"].includes(kind);

/** Longer texts are sentences and may wrap. */
const WORD_MAX = 32;

/** An address that comes with its label: `{address, label}`. */
const Party = ({ party, network }: { readonly party: JsonObject; readonly network: string | null }) => {
  const label = party.label;
  return (
    <span class="party">
      <Id kind="wallet" text={String(party.address ?? "")} network={network} />
      {typeof label === "string" ? <Strange text={label} width={24} is_marked={false} /> : null}
    </span>
  );
};

/** One value of an answer as people read it. */
export const Value = ({ kind, value, network, reason, exact = null, is_optional = false }: ValueProps) => {
  if (value === null || value === undefined)
    return reason !== null || (isQuestion(kind) && !is_optional) ? <Unknown reason={reason} /> : <None />;
  if (typeof value === "number") return <NumberValue kind={kind} value={value} exact={exact} />;
  if (typeof value === "boolean") return <span class={value ? "yes" : "no"}>{value ? "yes" : "no"}</span>;
  if (Array.isArray(value))
    return kind === "evidence" ? <Evidence list={value} network={network} /> : <Listed list={value} />;
  if (typeof value === "object") {
    const fields = fieldsOf(value);
    return "address" in fields ? (
      <Party party={fields} network={network} />
    ) : (
      <Strange text={JSON.stringify(value)} width={60} />
    );
  }
  const written = String(value);
  const text = kind === "text" || kind === "label" ? readable(written) : written;
  const linked = LINKED[kind];
  if (linked !== undefined) return <Id kind={linked} text={text} network={network} />;
  if (kind === "time")
    return (
      <time dateTime={text} title={`${text} (UTC)`}>
        {timeText(text)}
      </time>
    );
  if (kind === "words") return wordsOf(worded(text));
  if (kind === "severity")
    return <span class={`severity severity-${text.replace(/\W/g, "")}`}>{wordsOf(worded(text))}</span>;
  if (kind === "strange") return <Strange text={text} />;
  if (text.length <= WORD_MAX) return <Strange text={text} is_marked={false} />;
  return (
    <span class="prose">
      <Strange text={text} width={400} is_marked={false} />
    </span>
  );
};
