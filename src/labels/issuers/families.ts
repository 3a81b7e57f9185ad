import { assumedView, event, type IssuerFamily, type IssuerPowers, view } from "./family.ts";

const POWERS: IssuerPowers = { freeze: true, seize_or_destroy: false, pause: true, upgradeable: true };
const DESTROYING: IssuerPowers = { ...POWERS, seize_or_destroy: true };
/** Only the freeze itself was read. */
const FREEZING: IssuerPowers = { freeze: true, seize_or_destroy: null, pause: null, upgradeable: null };

/**
 * The ways in which issuers freeze. The same first topic may be laid out differently by another family (AccountFrozen of
 * Agora and of Frax), so a coin names its family and nothing is guessed from the topic.
 */
export const ISSUER_FAMILIES: readonly IssuerFamily[] = [
  {
    id: "tether_legacy",
    source: "TetherToken.sol (USDT on Ethereum and Tron)",
    views: [view("isBlackListed(address)"), view("getBlackListStatus(address)")],
    events: [
      event("freeze", "AddedBlackList(address)", "data0"),
      event("unfreeze", "RemovedBlackList(address)", "data0"),
      event("destroy", "DestroyedBlackFunds(address,uint256)", { account_at: "data0", amount_at: "data1" }),
    ],
    // It cannot be upgraded, but it can be deprecated in favour of another contract.
    powers: { ...DESTROYING, upgradeable: false },
  },
  {
    id: "tether_new",
    source: "TetherTokenV2.sol, WithBlockedList.sol (USDT0, XAUT, USAT)",
    views: [assumedView("isBlocked(address)")],
    events: [
      event("freeze", "BlockPlaced(address)", "topic1"),
      event("unfreeze", "BlockReleased(address)", "topic1"),
      event("destroy", "DestroyedBlockedFunds(address,uint256)", { account_at: "topic1", amount_at: "data0" }),
    ],
    powers: { ...DESTROYING, pause: false },
  },
  {
    id: "circle",
    source: "centre-tokens Blacklistable.sol (USDC, EURC)",
    views: [view("isBlacklisted(address)")],
    events: [event("freeze", "Blacklisted(address)", "topic1"), event("unfreeze", "UnBlacklisted(address)", "topic1")],
    powers: POWERS,
  },
  {
    // Coins that a bridge issues: some of its contracts carry the freeze of the original, some have none.
    id: "tether_bridged",
    source: "TetherToken.sol, where a bridge deployed it or the issuer upgraded it in place",
    views: [assumedView("isBlackListed(address)")],
    events: [
      event("freeze", "AddedBlackList(address)", "data0"),
      event("unfreeze", "RemovedBlackList(address)", "data0"),
      event("destroy", "DestroyedBlackFunds(address,uint256)", { account_at: "data0", amount_at: "data1" }),
    ],
    powers: FREEZING,
  },
  {
    id: "circle_bridged",
    source: "Circle's bridged USDC standard, and bridges' own contracts",
    views: [assumedView("isBlacklisted(address)")],
    events: [event("freeze", "Blacklisted(address)", "topic1"), event("unfreeze", "UnBlacklisted(address)", "topic1")],
    powers: FREEZING,
  },
  {
    id: "paxos_v2",
    source: "paxos-token-contracts PaxosTokenV2.sol (PYUSD, USDG, USDP)",
    views: [view("isFrozen(address)")],
    events: [
      event("freeze", "FreezeAddress(address)", "topic1"),
      event("unfreeze", "UnfreezeAddress(address)", "topic1"),
      // What was destroyed is what the account held one block before.
      event("destroy", "FrozenAddressWiped(address)", "topic1"),
    ],
    powers: DESTROYING,
  },
  {
    id: "paxos_v1",
    source: "paxos-gold-contract PAXGImplementation.sol (PAXG, BUSD, early USDP)",
    views: [view("isFrozen(address)")],
    events: [
      event("freeze", "AddressFrozen(address)", "topic1"),
      event("unfreeze", "AddressUnfrozen(address)", "topic1"),
      event("destroy", "FrozenAddressWiped(address)", "topic1"),
    ],
    powers: DESTROYING,
  },
  {
    id: "dual_index",
    source: "USD1 Stablecoin.sol; FDUSD, EURI, U, AEUR by their events",
    views: [view("frozen(address)"), assumedView("isFrozen(address)")],
    events: [
      event("freeze", "Freeze(address,address)", "topic2"),
      event("unfreeze", "Unfreeze(address,address)", "topic2"),
      event("destroy", "FrozenAccountDrained(address,address,uint256)", { account_at: "topic2", amount_at: "data0" }),
      event("seize", "FrozenFundsReallocated(address,address,address,uint256)", {
        account_at: "topic2",
        amount_at: "data0",
      }),
    ],
    powers: DESTROYING,
  },
  {
    id: "ripple",
    source: "RLUSD, AccountPausable",
    views: [view("accountPaused(address)")],
    // `clawback(address,uint256)` takes coins without an event of its own.
    events: [
      event("freeze", "AccountPaused(address)", "data0"),
      event("unfreeze", "AccountUnpaused(address)", "data0"),
    ],
    powers: DESTROYING,
  },
  {
    id: "trueusd",
    source: "TrueUSD by its events; no public getter is known",
    views: [],
    events: [
      event("freeze", "Blacklisted(address,bool)", { account_at: "topic1", direction_bool_at: "data0" }),
      event("destroy", "DestroyedBlackFunds(address,uint256)", { account_at: "topic1", amount_at: "data0" }),
    ],
    powers: { ...DESTROYING, pause: null },
  },
  {
    id: "agora",
    source: "AUSD and MNEE by their events",
    views: [assumedView("isAccountFrozen(address)")],
    events: [
      event("freeze", "AccountFrozen(address)", "topic1"),
      event("unfreeze", "AccountUnfrozen(address)", "topic1"),
      event("seize", "FundsConfiscated(address,uint256,address)", { account_at: "topic1", amount_at: "topic2" }),
    ],
    powers: DESTROYING,
  },
  {
    id: "frax",
    source: "frax frxUSD, freezing mixin",
    views: [assumedView("isFrozen(address)")],
    events: [event("freeze", "AccountFrozen(address)", "data0"), event("unfreeze", "AccountThawed(address)", "data0")],
    powers: { ...DESTROYING, seize_or_destroy: null },
  },
  {
    id: "batch_blocked",
    source: "USDtb by its events",
    views: [],
    events: [
      event("freeze", "AccountsBlocked(address[])", "data_array"),
      event("unfreeze", "AccountsUnblocked(address[])", "data_array"),
    ],
    powers: FREEZING,
  },
  {
    id: "batch_denied",
    source: "deny lists by their events (AID)",
    views: [],
    events: [
      event("freeze", "AddedToDenyList(address[])", "data_array"),
      event("unfreeze", "RemovedFromDenyList(address[])", "data_array"),
    ],
    powers: FREEZING,
  },
  {
    id: "batch_frozen",
    source: "Societe Generale-Forge IAccessControl.sol (EURCV, USDCV)",
    views: [],
    events: [
      event("freeze", "AddressesFrozen(address[])", "data_array"),
      event("unfreeze", "AddressesUnFrozen(address[])", "data_array"),
    ],
    powers: FREEZING,
  },
  {
    id: "jpyc",
    source: "JPYC Blocklistable.sol",
    views: [],
    events: [event("freeze", "Blocklisted(address)", "topic1"), event("unfreeze", "UnBlocklisted(address)", "topic1")],
    powers: FREEZING,
  },
  {
    id: "fidelity",
    source: "FIDD Restrictable.sol",
    views: [assumedView("isTransferRestrictionImposed(address)")],
    events: [
      event("freeze", "TransferRestrictionImposed(address)", "topic1"),
      event("unfreeze", "TransferRestrictionRemoved(address)", "topic1"),
    ],
    powers: FREEZING,
  },
  {
    id: "openeden",
    source: "USDO.sol",
    views: [],
    events: [
      event("freeze", "AccountBanned(address)", "topic1"),
      event("unfreeze", "AccountUnbanned(address)", "topic1"),
    ],
    powers: FREEZING,
  },
  {
    id: "usdx",
    source: "USDX IBlacklist.sol",
    views: [],
    events: [
      event("freeze", "AddedBlacklist(address)", "data0"),
      event("unfreeze", "RemovedBlacklist(address)", "data0"),
    ],
    powers: FREEZING,
  },
  {
    // It can take coins, and has no freeze of its own.
    id: "securitize",
    source: "BUIDL DSToken by its event",
    views: [],
    events: [event("seize", "Seize(address,address,uint256,string)", { account_at: "topic1", amount_at: "data0" })],
    powers: { freeze: false, seize_or_destroy: true, pause: null, upgradeable: null },
  },
  {
    // The chain tells freezes without logs, and each mint says itself who may freeze (chains/token_accounts.ts).
    id: "token_authority",
    source: "spl-token and token-2022 interface, instruction.rs: FreezeAccount, ThawAccount",
    views: [],
    events: [],
    powers: { freeze: null, seize_or_destroy: null, pause: null, upgradeable: false },
  },
];

export const ISSUER_FAMILY_IDS: readonly string[] = ISSUER_FAMILIES.map(({ id }) => id);
