import { type EventRow, familyOf, readersOf } from "./event_rows.ts";

const GOVERNOR = "OpenZeppelin/openzeppelin-contracts contracts/governance/IGovernor.sol";
const VOTES = "OpenZeppelin/openzeppelin-contracts contracts/governance/utils/IVotes.sol";
const PROPOSAL = "uint256,address,address[],uint256[],string[],bytes[],uint256,uint256,string";

const ROWS: readonly EventRow[] = [
  {
    event: `ProposalCreated(${PROPOSAL})`,
    ...{ source: GOVERNOR, protocol: "Governor", type: "propose", topics: 1, words: 9, is_dynamic: true },
    actor: "w1",
  },
  {
    event: "VoteCast(address,uint256,uint8,uint256,string)",
    ...{ source: GOVERNOR, protocol: "Governor", type: "vote", topics: 2, words: 5, is_dynamic: true },
    actor: "t1",
  },
  {
    event: "ProposalExecuted(uint256)",
    ...{ source: GOVERNOR, protocol: "Governor", type: "execute_proposal", topics: 1, words: 1 },
    actor: "sender",
  },
  {
    event: "DelegateChanged(address,address,address)",
    ...{ source: VOTES, protocol: null, type: "delegate_votes", topics: 4, words: 0 },
    actor: "t1",
  },
];

/** Proposals and votes. */
export const governance = familyOf(readersOf(ROWS));
