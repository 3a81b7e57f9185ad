/**
 * Names of instructions. Programs of the network number their instructions; a program made with Anchor identifies each
 * by the first eight bytes of a hash of its name (anchor-lang, `sighash("global", name)`), whatever its author.
 */
import { createHash } from "node:crypto";
import { type Bytes, type Hex, toHex } from "../../lib/bytes.ts";
import type { DecodedCall } from "../transaction_details.ts";
import type { Accounts } from "./accounts.ts";
import { u32At } from "./integers.ts";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  LOADER_V4,
  MEMO_PROGRAMS,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  UPGRADEABLE_LOADER,
  VOTE_PROGRAM,
} from "./programs.ts";
import type { SolanaInstruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

/** Instructions of a program by number, which its first `bytes` bytes state. */
interface NumberedMethods {
  readonly bytes: 1 | 4;
  readonly names: readonly string[];
}

const words = (text: string): readonly string[] => text.split(" ");

/** spl-token and spl-token-2022 instruction.rs. */
const TOKEN: NumberedMethods = {
  bytes: 1,
  names: words(
    "initializeMint initializeAccount initializeMultisig transfer approve revoke setAuthority mintTo burn closeAccount " +
      "freezeAccount thawAccount transferChecked approveChecked mintToChecked burnChecked initializeAccount2 syncNative " +
      "initializeAccount3 initializeMultisig2 initializeMint2 getAccountDataSize initializeImmutableOwner " +
      "amountToUiAmount uiAmountToAmount initializeMintCloseAuthority transferFeeExtension " +
      "confidentialTransferExtension defaultAccountStateExtension reallocate memoTransferExtension createNativeMint " +
      "initializeNonTransferableMint interestBearingMintExtension cpiGuardExtension initializePermanentDelegate " +
      "transferHookExtension confidentialTransferFeeExtension withdrawExcessLamports metadataPointerExtension " +
      "groupPointerExtension groupMemberPointerExtension",
  ),
};

/**
 * Names follow the interface crates of each program (solana-system-interface, -stake-, -vote-, -loader-v3-,
 * -loader-v4-).
 */
const NUMBERED: ReadonlyMap<Hex, NumberedMethods> = new Map<Hex, NumberedMethods>([
  [TOKEN_PROGRAM, TOKEN],
  [TOKEN_2022_PROGRAM, TOKEN],
  [ASSOCIATED_TOKEN_PROGRAM, { bytes: 1, names: words("createAccount createIdempotent recoverNested") }],
  [
    COMPUTE_BUDGET_PROGRAM,
    {
      bytes: 1,
      names: words(
        "requestUnits requestHeapFrame setComputeUnitLimit setComputeUnitPrice setLoadedAccountsDataSizeLimit",
      ),
    },
  ],
  [
    SYSTEM_PROGRAM,
    {
      bytes: 4,
      names: words(
        "createAccount assign transfer createAccountWithSeed advanceNonce withdrawFromNonce initializeNonce " +
          "authorizeNonce allocate allocateWithSeed assignWithSeed transferWithSeed upgradeNonce",
      ),
    },
  ],
  [
    STAKE_PROGRAM,
    {
      bytes: 4,
      names: words(
        "initializeStake authorizeStake delegateStake splitStake withdrawStake deactivateStake setLockup mergeStake " +
          "authorizeStakeWithSeed initializeStakeChecked authorizeStakeChecked authorizeStakeCheckedWithSeed " +
          "setLockupChecked getMinimumDelegation deactivateDelinquentStake redelegateStake moveStake moveLamports",
      ),
    },
  ],
  [
    VOTE_PROGRAM,
    {
      bytes: 4,
      names: words(
        "initializeVoteAccount authorizeVoter vote withdrawFromVoteAccount updateValidatorIdentity updateCommission " +
          "voteSwitch authorizeVoterChecked updateVoteState updateVoteStateSwitch authorizeVoterWithSeed " +
          "authorizeVoterCheckedWithSeed compactUpdateVoteState compactUpdateVoteStateSwitch towerSync towerSyncSwitch",
      ),
    },
  ],
  [
    UPGRADEABLE_LOADER,
    {
      bytes: 4,
      names: words(
        "initializeBuffer writeBuffer deployProgram upgradeProgram setProgramAuthority closeProgram extendProgram " +
          "setProgramAuthorityChecked",
      ),
    },
  ],
  [
    LOADER_V4,
    {
      bytes: 4,
      names: words(
        "writeProgram copyProgram setProgramLength deployProgram retractProgram transferProgramAuthority finalizeProgram",
      ),
    },
  ],
]);

const DISCRIMINATOR_BYTES = 8;

/** Instructions of markets, launchpads and vaults made with Anchor. */
const ANCHOR: ReadonlyMap<Hex, string> = new Map(
  words(
    "swap swap_v2 two_hop_swap two_hop_swap_v2 swap_base_input swap_base_output swap2 swap_exact_out swap_exact_out2 " +
      "swap_with_price_impact route route_v2 route_with_token_ledger exact_out_route shared_accounts_route " +
      "shared_accounts_route_v2 shared_accounts_exact_out_route shared_accounts_route_with_token_ledger buy buy_v2 " +
      "buy_exact_in buy_exact_out buy_exact_sol_in buy_exact_quote_in sell sell_v2 sell_exact_in sell_exact_out create " +
      "create_v2 migrate create_pool initialize initialize_pool initialize_pool_v2 initialize_v2 open_position " +
      "open_position_v2 close_position increase_liquidity increase_liquidity_v2 decrease_liquidity decrease_liquidity_v2 " +
      "collect_fees collect_fees_v2 collect_reward add_liquidity add_liquidity2 add_liquidity_by_strategy " +
      "add_liquidity_by_strategy2 remove_liquidity remove_liquidity2 remove_liquidity_by_range remove_all_liquidity " +
      "deposit withdraw stake unstake claim claim_fee mint burn close execute transfer",
  ).map((name): readonly [Hex, string] => [
    toHex(createHash("sha256").update(`global:${name}`).digest().subarray(0, DISCRIMINATOR_BYTES)),
    name,
  ]),
);

/** Never throws on untrusted content; unknown bytes have no name. */
export const calledBy = ({ program, call }: SolanaInstruction, accounts: Accounts): DecodedCall => {
  const id = accounts.hex(program);
  const numbered = NUMBERED.get(id);
  const is_memo = MEMO_PROGRAMS.has(id);
  const is_protocol = numbered !== undefined || is_memo;
  if ("type" in call) return { selector: null, name: call.type === "" ? null : call.type, is_protocol };
  if (is_memo) return { selector: null, name: "memo", is_protocol };
  const data = typeof call.data === "string" ? dataOf(call.data, "data") : call.data;
  if (numbered !== undefined) return { ...numberedCall(data, numbered, id), is_protocol };
  const selector = data.subarray(0, DISCRIMINATOR_BYTES);
  return { selector: orNull(selector), name: ANCHOR.get(toHex(selector)) ?? null, is_protocol };
};

const orNull = (bytes: Bytes): Bytes | null => (bytes.length === 0 ? null : bytes);

const numberedCall = (
  data: Bytes,
  { bytes, names }: NumberedMethods,
  program: Hex,
): Omit<DecodedCall, "is_protocol"> => {
  // The first version of the program for associated accounts took no data.
  const is_bare = data.length === 0 && program === ASSOCIATED_TOKEN_PROGRAM;
  const number = is_bare ? 0 : bytes === 1 ? data[0] : u32At(data, 0);
  const name = number === undefined || number === null ? null : (names[number] ?? null);
  return { selector: orNull(data.subarray(0, bytes)), name };
};
