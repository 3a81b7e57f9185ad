/** Parameter lists of name families: short lists of addresses and numbers, and longer lists seen on chain. */
const ATOMS = ["address", "uint256"] as const;

const listsOf = (length: number): readonly string[] =>
  length === 0
    ? [""]
    : listsOf(length - 1).flatMap((head) => ATOMS.map((atom) => (head === "" ? atom : `${head},${atom}`)));

/** Parameter lists of events. */
export const EVENT_PARAMETERS: readonly string[] = [
  ...[0, 1, 2, 3, 4].flatMap(listsOf),
  ...["address,uint256,bool", "address,uint256,bytes", "address,uint256,uint256,bool", "address,bytes32,uint256"],
  ...["uint256,address,uint256,uint256,uint256", "address,uint256,uint256,uint256,uint256", "address,uint128"],
  ...["address,address,uint256,uint256,uint256", "address,address,address,uint256,uint256", "address,uint256,uint128"],
  ...["address,uint256[]", "address,uint256[],uint256[]", "address,address[],uint256[]", "address,address,uint128"],
  ...["address,uint64,uint256", "address,uint32,uint256", "address,uint256,uint64", "address,uint256,uint32"],
  ...[
    "bytes32,address,uint256",
    "bytes32,address,address,uint256",
    "address,address,bytes32,uint256",
    "address,uint96",
  ],
  ...["uint256,uint256,address,uint256", "address,address,uint256,bytes", "address,uint112", "address,uint160"],
  ...["address,uint256,uint40", "address,uint256,uint8", "uint256,address,address,uint256,uint256", "uint128"],
];

/** Parameter lists of functions. */
export const FUNCTION_PARAMETERS: readonly string[] = [
  ...[0, 1, 2, 3].flatMap(listsOf),
  ...["address,address,uint256,uint256", "address,uint256,uint256,uint256", "uint256,uint256,uint256,uint256"],
  ...["uint256[]", "address[]", "address,uint256[]", "address,address[]", "address[],uint256[]", "bytes32[]", "bool"],
  ...[
    "uint256,address,uint256,bytes32[]",
    "address,uint256,bytes32[]",
    "uint256,uint256,bytes32[]",
    "uint256[],address",
  ],
  ...["uint256,bytes32[]", "address,address,uint256,bytes32[]", "uint256,address,uint256,bytes32[],bytes"],
  ...[
    "address,uint256,uint256,bytes32[]",
    "address,uint256,bytes",
    "uint256,bytes",
    "address,bytes",
    "bytes",
    "int128",
  ],
  ...[
    "address,string",
    "string",
    "uint256,string",
    "address,address[],uint256[]",
    "address[],address[]",
    "uint256,bool",
    "address,bool",
    "uint256,uint256,bool",
  ],
  ...["address,uint256,bool", "address,address,bool", "uint256,address,bool", "uint256,bytes32[],address", "uint128"],
  ...["address,uint256,uint256,bytes32[],bytes", "bytes32,address,uint256,bytes32[]", "address,bytes32[],uint256"],
  ...["uint256,address[]", "uint256,uint256[]", "uint256[],uint256[]", "address,uint256,address,uint256", "bytes32"],
  ...["address,uint128", "uint96", "address,uint96", "uint128,address", "uint256,uint128", "address,uint256,uint64"],
  ...["address,address[],address", "address[],bool", "uint256,address[][]", "address[],address[][],uint256"],
];
