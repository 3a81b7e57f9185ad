/** Texts of callers as networks read them. */
import type { Hex } from "./bytes.ts";
import type { ParsedByNetwork } from "./parsed.ts";

/** A network that reads and writes addresses. */
interface AddressForm {
  readonly network: { readonly id: string; readonly family: string };
  parseAddress(text: string): Hex | null;
  formatAddress(address: Hex): string;
}

export const NATIVE = "native";
/** Addresses that stand for the native coin: of zeros, and `0xeeee…`. */
const NATIVE_BYTES = /^(?:0+|(?:ee)+)$/;
/** Other ways to say "the native coin", by address family. */
const NATIVE_TEXTS: Readonly<Record<string, readonly string[]>> = {
  evm: [],
  solana: ["So11111111111111111111111111111111111111112"],
  tron: ["TRX"],
};

/** Whether a text says "the native coin" on one of the networks. */
export const isNative = (value: string, chains: readonly AddressForm[]): boolean =>
  value === NATIVE ||
  chains.some((chain) => {
    if (NATIVE_TEXTS[chain.network.family]?.includes(value)) return true;
    const address = chain.parseAddress(value);
    return address !== null && NATIVE_BYTES.test(address);
  });

/** A text as each network reads it, where it does. */
export const onEach = <C extends Pick<AddressForm, "network">>(
  text: string,
  chains: readonly C[],
  read: (chain: C) => Hex | null,
): ParsedByNetwork => ({
  text,
  by_network: new Map(
    chains.flatMap((chain) => {
      const hex = read(chain);
      return hex === null ? [] : [[chain.network.id, hex] as const];
    }),
  ),
});

/** An address as its networks write it: a caller may have written it in another case or another form. */
export const addressOn = (written: string, chains: readonly AddressForm[]): ParsedByNetwork => {
  const parsed = onEach(written, chains, (chain) => chain.parseAddress(written));
  const home = chains.find(({ network }) => parsed.by_network.has(network.id));
  const bytes = parsed.by_network.get(home?.network.id ?? "");
  return home === undefined || bytes === undefined ? parsed : { ...parsed, text: home.formatAddress(bytes) };
};
