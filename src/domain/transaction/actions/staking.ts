import { type EventRow, familyOf, readersOf } from "./event_rows.ts";

const VAULT = "EIP-4626";
const REWARDS = "Synthetixio/synthetix contracts/StakingRewards.sol";
const LIDO = "lidofinance/core contracts/0.4.24/Lido.sol";
const BEACON = "ethereum/consensus-specs solidity_deposit_contract/deposit_contract.sol";

const ROWS: readonly EventRow[] = [
  {
    event: "Deposit(address,address,uint256,uint256)",
    ...{ source: VAULT, protocol: "ERC-4626", type: "stake", topics: 3, words: 2, actor: "t1" },
    given: [{ token: "moved", amount: "w0" }],
    received: [{ token: "emitter", amount: "w1" }],
  },
  {
    event: "Withdraw(address,address,address,uint256,uint256)",
    ...{ source: VAULT, protocol: "ERC-4626", type: "unstake", topics: 4, words: 2, actor: "t3" },
    given: [{ token: "emitter", amount: "w1" }],
    received: [{ token: "moved", amount: "w0" }],
  },
  {
    event: "Staked(address,uint256)",
    ...{ source: REWARDS, protocol: null, type: "stake", topics: 2, words: 1, actor: "t1" },
    given: [{ token: "moved", amount: "w0" }],
  },
  {
    event: "Withdrawn(address,uint256)",
    ...{ source: REWARDS, protocol: null, type: "unstake", topics: 2, words: 1, actor: "t1" },
    received: [{ token: "moved", amount: "w0" }],
  },
  {
    event: "RewardPaid(address,uint256)",
    ...{ source: REWARDS, protocol: null, type: "claim_reward", topics: 2, words: 1, actor: "t1" },
    received: [{ token: "moved", amount: "w0" }],
  },
  {
    event: "Submitted(address,uint256,address)",
    ...{ source: LIDO, protocol: "Lido", type: "stake", topics: 2, words: 2, actor: "t1" },
    given: [{ token: "native", amount: "w0" }],
  },
  {
    event: "DepositEvent(bytes,bytes,bytes,bytes,bytes)",
    ...{ source: BEACON, protocol: "Beacon chain", type: "stake", topics: 1, words: 5, is_dynamic: true },
    actor: "sender",
  },
];

/** Vaults, staking and its rewards. */
export const staking = familyOf(readersOf(ROWS));
