import { selectorsIn } from "../../domain/address/code/code_scan.ts";
import type { Source, Warning } from "../../domain/context.ts";
import { nodeStateBlock, noStateOf } from "../../domain/node_state.ts";
import { findCreation, type IndexedCreation, noCodeAt, readCreation } from "../../domain/token/contracts/creation.ts";
import {
  type CreationFacts,
  findSource,
  type ProxyFacts,
  readCode,
  readCreationFacts,
  readProxyFacts,
  readSimilar,
  type SourceSubject,
} from "../../domain/token/contracts/source.ts";
import { cleanAbi, licenseOf, type ShownFiles, shownFiles, word } from "../../domain/token/contracts/source_texts.ts";
import { isVerified } from "../../domain/token/contracts/verified_sources.ts";
import { signatureOf } from "../../domain/transaction/headline/methods.ts";
import { type Bytes, keccak256, toHex } from "../../lib/bytes.ts";
import { data, failed } from "../../lib/outcome.ts";
import { splitCode, tailFacts } from "../../sources/metadata_tail.ts";
import { compilerVersion } from "../../sources/solc.ts";
import type { SourceAnswer, VerifiedSource } from "../../sources/source.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { input, output, type SourceCodeInput, type SourceCodeOutput } from "./shape.ts";

const METHODOLOGY = "contract-source@1";

const NOTHING_SHOWN: ShownFiles = { files: [], is_path_known: true, is_cleaned: false };

const sourceFields = (source: VerifiedSource | null, include_abi: boolean, creation: CreationFacts) => {
  const hex = creation.constructor_args;
  return {
    match: source?.match ?? null,
    creation_match: source?.creation_match ?? creation.match,
    runtime_match: source?.runtime_match ?? null,
    verified_at: source?.verified_at ?? null,
    source_provider: source?.provider ?? null,
    contract_name: word(source?.contract_name ?? null),
    language: source?.language ?? null,
    compiler_version: word(source?.compiler_version ?? null),
    evm_version: word(source?.evm_version ?? null),
    optimization: source?.optimization ?? null,
    license: licenseOf(source?.files ?? []),
    abi: source === null || !include_abi ? null : cleanAbi(source.abi),
    constructor_args: hex === null ? null : `0x${toHex(hex)}`,
  };
};

const proxyFields = ({ scope }: SourceSubject, facts: ProxyFacts | null): SourceCodeOutput["proxy"] => ({
  is_proxy: facts === null ? null : facts.proxy !== null,
  kind: facts?.proxy?.kind ?? null,
  implementations: (facts?.implementations ?? []).map(({ address, answer }) => ({
    address: scope.chain.formatAddress(address),
    name: answer.kind === "verified" ? word(answer.source.contract_name) : null,
    is_verified: isVerified(answer),
  })),
});

const selectorsOf = (code: Bytes): SourceCodeOutput["recovered_selectors"] =>
  selectorsIn(splitCode(code).code).map((selector) => ({
    selector: `0x${selector}`,
    signature: signatureOf(selector),
  }));

const CODE_GONE = "the code was destroyed";

const reasonsOf = (
  answer: SourceAnswer,
  shown: Omit<SourceCodeOutput, "unavailable" | "metadata">,
  asked: SourceCodeInput,
) => {
  const unknown = answer.kind === "unknown" ? answer.reason : null;
  const is_verified = answer.kind === "verified";
  const reasons: [boolean, string, string][] = [
    [unknown !== null, "is_verified", unknown ?? ""],
    [is_verified && shown.verified_at === null, "verified_at", "the source is recompiled and compared on every call"],
    [is_verified && shown.creation_match === null, "creation_match", "the creation input is unknown"],
    [is_verified && shown.constructor_args === null, "constructor_args", "the creation input is unknown"],
    [
      is_verified && asked.include_abi && shown.abi === null,
      "abi",
      "the source store has none, or one that is too large to show",
    ],
    [is_verified && shown.files.length === 0, "files", "the sources exceed the size limit for fetching"],
    [
      shown.bytecode.similar_verified === null,
      "bytecode.similar_verified",
      "traces are not indexed, so hashes of created code are unknown",
    ],
    [
      shown.proxy.implementations.some(({ is_verified }) => is_verified === null),
      "proxy.implementations[].is_verified",
      "it is unknown whether the source is verified",
    ],
  ];
  return reasons.flatMap(([is_missing, field, reason]) => (is_missing ? [{ field, reason }] : []));
};

const fileWarnings = ({ is_path_known, is_cleaned }: ShownFiles): readonly Warning[] => [
  ...(is_path_known
    ? []
    : [{ code: "FILE_NOT_FOUND", message: "No file has that path. `files` lists the available paths." }]),
  ...(is_cleaned
    ? [
        {
          code: "SOURCE_TEXT_CLEANED",
          message: "Invisible and direction-changing characters were removed from the text.",
        },
      ]
    : []),
];

const HEAD_READ: Warning = {
  code: "READ_AT_HEAD",
  message: "The node has no state for that block: the code was read at its newest block.",
};

interface ContractState {
  readonly code: Bytes;
  readonly answer: SourceAnswer;
}

/** Facts of the creation, which only a verified source can be compared with. */
const creationOf = async (subject: SourceSubject, code: Bytes, source: VerifiedSource): Promise<CreationFacts> =>
  readCreationFacts(subject, await findCreation(subject.scope, subject.contract), { code, source });

