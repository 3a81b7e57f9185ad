import * as z from "zod";
import { address, asOfBlock, chainText, metadata, network, unavailable } from "../fields.ts";
import type { ToolInput } from "../tool.ts";

export const input = z.strictObject({
  contract_address: address("Contract whose source is read."),
  network: network(),
  include_abi: z.boolean().default(true).describe("Include the ABI."),
  file_path: z
    .string()
    .min(1)
    .max(1_024)
    .describe("Return only this file. An answer without file_path lists the paths in `files`.")
    .optional(),
  max_bytes: z.int().min(1_000).max(1_000_000).default(200_000).describe("Most bytes of source text in the answer."),
  as_of_block: asOfBlock(),
});

const match = z.enum(["exact_match", "match"]).nullable();
const text = (description: string) => chainText(description).nullable();

const file = z.strictObject({
  path: chainText("Path as named by the author."),
  bytes: z.int().describe("Size of the whole file in bytes."),
  content: text("Source text; null when max_bytes was used up by earlier files, or file_path selects another file."),
  truncated: z.boolean().describe("True when `content` is shorter than the file."),
});

export const output = z.strictObject({
  type: z.literal("contract_source"),
  contract_address: z.string(),
  network: z.string(),
  is_verified: z.boolean().nullable(),
  match: match.describe(
    "`exact_match`: sources and settings compile to identical bytecode, metadata included; `match`: the code is identical, the metadata is not.",
  ),
  creation_match: match,
  runtime_match: match,
  verified_at: z.string().nullable(),
  source_provider: z
    .enum(["local", "sourcify"])
    .nullable()
    .describe("`local`: stored by the operator and recompiled by this service."),
  contract_name: text("Contract name given by its author."),
  language: z.string().nullable(),
  compiler_version: text("As stated by the verified source."),
  evm_version: text("As stated by the verified source."),
  optimization: z.strictObject({ enabled: z.boolean(), runs: z.int().nullable() }).nullable(),
  license: text("SPDX identifier in the contract's file; null when it has none."),
  files: z.array(file),
  abi: z.array(z.record(z.string(), z.unknown())).nullable().meta({
    description: "Contract ABI; null when it is unavailable or not requested. Its names were written by the author.",
    "x-untrusted": true,
  }),
  constructor_args: z
    .string()
    .nullable()
    .describe("ABI-encoded arguments; `0x` for a constructor without arguments, null when unknown."),
  proxy: z.strictObject({
    is_proxy: z.boolean().nullable(),
    kind: z.enum(["eip1967", "beacon", "minimal", "eip1822", "safe", "diamond"]).nullable(),
    implementations: z.array(
      z.strictObject({
        address: z.string(),
        name: text("Contract name in the verified source; null when it is not verified."),
        is_verified: z.boolean().nullable(),
      }),
    ),
  }),
  bytecode: z.strictObject({
    size: z.int().describe("Bytes of runtime code; 0 after the contract was destroyed."),
    code_hash: z.string().nullable(),
    metadata_hash: z
      .string()
      .nullable()
      .describe("Hash of the compiler metadata at the end of the code; null without one."),
    similar_verified: z
      .array(z.string())
      .nullable()
      .describe("Number of other contracts with the same code and a verified source."),
  }),
  recovered_selectors: z
    .array(
      z.strictObject({
        selector: z.string(),
        signature: z
          .string()
          .nullable()
          .describe("Known function with this selector; other functions may share it. Null when unknown."),
      }),
    )
    .describe("Function selectors in the bytecode of an unverified contract."),
  unavailable,
  metadata: metadata({ contract_address: z.string() }),
});

export type SourceCodeInput = ToolInput<typeof input>;
export type SourceCodeOutput = z.output<typeof output>;
