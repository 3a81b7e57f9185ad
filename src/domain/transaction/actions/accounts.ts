import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { uintAt } from "../../../lib/words.ts";
import type { EventReader } from "./action.ts";
import { type EventMapping, familyOf, readersOf } from "./event_rows.ts";

const SAFE = "safe-global/safe-smart-account contracts/Safe.sol";
const ENTRY_POINT = "eth-infinitism/account-abstraction contracts/interfaces/IEntryPoint.sol";

const safe = (event: string, type: "multisig_exec" | "multisig_failure"): readonly EventMapping[] => [
  // The transaction's hash is indexed since version 1.4.
  { event, source: SAFE, protocol: "Safe", type, topics: 2, words: 1, actor: "emitter" },
  { event, source: SAFE, protocol: "Safe", type, topics: 1, words: 2, actor: "emitter" },
];

const ROWS: readonly EventMapping[] = [
  ...safe(INTERFACES.safe.ExecutionSuccess, "multisig_exec"),
  ...safe(INTERFACES.safe.ExecutionFailure, "multisig_failure"),
];

const [asked] = readersOf([
  {
    event: INTERFACES.erc4337.UserOperationEvent,
    ...{ source: ENTRY_POINT, protocol: "ERC-4337", type: "user_operation", topics: 4, words: 4, actor: "t2" },
  },
]);

/** The second word reports whether the account's own call succeeded. */
const userOperation: readonly EventReader[] =
  asked === undefined
    ? []
    : [
        {
          ...asked,
          read: (log, scene) => {
            const action = asked.read(log, scene);
            if (action === null || uintAt(log.data, 1) !== 0n) return action;
            return { ...action, type: "user_operation_failure" };
          },
        },
      ];

/** Smart accounts: Safe, ERC-4337. */
export const accounts = familyOf([...readersOf(ROWS), ...userOperation]);