const describe = async (subject: SourceSubject, asked: SourceCodeInput, { code, answer }: ContractState) => {
  const { chain } = subject.scope;
  const source = answer.kind === "verified" ? answer.source : null;
  const [proxy, similar, creation] = await Promise.all([
    readProxyFacts(subject, code),
    readSimilar(subject, code),
    source === null ? { match: null, constructor_args: null } : creationOf(subject, code, source),
  ]);
  const wanted = { file_path: asked.file_path ?? null, bytes_max: asked.max_bytes };
  const shown = source === null ? NOTHING_SHOWN : shownFiles(source.files, wanted);
  const { tail } = splitCode(code);
  const fields = {
    type: "contract_source" as const,
    contract_address: chain.formatAddress(subject.contract),
    network: chain.network.id,
    is_verified: isVerified(answer),
    ...sourceFields(source, asked.include_abi, creation),
    files: shown.files,
    proxy: proxyFields(subject, proxy),
    bytecode: {
      size: code.length,
      code_hash: `0x${toHex(keccak256(code))}`,
      metadata_hash: tail === null ? null : tailFacts(tail).metadata_hash,
      similar_verified: similar?.map((address) => chain.formatAddress(address)) ?? null,
    },
    recovered_selectors: source === null ? selectorsOf(code) : [],
  };
  return { fields: { ...fields, unavailable: reasonsOf(answer, fields, asked) }, warnings: fileWarnings(shown) };
};

/** A contract that was destroyed: what the index kept of it. */
const describeGone = (subject: SourceSubject, created: NonNullable<IndexedCreation>) => {
  const { chain } = subject.scope;
  const nothing: CreationFacts = { match: null, constructor_args: null };
  const missing = ["is_verified", "proxy.is_proxy", "bytecode.similar_verified"];
  return {
    type: "contract_source" as const,
    contract_address: chain.formatAddress(subject.contract),
    network: chain.network.id,
    is_verified: null,
    ...sourceFields(null, false, nothing),
    files: [],
    proxy: proxyFields(subject, null),
    bytecode: {
      size: 0,
      code_hash: created.code_hash === "" ? null : `0x${created.code_hash}`,
      metadata_hash: null,
      similar_verified: null,
    },
    recovered_selectors: [],
    unavailable: [...missing, ...(created.code_hash === "" ? ["bytecode.code_hash"] : [])].map((field) => ({
      field,
      reason: CODE_GONE,
    })),
  };
};

/** Queried source stores. A store on the web has no version. */
const storesOf = ({ sources, scope }: SourceSubject): readonly Source[] =>
  sources.stores(scope.chain.network.chain_id).map((id) => ({
    id,
    version: id === "sourcify" ? "v2" : `solc-${compilerVersion()}`,
    updated_at: null,
  }));

export const getContractSourceCode = defineTool({
  name: "get_contract_source_code",
  title: "Verified source of a contract",
  description:
    "Source files, ABI, compiler settings and constructor arguments of a verified contract, how they match the on-chain code, the kind of proxy, and bytecode facts; for an unverified contract, its function selectors. Use it to read the code or ABI of a contract.",
  credits: 8,
  families: ["evm"],
  input,
  output,
  example: { contract_address: DEMO_EXAMPLES.token, network: "demo", max_bytes: 4_000 },
  subjects: [],
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const contract = asked.contract_address.hex;
    const { facts, signal, operator } = context;
    const snapshot = await facts.snapshot(asked.network, asked.as_of_block ?? null);
    const scope = { facts, chain, snapshot, signal };
    const at = await nodeStateBlock(scope);
    if (at === null) {
      const echo = { contract_address: chain.formatAddress(contract) };
      return failed(
        "COVERAGE_INCOMPLETE",
        noStateOf(snapshot),
        metadataFor(chain, snapshot, { echo, methodology: METHODOLOGY }),
      );
    }
    const subject: SourceSubject = {
      scope,
      sources: operator.sources,
      contract,
      at,
    };
    const code = await readCode(subject);
    const described = (warnings: readonly Warning[] = []) =>
      metadataFor(chain, snapshot, {
        echo: { contract_address: chain.formatAddress(contract) },
        methodology: METHODOLOGY,
        sources: storesOf(subject),
        warnings: [...(at === snapshot.block.number ? [] : [HEAD_READ]), ...warnings],
      });
    if (code === null) {
      const created = await readCreation(scope, contract);
      if (created !== null) return data<SourceCodeOutput>({ ...describeGone(subject, created), metadata: described() });
      return failed("NOT_A_CONTRACT", noCodeAt(asked.contract_address.text, snapshot), described());
    }
    const answer = await findSource(subject, contract, code);
    if (answer.kind === "unknown" && (answer.gap === "UNREACHABLE" || answer.gap === "NOT_COMPILED")) {
      return failed("UPSTREAM_UNAVAILABLE", `No source is stored locally, and ${answer.reason}.`, described());
    }
    const { fields, warnings } = await describe(subject, asked, { code, answer });
    return data<SourceCodeOutput>({ ...fields, metadata: described(warnings) });
  },
  view: {
    members:
      "contract_address network contract_name is_verified match source_provider language compiler_version license proxy files abi recovered_selectors constructor_args optimization bytecode",
    drawn: {
      files: { columns: "path bytes truncated content", texts: { content: 1_600 } },
      abi: "type name inputs[type,name] outputs[type] stateMutability",
      bytecode: "size code_hash similar_verified",
    },
  },
});
