import * as z from "zod";
import type { Chain } from "../../chains/chain.ts";
import { delegateOf, readImplementation } from "../../domain/address/code/account_code.ts";
import { labelsOf, shownParty, UNKNOWN_PARTY } from "../../domain/address/identity/parties.ts";
import type { CallContext, Warning } from "../../domain/context.ts";
import { nodeStateBlock, noStateOf } from "../../domain/node_state.ts";
import {
  type ContractCreation,
  creatingTransaction,
  noCodeAt,
  readCreation,
  searchCreation,
} from "../../domain/token/contracts/creation.ts";
import { constructorArguments, findInitCode, findSalt } from "../../domain/token/contracts/init_code.ts";
import { type Bytes, fromHex, type Hex, keccak256, toHex } from "../../lib/bytes.ts";
import { data, failed } from "../../lib/outcome.ts";
import { iso } from "../../lib/time.ts";
import type { Snapshot } from "../../store/facts.ts";
import { address, asOfBlock, metadata, network, peer, unavailable } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";

const METHODOLOGY = "contract-creation@1";

const input = z.strictObject({
  contract_address: address("Address of the created contract."),
  network: network(),
  as_of_block: asOfBlock(),
});

const output = z.strictObject({
  type: z.literal("contract_creation"),
  contract_address: z.string(),
  network: z.string(),
  deployer: peer.nullable().describe("Signer of the creating transaction; null for genesis and predeploys."),
  factory: z.string().nullable().describe("Contract that executed the creation; null when the transaction did."),
  creation_tx_hash: z.string().nullable(),
  block_number: z.int(),
  timestamp: z.string(),
  method: z.enum(["create", "create2", "predeploy", "genesis"]).nullable(),
  salt: z.string().nullable().describe("CREATE2 salt, proven by the address; null for other methods and when unknown."),
  init_code_hash: z.string().nullable(),
  runtime_code_hash: z.string().nullable(),
  is_proxy: z.boolean(),
  implementation: z.string().nullable(),
  is_self_destructed: z.boolean(),
  constructor_args_raw: z.string().nullable(),
  found_in: z.enum(["index", "node"]),
  unavailable,
  metadata: metadata({ contract_address: z.string() }),
});

type CreationOutput = z.output<typeof output>;

interface CreationSubject {
  readonly chain: Chain;
  readonly contract: Hex;
  readonly snapshot: Snapshot;
  /** Block of live reads. */
  readonly at: number;
  readonly signal: AbortSignal;
}

const indexedCreation = async (context: CallContext, { snapshot, contract }: CreationSubject) => {
  const created = await readCreation({ facts: context.facts, snapshot }, contract);
  if (created === null) return null;
  const { block_number, time, tx_hash, creator, factory, method, init_hash, code_hash } = created;
  const creation: ContractCreation = {
    found_in: "index",
    block_number,
    time,
    tx_hash,
    deployer: creator,
    factory: factory === "" ? null : factory,
    method: method === "none" ? null : method,
    init_hash: init_hash === "" ? null : init_hash,
  };
  return { creation, code_hash };
};

interface CreationInputs {
  readonly salt: Bytes | null;
  readonly init_hash: Hex | null;
  readonly args: Bytes | null;
}

const readInputs = (
  contract: Hex,
  creation: ContractCreation,
  given: { input: Bytes | null; code: Bytes },
): CreationInputs => {
  const { input, code } = given;
  if (input === null) return { salt: null, init_hash: creation.init_hash, args: null };
  const init_hash = creation.init_hash ?? (creation.factory === null ? toHex(keccak256(input)) : null);
  const init_bytes = init_hash === null ? null : fromHex(init_hash);
  const factory = creation.factory === null ? null : fromHex(creation.factory);
  const init = init_bytes === null ? null : findInitCode(input, init_bytes);
  return {
    salt:
      creation.method === "create2" && factory !== null && init_bytes !== null
        ? findSalt(input, { address: contract, factory, init_hash: init_bytes })
        : null,
    init_hash,
    args: init === null || code.length === 0 ? null : constructorArguments(init, code),
  };
};

const shownHash = (hash: Hex | null): string | null => (hash === null || hash === "" ? null : `0x${hash}`);

const UNTRACED = "the block was read without traces, and a contract created it";

const reasonsOf = (shown: Omit<CreationOutput, "unavailable">): CreationOutput["unavailable"] => {
  const reasons: [boolean, string, string][] = [
    [shown.method === null, "method", UNTRACED],
    [shown.method === null, "deployer", UNTRACED],
    [shown.method === null, "creation_tx_hash", UNTRACED],
    [shown.method === "create2" && shown.salt === null, "salt", "the salt is not part of the transaction's input"],
    [shown.init_code_hash === null, "init_code_hash", "the creating transaction, or its traces, are unknown"],
    [shown.runtime_code_hash === null, "runtime_code_hash", "the code was destroyed and its hash was not recorded"],
    [shown.constructor_args_raw === null, "constructor_args_raw", "they cannot be separated from the creation code"],
  ];
  return reasons.flatMap(([is_missing, field, reason]) => (is_missing ? [{ field, reason }] : []));
};

