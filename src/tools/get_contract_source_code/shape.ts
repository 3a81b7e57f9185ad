import * as z from "zod";
import { address, asOfBlock, chainText, metadata, network, unavailable } from "../fields.ts";
import type { Asked } from "../tool.ts";

export const input = z.strictObject({
  contract_address: address("Contract whose source to read."),
  network: network(),
  include_abi: z.boolean().default(true).meta({ description: "Include the ABI." }),
  file_path: z
    .string()
    .min(1)
    .max(1_024)
    .meta({ description: "Read this file only; `files` of an answer without it lists the paths." })
    .optional(),
  max_bytes: z
    .int()
    .min(1_000)
    .max(1_000_000)
    .default(200_000)
    .meta({ description: "Bytes of source text in the answer." }),
  as_of_block: asOfBlock(),
});

const match = z.enum(["exact_match", "match"]).nullable();
const text = (description: string) => chainText(description).nullable();

const file = z.strictObject({
  path: chainText("As the author named it."),
  bytes: z.int().meta({ description: "Of the whole file." }),
  content: text("Source text; null when the answer's bytes were used up before, or another file was asked for."),
  truncated: z.boolean().meta({ description: "`content` is less than the file." }),
});

export const output = z.strictObject({
  type: z.literal("contract_source"),
  contract_address: z.string(),
  network: z.string(),
  is_verified: z.boolean().nullable(),
  match: match.meta({ description: "`exact_match`: sources and settings are the very same; `match`: the code is." }),
  creation_match: match,
  runtime_match: match,
  verified_at: z.string().nullable(),
  source_provider: z
    .enum(["local", "sourcify"])
    .nullable()
    .meta({ description: "`local`: kept by the operator and compiled again by this service." }),
  contract_name: text("As its author named it."),
  language: z.string().nullable(),
  compiler_version: text("As whoever verified it says."),
  evm_version: text("As whoever verified it says."),
  optimization: z.strictObject({ enabled: z.boolean(), runs: z.int().nullable() }).nullable(),
  license: text("SPDX identifier in the contract's own file."),
  files: z.array(file),
  abi: z
    .array(z.record(z.string(), z.unknown()))
    .nullable()
    .meta({ description: "Names in it were written by the author.", "x-untrusted": true }),
  constructor_args: z.string().nullable().meta({ description: "ABI-encoded; `0x` when there are none." }),
  proxy: z.strictObject({
    is_proxy: z.boolean().nullable(),
    kind: z.enum(["eip1967", "beacon", "minimal", "eip1822", "safe", "diamond"]).nullable(),
    implementations: z.array(
      z.strictObject({
        address: z.string(),
        name: text("Contract name in its verified source."),
        is_verified: z.boolean().nullable(),
      }),
    ),
  }),
  bytecode: z.strictObject({
    size: z.int().meta({ description: "Bytes of runtime code; 0 when it was destroyed." }),
    code_hash: z.string().nullable(),
    metadata_hash: z.string().nullable().meta({ description: "Of the compiler's metadata, at the end of the code." }),
    similar_verified: z
      .array(z.string())
      .nullable()
      .meta({ description: "Other contracts with the same code and a verified source." }),
  }),
  recovered_selectors: z
    .array(
      z.strictObject({
        selector: z.string(),
        signature: z
          .string()
          .nullable()
          .meta({ description: "A known function with this selector; another one may share it." }),
      }),
    )
    .meta({ description: "Functions that the code answers to, when it is not verified." }),
  unavailable,
  metadata: metadata({ contract_address: z.string() }),
});

export type Input = Asked<typeof input>;
export type Output = z.output<typeof output>;
