import type { Chain } from "../../../chains/chain.ts";
import { toBase58, toBase58Check } from "../../../lib/base58.ts";
import { type Bytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { cleanText } from "../../../lib/text.ts";
import type { CallContext, Warning } from "../../context.ts";
import {
  type NameService,
  type PinnedNameService,
  pinNameService,
  type ServiceId,
  serviceOf,
} from "./enabled_services.ts";
import { readAddresses, readEns, readPrimary, readRegistration, registrationOf } from "./ens.ts";
import type { ReversedName } from "./universal_resolver.ts";
import { readUnstoppable, unstoppablePrimary } from "./unstoppable.ts";

/** A service's answer about a name. */
export type Resolution =
  | { readonly kind: "none" | "disabled" | "silent" }
  | {
      readonly kind: "found";
      readonly address: Hex;
      /** Coin type -> address in the coin's usual format. */
      readonly addresses: Readonly<Record<string, string>>;
      readonly owner: Hex | null;
      /** Unix seconds. */
      readonly expires_at: number | null;
      readonly via_ccip: boolean;
      /** Null where the service keeps no resolver for each name. */
      readonly resolver: Hex | null;
      readonly avatar: string | null;
      readonly contenthash: Hex | null;
      /** The name is kept in another registry than the one that was read, so that owner and expiry are unknown. */
      readonly is_elsewhere: boolean;
    };

const NO_RECORDS = { resolver: null, avatar: null, contenthash: null, is_elsewhere: false } as const;

const COIN = { eth: 60, sol: 501, trx: 195 } as const;
/** ENSIP-11: the coin type of another EVM network is its chain id with the highest of 32 bits set. */
const EVM_COINS_FROM = 0x80000000;
/** CAIP-2 namespace of networks that are known by their EIP-155 chain id. */
const EIP155 = "eip155:";
const ADDRESS_TEXT_BYTES_MAX = 128;

/** Coins whose addresses are read: ether, every enabled EVM network, SOL and TRX. */
const coinsOf = (context: CallContext): readonly number[] => {
  const ids = context.networks.map((id) => context.chain(id).network).filter(({ caip2 }) => caip2.startsWith(EIP155));
  const others = ids.map(({ chain_id }) => chain_id).filter((id) => id !== 1 && id < EVM_COINS_FROM);
  return [COIN.eth, COIN.sol, COIN.trx, ...others.map((id) => EVM_COINS_FROM + id)];
};

/** The bytes of ENSIP-9 as text; null when their length does not fit the coin. */
const formatCoin = (chain: Chain, coin: number, bytes: Bytes): string | null => {
  if (coin === COIN.sol) return bytes.length === 32 ? toBase58(bytes) : null;
  if (coin === COIN.trx) return bytes.length === 21 && bytes[0] === 0x41 ? toBase58Check(bytes) : null;
  return bytes.length === 20 ? chain.formatAddress(toHex(bytes)) : null;
};

const inRegistry = async (
  door: PinnedNameService & { kind: "registry" },
  name: string,
  context: CallContext,
): Promise<Resolution> => {
  const { reader, service, block } = door;
  const [records, registration, coins] = await Promise.all([
    readEns(reader, name),
    readRegistration(reader, name, service.top),
    readAddresses(reader, name, coinsOf(context)),
  ]);
  if (records.kind !== "found") return { kind: records.kind };
  const kept = registrationOf(reader, records, registration);
  const { owner, expires_at } = kept.registration;
  const is_over = expires_at !== null && expires_at <= block.time;
  if (records.address === null || is_over) return { kind: "none" };
  const texts = [...coins].flatMap(([coin, bytes]) => {
    const text = formatCoin(reader.chain, coin, bytes);
    return text === null ? [] : [[String(coin), text] as const];
  });
  const own = [String(COIN.eth), reader.chain.formatAddress(records.address)] as const;
  return {
    kind: "found",
    address: records.address,
    addresses: Object.fromEntries([own, ...texts]),
    owner,
    expires_at,
    via_ccip: records.via_ccip,
    resolver: records.resolver,
    avatar: records.avatar,
    contenthash: records.contenthash,
    is_elsewhere: kept.is_elsewhere,
  };
};

const inUnstoppable = async (
  { reader }: PinnedNameService & { kind: "unstoppable" },
  name: string,
): Promise<Resolution> => {
  const found = await readUnstoppable(reader, name);
  const address = reader.chain.parseAddress(found?.addresses.get(COIN.eth) ?? "");
  if (found === null || address === null) return { kind: "none" };
  const texts = [...found.addresses].map(([coin, text]) => [String(coin), cleanText(text, ADDRESS_TEXT_BYTES_MAX)]);
  const addresses = { ...Object.fromEntries(texts), [String(COIN.eth)]: reader.chain.formatAddress(address) };
  return {
    ...{ kind: "found", address, addresses, owner: found.owner, expires_at: null, via_ccip: false },
    ...NO_RECORDS,
  };
};

const inAccounts = async ({ reader }: PinnedNameService & { kind: "accounts" }, name: string): Promise<Resolution> => {
  const { chain, names, at, signal } = reader;
  const found = await names.resolve(name, signal, at);
  if (found === null) return { kind: "none" };
  const addresses = { [String(names.coin_type)]: chain.formatAddress(found.address) };
  return { kind: "found", ...found, addresses, expires_at: null, via_ccip: false, ...NO_RECORDS };
};

/** Resolves a name with one service. */
export const resolveAt = (door: PinnedNameService, name: string, context: CallContext): Promise<Resolution> => {
  if (door.kind === "accounts") return inAccounts(door, name);
  return door.kind === "registry" ? inRegistry(door, name, context) : inUnstoppable(door, name);
};

const primaryAt = async (door: PinnedNameService, address: Hex, known: string | null): Promise<ReversedName> => {
  if (door.kind === "registry") return readPrimary(door.reader, address, known);
  if (door.kind === "unstoppable") return { name: await unstoppablePrimary(door.reader, address), fault: null };
  const { names, signal, at } = door.reader;
  return { name: await names.primaryOf(address, signal, at), fault: null };
};

/** A name that an address claims and that resolves back to it. */
export interface OwnName {
  readonly name: string;
  readonly service: ServiceId;
  readonly network: string;
  readonly door: NameService;
}

export interface OwnNames {
  readonly names: readonly OwnName[];
  /** Services with an incomplete answer: further names are unknown. */
  readonly warnings: readonly Warning[];
  /** True when one of them needed a gateway that is not allowed. */
  readonly needs_gateway: boolean;
}

/** A name already known to resolve to the address, and its service. */
export interface KnownName {
  readonly name: string;
  readonly door: PinnedNameService;
}

const isSameService = (door: NameService, open: PinnedNameService): boolean =>
  serviceOf(door) === serviceOf(open) && door.chain === open.reader.chain;

interface PrimaryAnswer {
  readonly door: NameService;
  readonly primary: ReversedName | null;
}

/** Reads the names that `address` claims from every service. An unavailable service becomes a warning. */
export const namesOf = async (
  doors: readonly NameService[],
  { address, known }: { readonly address: Hex; readonly known: KnownName | null },
  context: CallContext,
): Promise<OwnNames> => {
  const heard = await Promise.all(
    doors.map(async (door): Promise<PrimaryAnswer> => {
      try {
        const name = known !== null && isSameService(door, known.door) ? known.name : null;
        return { door, primary: await primaryAt(await pinNameService(door, context), address, name) };
      } catch (error) {
        if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return { door, primary: null };
        throw error;
      }
    }),
  );
  const unheard = heard.filter(({ primary }) => primary === null || primary.fault !== null);
  return {
    names: heard.flatMap(({ door, primary }) =>
      primary === null || primary.name === null
        ? []
        : [{ name: primary.name, service: serviceOf(door), network: door.chain.network.id, door }],
    ),
    warnings: unheard.map(({ door }) => ({
      code: "SERVICE_UNREAD",
      message: `${serviceOf(door)} on ${door.chain.network.id} could not be searched for names of the address.`,
    })),
    needs_gateway: heard.some(({ primary }) => primary?.fault === "disabled"),
  };
};