const describe = async (
  context: CallContext,
  subject: CreationSubject,
  found: { readonly creation: ContractCreation; readonly code: Bytes; readonly code_hash: Hex },
): Promise<CreationOutput> => {
  const { chain, contract, snapshot, at, signal } = subject;
  const { creation, code } = found;
  const [transaction, labels, implementation] = await Promise.all([
    creatingTransaction(subject, creation),
    labelsOf(context.facts, snapshot, creation.deployer === null ? [] : [creation.deployer]),
    readImplementation({ chain, address: contract, code, at, signal }),
  ]);
  const inputs = readInputs(contract, creation, { input: transaction?.input ?? null, code });
  const warnings: Warning[] =
    creation.tx_hash !== null && transaction === null
      ? [
          {
            code: "CREATION_INPUT_UNREAD",
            message: "No node returned the creating transaction: salt and arguments are missing.",
          },
        ]
      : [];
  const shown = (hex: Hex | null): string | null => (hex === null ? null : chain.formatAddress(hex));
  const { deployer } = creation;
  const party = labels.get(deployer ?? "") ?? UNKNOWN_PARTY;
  const answer = {
    type: "contract_creation" as const,
    contract_address: chain.formatAddress(contract),
    network: chain.network.id,
    deployer:
      deployer === null ? null : { address: chain.formatAddress(deployer), ...shownParty(party), tags: party.tags },
    factory: shown(creation.factory),
    creation_tx_hash: creation.tx_hash === null ? null : chain.formatHash(creation.tx_hash),
    block_number: creation.block_number,
    timestamp: iso(creation.time),
    method: creation.method,
    salt: inputs.salt === null ? null : `0x${toHex(inputs.salt)}`,
    init_code_hash: shownHash(inputs.init_hash),
    runtime_code_hash: shownHash(code.length > 0 ? toHex(keccak256(code)) : found.code_hash),
    is_proxy: implementation !== null,
    implementation: shown(implementation),
    is_self_destructed: code.length === 0,
    constructor_args_raw: inputs.args === null ? null : `0x${toHex(inputs.args)}`,
    found_in: creation.found_in,
    metadata: metadataFor(chain, snapshot, {
      echo: { contract_address: chain.formatAddress(contract) },
      methodology: METHODOLOGY,
      warnings,
    }),
  };
  return { ...answer, unavailable: reasonsOf(answer) };
};

export const getContractCreation = defineTool({
  name: "get_contract_creation",
  title: "Creation of a contract",
  description:
    "Deployer, factory, creation transaction, block and method (CREATE, CREATE2, predeploy, genesis) of a contract, with salt, constructor arguments and code hashes where they can be proven. Use it for who deployed a contract, when, and in which transaction it was created.",
  credits: 3,
  families: ["evm"],
  input,
  output,
  example: { contract_address: "0x7558181f03cb8aE550722eEd2A99AFdA956F33b4", network: "demo" },
  subjects: [],
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const contract = asked.contract_address.hex;
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const described = metadataFor(chain, snapshot, {
      echo: { contract_address: chain.formatAddress(contract) },
      methodology: METHODOLOGY,
    });
    const at = await nodeStateBlock({ chain, snapshot, signal: context.signal });
    if (at === null) return failed("COVERAGE_INCOMPLETE", noStateOf(snapshot), described);
    const subject: CreationSubject = { chain, contract, snapshot, at, signal: context.signal };
    const [indexed, { code }] = await Promise.all([
      indexedCreation(context, subject),
      chain.account(contract, context.signal, at),
    ]);
    if (indexed !== null) return data(await describe(context, subject, { ...indexed, code }));
    if (code.length === 0 || delegateOf(code) !== null) {
      return failed("NOT_A_CONTRACT", noCodeAt(asked.contract_address.text, snapshot), described);
    }
    if (!chain.can.archive) {
      const reason = "The contract is older than the index, and no node of this network has archive state to search.";
      return failed("COVERAGE_INCOMPLETE", reason, described);
    }
    const creation = await searchCreation({ chain, contract, signal: context.signal }, snapshot.block.number);
    return data(await describe(context, subject, { creation, code, code_hash: "" }));
  },
  view: {
    members:
      "contract_address network deployer factory method creation_tx_hash block_number timestamp is_proxy implementation is_self_destructed runtime_code_hash",
  },
});
