import { encodeAbiParameters } from "viem";
import type { ContractCall } from "../src/chains/chain.ts";
import { namehash } from "../src/domain/address/names/ens_name.ts";
import { type Hex, hex } from "../src/lib/bytes.ts";

/** A registry with one resolver, which answers the names of addresses and the targets of names. */
export const OWN_NAMES_REGISTRY = hex("e0".repeat(20));
const RESOLVER = hex("e1".repeat(20));

const word = (address: Hex): Hex => hex(address.padStart(64, "0"));

/** Answers of both; no other contract answers. */
export const answerOwnNames = (said: Readonly<Record<string, string>>, leads: Readonly<Record<string, Hex>>) => {
  const nodes = new Map<string, { name: string } | { address: Hex }>([
    ...Object.entries(said).map(([address, name]) => [namehash(`${address}.addr.reverse`), { name }] as const),
    ...Object.entries(leads).map(([name, address]) => [namehash(name), { address }] as const),
  ]);
  return ({ to, data }: ContractCall): { ok: boolean; data: Hex } => {
    const known = nodes.get(data.slice(8));
    if (known === undefined) return { ok: true, data: word(hex("00".repeat(20))) };
    if (to === OWN_NAMES_REGISTRY) return { ok: true, data: word(RESOLVER) };
    if ("address" in known) return { ok: true, data: word(known.address) };
    return { ok: true, data: hex(encodeAbiParameters([{ type: "string" }], [known.name]).slice(2)) };
  };
};
