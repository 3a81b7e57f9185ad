import * as z from "zod";
import { chainText, metadata, nameOrAddress, network } from "../fields.ts";

export const input = z.strictObject({
  name: nameOrAddress(
    "A name (`alice.eth`, `bob.base.eth`, `carol.bnb`, `dave.crypto`, `erin.sol`), or an address of EVM or Solana.",
  ),
  network: network().optional(),
  all: z
    .boolean()
    .default(false)
    .describe("Also lists the name in every service that keeps it, and every primary name of its address."),
});

const SERVICES = ["ens", "basenames", "linea", "space_id", "unstoppable", "sns"] as const;

const nameEntry = z.strictObject({
  name: chainText("Name."),
  service: z.enum(SERVICES),
  network: z.string(),
  status: z
    .enum(["found", "offchain_disabled", "gateway_silent", "unavailable"])
    .describe("Whether the service resolved the name; all other fields are null unless found."),
  address: z.string().nullable(),
  addresses: z.record(z.string(), chainText("Address.")).nullable().describe("Addresses by coin type."),
  owner: z.string().nullable(),
  expires_at: z.string().nullable(),
  is_primary: z.boolean().describe("True when the address has this name as its primary name there."),
  resolver: z.string().nullable().describe("Contract with the records; null where the service has none."),
  avatar: chainText("Avatar record.").nullable(),
  contenthash: z.string().nullable().describe("Content hash (EIP-1577) as hex."),
  via_ccip: z.boolean().nullable(),
});

export const output = z.strictObject({
  type: z.literal("name_resolution"),
  name: z.string().describe("Name or address as requested."),
  normalized_name: chainText("Normalized name; for an address, its primary name."),
  service: z.enum(SERVICES),
  address: z.string(),
  network: z.string().describe("Network on which the name service was queried."),
  addresses: z
    .record(z.string(), chainText("Address."))
    .describe("Addresses by coin type (SLIP-44, ENSIP-11): ether, enabled EVM networks, SOL, TRX."),
  reverse_verified: z.boolean().describe("True when this name is the address's primary name."),
  expires_at: z.string().nullable().describe("Expiry of the name; null when the service states none."),
  owner: z.string().nullable(),
  alternatives: z
    .array(z.strictObject({ name: chainText("Name."), service: z.enum(SERVICES), network: z.string() }))
    .describe("Other primary names of the address, each resolving back to it."),
  via_ccip: z.boolean().describe("True when an external gateway (CCIP-Read) answered and the resolver accepted it."),
  all: z
    .array(nameEntry)
    .nullable()
    .describe(
      "The name in every service that keeps it, then every primary name of the address; null unless requested.",
    ),
  metadata: metadata({ name: z.string() }),
});

export type NameOutput = z.output<typeof output>;
