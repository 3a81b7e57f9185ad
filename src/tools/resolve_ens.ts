import * as z from "zod";
import type { BlockRef, Chain } from "../chains/chain.ts";
import { NO_ENS_ADDRESS, NO_ENS_RESOLVER } from "../domain/absences.ts";
import { deployedUniversal } from "../domain/address/names/deployed_universal.ts";
import { primaryName, readEns, readRegistration, registrationOf } from "../domain/address/names/ens.ts";
import { isConfusable, namehash } from "../domain/address/names/ens_name.ts";
import { gatewaysOver } from "../domain/address/names/gateways.ts";
import type { EnsReader } from "../domain/address/names/records.ts";
import type { CallContext, Warning } from "../domain/context.ts";
import { data, failed, noData } from "../lib/outcome.ts";
import { iso } from "../lib/time.ts";
import { chainText, ensName, metadata } from "./fields.ts";
import { metadataFor } from "./metadata.ts";
import { defineTool } from "./tool.ts";

/** Where names were read: by the registry alone, or by the network's Universal Resolver. */
const METHODOLOGY = { registry: "ens/registry-and-resolver@1", universal: "ens/universal-resolver@1" };

const input = z.strictObject({
  ens_name: ensName("ENS name in any case; Assay normalizes it by ENSIP-15."),
});

const output = z.strictObject({
  type: z.literal("ens_resolution"),
  ens_name: z.string(),
  normalized_name: z.string(),
  address: z.string().describe("Ethereum address that the name points to."),
  resolver: z.string(),
  namehash: z.string(),
  reverse_name: chainText("Primary name of the address that resolves back to it; null without one.").nullable(),
  reverse_verified: z.boolean().describe("True when this name is the primary name of the address."),
  avatar: chainText("The name's `avatar` text record.").nullable(),
  contenthash: z.string().nullable().describe("Content hash (EIP-1577) as hex; null without one."),
  owner: z.string().nullable().describe("Owner of the name; the holder of a wrapped name. Null when unknown."),
  expires_at: z
    .string()
    .nullable()
    .describe("Expiry of a second-level .eth name; null for other names, which do not expire at the registrar."),
  via_ccip: z.boolean().describe("True when an external gateway (CCIP-Read) answered and the resolver accepted it."),
  metadata: metadata({
    ens_name: z.string(),
    normalized_name: z.string().describe("Normalized form of the requested name."),
  }),
});

type EnsHome = Pick<EnsReader, "registry" | "universal_resolver"> & { readonly chain: Chain };

const ensChain = (context: CallContext): EnsHome | null => {
  for (const id of context.networks) {
    const chain = context.chain(id);
    if (chain.network.ens !== null) return { chain, ...chain.network.ens };
  }
  return null;
};

const warningsOf = (name: string, expires_at: number | null, now: BlockRef): readonly Warning[] => [
  ...(isConfusable(name)
    ? [
        {
          code: "CONFUSABLE_NAME",
          message: "The name contains letters that resemble others. Verify the address.",
        },
      ]
    : []),
  ...(expires_at !== null && expires_at < now.time
    ? [{ code: "NAME_EXPIRED", message: "The registration has expired; the records may soon belong to someone else." }]
    : []),
];

const OFFCHAIN = "This name resolves through an external gateway, and gateways are disabled on this instance.";

const SILENT = "This name resolves through external gateways, and none returned an answer that its resolver accepts.";

const UNREAD: Warning = {
  code: "RECORDS_UNREAD",
  message: "The name's gateway did not return every record, so a null avatar or contenthash may exist.",
};

const ELSEWHERE: Warning = {
  code: "REGISTRATION_UNREAD",
  message: "The name is kept in another registry than the one that was read, so owner and expiry are unknown.",
};

export const resolveEns = defineTool({
  name: "resolve_ens",
  title: "Resolve an ENS name",
  description:
    "The Ethereum address of an ENS name, read through the Universal Resolver, or the registry where a network has none (through gateways when the operator allows them), with owner, expiry and verified primary name. Use it to resolve an ENS name (vitalik.eth) to its address, owner and expiry; resolve_name takes other services and finds the name of an address.",
  credits: 1,
  families: ["evm"],
  input,
  output,
  example: { ens_name: "alice.eth" },
  subjects: [],
  live_fields: [
    "address",
    "reverse_name",
    "reverse_verified",
    "avatar",
    "contenthash",
    "via_ccip",
    "metadata.warnings",
  ],
  run: async ({ ens_name: { text: ens_name, normalized: name } }, context) => {
    const found = ensChain(context);
    if (found === null) return failed("UPSTREAM_UNAVAILABLE", "No enabled network has an ENS registry.");
    const { chain } = found;
    const block = await chain.head(context.signal);
    const gateway = gatewaysOver(context.operator.web, context.signal);
    const at = { at: block.number, signal: context.signal };
    const universal_resolver = await deployedUniversal(chain, found.universal_resolver ?? null, at);
    const reader: EnsReader = { ...found, ...at, universal_resolver, gateway };
    const [records, registered] = await Promise.all([readEns(reader, name), readRegistration(reader, name)]);
    const { registration, is_elsewhere } = registrationOf(reader, records, registered);
    const described = metadataFor(
      chain,
      { block, coverage: null },
      {
        echo: { ens_name, normalized_name: name },
        methodology: METHODOLOGY[universal_resolver === null ? "registry" : "universal"],
        warnings: [
          ...warningsOf(name, registration.expires_at, block),
          ...(records.kind === "found" && !records.is_whole ? [UNREAD] : []),
          ...(records.kind === "found" && is_elsewhere ? [ELSEWHERE] : []),
        ],
      },
    );
    if (records.kind === "none")
      return noData({ type: "ens_resolution", metadata: described, message: NO_ENS_RESOLVER });
    if (records.kind !== "found")
      return records.kind === "disabled"
        ? failed("OFFCHAIN_DISABLED", OFFCHAIN, described)
        : failed("UPSTREAM_UNAVAILABLE", SILENT, described);
    if (records.address === null)
      return noData({ type: "ens_resolution", metadata: described, message: NO_ENS_ADDRESS });
    const reverse = await primaryName(reader, records.address, name);
    return data({
      type: "ens_resolution" as const,
      ens_name,
      normalized_name: name,
      address: chain.formatAddress(records.address),
      resolver: chain.formatAddress(records.resolver),
      namehash: `0x${namehash(name)}`,
      reverse_name: reverse,
      reverse_verified: reverse === name,
      avatar: records.avatar,
      contenthash: records.contenthash === null ? null : `0x${records.contenthash}`,
      owner: registration.owner === null ? null : chain.formatAddress(registration.owner),
      expires_at: registration.expires_at === null ? null : iso(registration.expires_at),
      via_ccip: records.via_ccip,
      metadata: described,
    });
  },
  view: {
    members:
      "ens_name normalized_name address reverse_name reverse_verified owner expires_at avatar contenthash via_ccip",
  },
});
