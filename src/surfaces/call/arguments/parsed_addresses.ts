import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { ParsedByNetwork, ParsedText } from "../../../lib/parsed.ts";
import type { FieldKind } from "../../../tools/fields.ts";
import { quoteText } from "../../http/quoted_text.ts";
import { addressError, type CallNetworks, hashError } from "./argument_errors.ts";
import { refuse } from "./refusal.ts";

/** A text that the caller gave for a field. */
export interface Field {
  readonly field: string;
  readonly kind: FieldKind;
  readonly value: string;
}

const familyOf = (chain: Chain): string => chain.network.family;

const NATIVE = "native";
/** Addresses that stand for the native coin: of zeros, and `0xeeee…`. */
const NATIVE_BYTES = /^(?:0+|(?:ee)+)$/;
/** Other ways to say "the native coin", by address family. */
const NATIVE_TEXTS: Readonly<Record<string, readonly string[]>> = {
  evm: [],
  solana: ["So11111111111111111111111111111111111111112"],
  tron: ["TRX"],
};

const isNative = (value: string, chains: readonly Chain[]): boolean =>
  value === NATIVE ||
  chains.some((chain) => {
    if (NATIVE_TEXTS[familyOf(chain)]?.includes(value)) return true;
    const address = chain.parseAddress(value);
    return address !== null && NATIVE_BYTES.test(address);
  });

const onEach = (text: string, chains: readonly Chain[], read: (chain: Chain) => Hex | null): ParsedByNetwork => ({
  text,
  by_network: new Map(
    chains.flatMap((chain) => {
      const hex = read(chain);
      return hex === null ? [] : [[chain.network.id, hex] as const];
    }),
  ),
});

/** An address as its networks write it: a caller may have written it in another case or another form. */
export const addressOn = (written: string, chains: readonly Chain[]): ParsedByNetwork => {
  const parsed = onEach(written, chains, (chain) => chain.parseAddress(written));
  const home = chains.find(({ network }) => parsed.by_network.has(network.id));
  const bytes = parsed.by_network.get(home?.network.id ?? "");
  return home === undefined || bytes === undefined ? parsed : { ...parsed, text: home.formatAddress(bytes) };
};

/** Of a tool that asks one network: a refusal came before this where the text is nothing on it. */
export const onOneNetwork = ({ text, by_network }: ParsedByNetwork, [chain]: readonly Chain[]): ParsedText => {
  const hex = by_network.get(chain?.network.id ?? "");
  if (hex === undefined) throw new AssayError({ code: "BUG", message: `${text} was bound to no network` });
  return { text, hex };
};

export const tokenOf = (given: Field, networks: CallNetworks): ParsedByNetwork =>
  isNative(given.value, networks.chains) ? onEach(NATIVE, networks.chains, () => "") : addressOf(given, networks);

export const addressOf = (given: Field, networks: CallNetworks): ParsedByNetwork => {
  const parsed = addressOn(given.value, networks.chains);
  return parsed.by_network.size > 0 ? parsed : refuse(addressError(given, networks));
};

/** The addresses of a group, each once. */
export const groupOf = (
  { field, kind, values }: Pick<Field, "field" | "kind"> & { readonly values: unknown },
  networks: CallNetworks,
): readonly ParsedByNetwork[] => {
  const group = (Array.isArray(values) ? values : []).map((value, i) =>
    addressOf({ field: `${field}[${i}]`, kind, value: String(value) }, networks),
  );
  const texts = group.map(({ text }) => text);
  const again = texts.find((text, i) => texts.indexOf(text) !== i);
  return again === undefined ? group : refuse(`field '${field}' names ${quoteText(again)} twice.`);
};

export const hashOf = ({ field, value }: Field, { chains }: CallNetworks): ParsedByNetwork => {
  const parsed = onEach(value, chains, (chain) => chain.parseHash(value));
  if (parsed.by_network.size > 0) return parsed;
  return refuse(hashError({ field, value }, chains));
};
