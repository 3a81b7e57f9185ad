import type { WrittenGroup } from "./contract.ts";

const market = (name: string, version: string | null, at: WrittenGroup["at"]): WrittenGroup => ({
  ...{ name, version, role: "market", at },
});

/** Names, gifts, votes, claims, and who carries out what others ask for. Sources: each protocol's documentation and deployment lists. */
export const COMMUNITIES: readonly WrittenGroup[] = [
  market("Omni", null, { ethereum: ["d2639676da3dea5491d27da19340556b3a7d58b8"] }),
  market("Safe", null, { ethereum: ["0a7cb434f96f65972d46a5c1a64a9654dc9959b2"] }),
  market("Pendle", null, { ethereum: ["4f30a9d41b80ecc5b94306ab4364951ae3170210"] }),
  market("Convex", null, {
    ethereum: [
      "f403c135812408bfbe8713b5a23a04b3d48aae31",
      "cf50b810e57ac33b91dcf525c6ddd9881b139332",
      "72a19342e8f1838460ebfccef09f6585e32db86e",
      "f34dff761145ff0b05e917811d488b441f33a968",
    ],
  }),
  market("Votium", null, { ethereum: ["378ba9b73309be80bf4c2c027aad799766a7ed5a"] }),
  market("Paladin", null, { ethereum: ["ce6dc32252d85e2e955bfd3b85660917f040a933"] }),
  market("Merkl", null, { evm: ["3ef3d8ba38ebe18db133cec108f4d14ce00dd9ae"] }),
  market("Umami", null, {
    arbitrum: ["5f851f67d24419982ecd7b7765defd64fbb50a97", "52f6159dcae4ce617a3d50aeb7fab617526d9d8f"],
  }),
  market("Beefy", null, { optimism: ["e82343a116d2179f197111d92f9b53611b43c01c"] }),
  market("Extra Finance", null, {
    optimism: ["f9cfb8a62f50e10adde5aa888b44cf01c5957055", "bb505c54d71e9e599cb8435b4f0ceec05fc71cbd"],
    base: ["f9cfb8a62f50e10adde5aa888b44cf01c5957055", "bb505c54d71e9e599cb8435b4f0ceec05fc71cbd"],
  }),
  market("Harvest Finance", null, { ethereum: ["ee24de972295c20177e82bde34f64ca5c11958eb"] }),
  market("ENS", null, {
    ethereum: [
      "253553366da8546fc250f225fe3d25d0c782303b",
      "283af0b28c62c092c9727f1ee09c02ca627eb7f5",
      "57f1887a8bf19b14fc0df6fd9b2acc9af147ea85",
      "d4416b13d2b3a9abae7acd5d6c2bbdbe25686401",
      "231b0ee14048e9dccd1d247744d114a4eb5e8e63",
      "4976fb03c32e5b8cfe2b6ccb31c09ba78ebaba41",
      "00000000000c2e074ec69a0dfb2997ba6c7d2e1e",
      "a58e81fe9b61b5c3fe2afd33cf304c454abfc7cb",
      "323a76393544d5ecca80cd6ef2a560c6a395b7e3",
      "c18360217d8f7ab5e7c516566761ea12ce7f9d72",
      "f55575bde5953ee4272d5ce7cdd924c74d8fa81a",
      "ff252725f6122a92551a5fa9a6b6bf10eb0be035",
    ],
  }),
  market("Basenames", null, {
    base: [
      "4ccb0bb02fcaba27e82a56646e81d8c5bc4119a5",
      "c6d566a56a1aff6508b41f6c90ff131615583bcd",
      "03c4738ee98ae44591e1a4a4f3cab6641d95dd9a",
      "b94704422c2a1e396835a571837aa5ae53285a95",
    ],
  }),
  market("Gwei Names", null, { ethereum: ["9d51d507bc7264d4fe8ad1cf7fe191933a0a81d6"] }),
  market("EAS", null, {
    optimism: ["4200000000000000000000000000000000000021"],
    base: ["4200000000000000000000000000000000000021"],
    ethereum: ["a1207f3bba224e2c9c3c6d5af63d0eb1582ce587"],
    arbitrum: ["bd75f629a22dc1ced33dda0b68c546a1c035c458"],
  }),
  market("Gitcoin", null, {
    ethereum: [
      "de30da39c46104798bb5aa3fe8b9e0e1f348163f",
      "dbd27635a534a3d3169ef0498beb56fb9c937489",
      "7d655c57f71464b6f83811c55d84009cd9f5221c",
    ],
    evm: ["1133ea7af70876e64665ecd07c0a0476d09465a1"],
    arbitrum: ["eb2addd987c2c4eff3237ed6d829c214198c0189", "2ce7e4cb5edb140a9327e67de85463186e757c8f"],
  }),
  market("Giveth", null, { evm: ["6e349c56f512cb4250276bf36335c8dd618944a1"] }),
  market("Juicebox", null, {
    ethereum: [
      "1d9619e10086fdc1065b114298384aae3f680cc0",
      "fa391de95fcbcd3157268b91d8c7af083e607a5c",
      "594cb208b5bb48db1bcbc9354d1694998864ec63",
    ],
  }),
  market("Drips", "v1", { ethereum: ["73043143e0a6418cc45d82d4505b096b802fd365"] }),
  market("clr.fund", null, {
    arbitrum: ["ed67d6682dc88e06c66e188027ca883455afdada", "d2020926c0f1f8990de806ebbad510fa4b9b6f45"],
  }),
  market("Superfluid", null, { evm: ["cfa132e353cb4e398080b9700609bb008eceb125"] }),
  market("Ethereum Follow Protocol (EFP)", null, {
    evm: ["4ca00413d850dcfa3516e14d21dae2772f2acb85"],
    base: ["41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33"],
    optimism: ["4ca00413d850dcfa3516e14d21dae2772f2acb85"],
  }),
  market("Farcaster", null, {
    optimism: [
      "00000000fcce7f938e7ae6d3c335bd6a1a7c593d",
      "00000000fc25870c6ed6b6c7e41fb078b7656f69",
      "00000000fc6c5f01fc30151999387bb99a9f489b",
    ],
    base: ["00000000fc84484d585c3cf48d213424dfde43fd"],
  }),
  market("DeFi Saver", null, { ethereum: ["1612fc28ee0ab882ec99842cde0fc77ff0691e90"] }),
  market("Summer.fi", null, { ethereum: ["f7b75183a2829843db06266c114297dfbfaee2b6"] }),
  market("Hop", null, {
    ethereum: ["ed8bdb5895b8b7f9fdb3c087628fd8410e853d48"],
    gnosis: ["2c2ab81cf235e86374468b387e241df22459a265"],
  }),
  market("Arbitrum", null, {
    arbitrum: [
      "467923b9ae90bdb36ba88eca11604d45f13b712c",
      "f07ded9dc292157749b6fd268e37df6ea38395b9",
      "789fc99093b09ad01c34dc7251d0c89ce743e5a4",
      "912ce59144191c1204e64559fe8253a0e49e6548",
      "67a24ce4321ab3af51c2d0a4801c3e111d88c9d9",
    ],
  }),
  market("Optimism", null, {
    optimism: ["4200000000000000000000000000000000000042", "cdf27f107725988f2261ce2256bdfcde8b382b10"],
  }),
  market("Uniswap", null, {
    ethereum: ["1f9840a85d5af5bf1d1762f925bdaddc4201f984", "408ed6354d4973f66138c91495f2f2fcbd8724c3"],
  }),
  market("Compound", null, {
    ethereum: ["c0da02939e1441f497fd74f78ce7decb17b66529", "c00e94cb662c3520282e6f5717214004a7f26888"],
  }),
  market("DIVA", null, { ethereum: ["bfabde619ed5c4311811cf422562709710db587d"] }),
  market("Mint Club", null, { base: ["1349a9ddee26fe16d0d44e35b3cb9b0ca18213a4"] }),
  market("Degen", null, {
    base: ["a2a5c549a454a1631ff226e0cf8dc4af03a61a75", "4ed4e862860bed51a9570b96d89af5e1b0efefed"],
  }),
  market("Scroll", null, {
    scroll: ["e8be8eb940c0ca3bd19d911cd3bebc97bea0ed62", "d29687c813d741e2f938f4ac377128810e217b1b"],
  }),
  market("Yearn", null, {
    ethereum: [
      "feb4acf3df3cdea7399794d0869ef76a6efaff52",
      "0bc529c00c6401aef6d220be8c6ea1667f6ad93e",
      "ba37b002abafdd8e89a1995da52740bbc013d992",
    ],
  }),
  market("Pickle", null, {
    ethereum: ["b4ebc2c371182deea04b2264b9ff5ac4f0159c69", "bbcf169ee191a1ba7371f30a1c344bfc498b29cf"],
  }),
  market("Snapshot", null, { evm: ["469788fe6e9e9681c6ebf3bf78e7fd26fc015446"] }),
  market("Octant", null, { ethereum: ["879133fd79b7f48ce1c368b0fca9ea168eaf117c"] }),
  market("Sablier", null, {
    ethereum: ["cd18eaa163733da39c232722cbc4e8940b1d8888", "afb979d9afad1ad27c5eff4e27226e3ab9e5dcc9"],
  }),
  {
    name: "Spark",
    version: null,
    role: "shares",
    at: {
      base: ["5875eee11cf8398102fdad704c9e96607675467a"],
      arbitrum: ["ddb46999f8891663a8f2828d25298f70416d7610"],
      optimism: ["b5b2dc7fd34c249f4be7fb1fcea07950784229e0"],
      ethereum: ["a3931d71877c0e7a3148cb7eb4463524fec27fbd"],
    },
  },
  {
    name: "ERC-4337",
    version: null,
    role: "envelope",
    at: {
      evm: [
        "5ff137d4b0fdcd49dca30c7cf57e578a026d2789",
        "0000000071727de22e5e9d8baf0edac6f37da032",
        "4337084d9e255ff0702461cf8895ce9e3b5ff108",
      ],
    },
  },
  {
    name: "Multicall",
    version: null,
    role: "envelope",
    at: {
      evm: [
        "ca11bde05977b3631167028862be2a173976ca11",
        "40a2accbd92bca938b02010e17a5b8929b49130d",
        "a238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
      ],
    },
  },
  { name: "Permit2", version: null, role: "envelope", at: { evm: ["000000000022d473030f116ddee9f6b43ac78ba3"] } },
  market("Yearn", null, {
    ethereum: [
      "a354f35829ae975e850e23e9615b11da1b3dc4de",
      "da816459f1ab5631232fe5e97a05bbbb94970c95",
      "7da96a3891add058ada2e826306d812c638d87a7",
      "a258c4606ca8206d8aa700ce2143d7db854d168c",
      "dcd90c7f6324cfa40d7169ef80b12031770b4325",
      "597ad1e0c13bfe8025993d9e79c69e1c0233522e",
      "e1237aa7f535b0cc33fd973d66cbf830354d16c7",
      "5dbcf33d8c2e976c6b560249878e6f1491bca25c",
      "16de59092dae5ccf4a1e6439d611fd0653f0bd01",
    ],
  }),
  market("Maker", null, {
    ethereum: [
      "07ee93aeea0a36fff2a9b95dd22bd6049ee54f26",
      "3225737a9bbb6473cb4a45b7244aca2befdb276a",
      "f6e72db5454dd049d0788e411b06cfaf16853042",
    ],
  }),
  market("Gitcoin", null, {
    ethereum: ["03506ed3f57892c85db20c36846e9c808afe9ef4"],
    optimism: ["8e1bd5da87c14dd8e08f7ecc2abf9d1d558ea174"],
  }),
  market("Aura", null, {
    ethereum: ["a57b8d98dae62b26ec3bcc4a365338157060b234", "3fa73f1e5d8a792c80f426fc8f84fbf7ce9bbcac"],
  }),
  market("Rainbow", null, { evm: ["00000000009726632680fb29d3f7a9734e3010e2"] }),
  market("Compound", "v2", {
    ethereum: [
      "158079ee67fce2f58472a96584a73c7ab9ac95c1",
      "b3319f5d18bc0d84dd1b4825dcde5d5f7266d407",
      "c11b1268c1a384e55c48c2391d8d480264a3a7f4",
      "12392f67bdf24fae0af363c24ac620a2f67dad86",
      "face851a4921ce59e912d19329929ce6da6eb0c7",
      "95b4ef2869ebd94beb4eee400a99824bf5dc325b",
      "f5dce57282a584d2746faf1593d3121fcac444dc",
      "e65cdb6479bac1e22340e4e755fae7e509ecd06c",
      "4b0181102a0112a2ef11abee5563bb4a3176c9d7",
      "80a2ae356fc9ef4305676f7a3e2ed04e12c33946",
      "041171993284df560249b57358f931d9eb7b925d",
      "7713dd9ca933848f6819f38b8352d9a15ea73f67",
    ],
  }),
  market("Optimism", null, { optimism: ["fedfaf1a10335448b7fa0268f56d2b44dbd357de"] }),
];
