import { type EventRow, familyOf, readersOf } from "./event_rows.ts";

const V2 = "aave/protocol-v2 contracts/interfaces/ILendingPool.sol";
const V3 = "aave-dao/aave-v3-origin src/contracts/interfaces/IPool.sol";

/** The reserve is the first indexed field everywhere; who acts and how much stand behind it. */
const ROWS: readonly EventRow[] = [
  {
    event: "Deposit(address,address,address,uint256,uint16)",
    ...{ source: V2, type: "supply", protocol: "Aave v2", topics: 4, words: 2 },
    actor: "w0",
    given: [{ token: "t1", amount: "w1" }],
  },
  {
    event: "Supply(address,address,address,uint256,uint16)",
    ...{ source: V3, type: "supply", protocol: "Aave v3", topics: 4, words: 2 },
    actor: "w0",
    given: [{ token: "t1", amount: "w1" }],
  },
  {
    event: "Withdraw(address,address,address,uint256)",
    ...{ source: V2, type: "withdraw", protocol: "Aave", topics: 4, words: 1 },
    actor: "t2",
    received: [{ token: "t1", amount: "w0" }],
  },
  {
    event: "Borrow(address,address,address,uint256,uint256,uint256,uint16)",
    ...{ source: V2, type: "borrow", protocol: "Aave v2", topics: 4, words: 4 },
    actor: "w0",
    received: [{ token: "t1", amount: "w1" }],
  },
  {
    event: "Borrow(address,address,address,uint256,uint8,uint256,uint16)",
    ...{ source: V3, type: "borrow", protocol: "Aave v3", topics: 4, words: 4 },
    actor: "w0",
    received: [{ token: "t1", amount: "w1" }],
  },
  {
    event: "Repay(address,address,address,uint256)",
    ...{ source: V2, type: "repay", protocol: "Aave v2", topics: 4, words: 1 },
    actor: "t3",
    given: [{ token: "t1", amount: "w0" }],
  },
  {
    event: "Repay(address,address,address,uint256,bool)",
    ...{ source: V3, type: "repay", protocol: "Aave v3", topics: 4, words: 2 },
    actor: "t3",
    given: [{ token: "t1", amount: "w0" }],
  },
  {
    // collateral t1, debt t2, user t3; debt covered, collateral taken, liquidator, whether aTokens were taken
    event: "LiquidationCall(address,address,address,uint256,uint256,address,bool)",
    ...{ source: V2, type: "liquidation", protocol: "Aave", topics: 4, words: 4 },
    actor: "w2",
    given: [{ token: "t2", amount: "w0" }],
    received: [{ token: "t1", amount: "w1" }],
  },
];

/** Money markets of the Aave family. */
export const lending = familyOf(readersOf(ROWS));
