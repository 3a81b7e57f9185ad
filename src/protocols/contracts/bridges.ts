import type { WrittenGroup } from "./contract.ts";

const bridge = (name: string, version: string | null, at: WrittenGroup["at"]): WrittenGroup => ({
  ...{ name, version, role: "bridge", at },
});

/** Bridges and who pays out for them. Sources: each bridge's documentation and deployment lists. */
export const BRIDGE_CONTRACTS: readonly WrittenGroup[] = [
  bridge("Across", null, {
    ethereum: ["5c7bcd6e7de5423a257d81b442095a1a6ced35c5", "4d9079bb4165aeb4084c526a32695dcfd2f77381"],
    arbitrum: ["e35e9842fceaca96570b734083f4a58e8f7c5f2a"],
    optimism: ["6f26bf09b1c792e3228e5467807a900a503c0281", "a420b2d1c0841415a695b81e5b867bcd07dff8c9"],
    base: ["09aea4b2242abc8bb4bb78d537a67a245a7bec64"],
    polygon: ["9295ee1d8c5b022be115a2ad3c30c72e34e7f096"],
  }),
  bridge("LI.FI", null, {
    evm: ["1231deb6f5749ef6ce6943a275a1d3e7486f4eae"],
    gnosis: ["89c6340b1a1f4b25d36cd8b063d49045caf3f818"],
    hyperevm: ["0a0758d937d1059c356d4714e57f5df0239bce1a"],
  }),
  bridge("Socket", null, {
    evm: ["3a23f943181408eac424116af7b7790c94cb97a5", "c30141b657f4216252dc59af2e7cdb9d8792e1b0"],
  }),
  bridge("Stargate", null, {
    ethereum: [
      "8731d54e9d02c286767d56ac03e8037c07e01e98",
      "150f94b44927f078737562f0fcf3c95c01cc2376",
      "77b2043768d28e9c9ab44e1abfc95944bce57931",
      "c026395860db2d07ee33e05fe50ed7bd583189c7",
      "933597a323eb81cae705c5bc29985172fd5a3973",
    ],
    arbitrum: [
      "53bf833a5d6c4dda888f69c22c88c9f356a41614",
      "bf22f0f184bccbea268df387a49ff5238dd23e40",
      "a45b5130f36cdca45667738e2a258ab09f4a5f7f",
      "e8cdf27acd73a434d661c84887215f7598e7d0d3",
      "ce8cca271ebc0533920c83d39f417ed6a0abb7d0",
    ],
    optimism: ["b0d502e938ed5f4df2e681fe6e419ff29631d62b", "b49c4e680174e331cb0a7ff3ab58afc9738d5f8b"],
  }),
  bridge("Relay", null, {
    evm: [
      "a5f565650890fba1824ee0f21ebbbf660a179934",
      "f5042e6ffac5a625d4e7848e0b01373d8eb9e222",
      "4cd00e387622c35bddb9b4c962c136462338bc31",
    ],
  }),
  { name: "Relay", version: null, role: "relayer", at: { evm: ["f70da97812cb96acdf810712aa562db8dfa3dbef"] } },
  bridge("Polygon", null, {
    ethereum: [
      "a0c68c638235ee32657e8f720a23cec1bfc77c77",
      "40ec5b33f54e0e8a33a975908c5ba1c14e5bbbdf",
      "8484ef722627bf18ca5ae6bcf031c23e6e922b30",
      "401f6c983ea34274ec46f84d70b31c151321188b",
    ],
  }),
  bridge("Arbitrum", null, {
    ethereum: [
      "4dbd4fc535ac27206064b68ffcf827b0a60bab3f",
      "72ce9c846789fdb6fc1f34ac4ad25dd9ef7031ef",
      "a3a7b6f88361f48403514059f1f16c8e78d60eec",
      "8315177ab297ba92a06054ce80a67ed4dbd7ed3a",
      "0b9857ae2d4a3dbe74ffe1d7df045bb7f96e4840",
      "cee284f754e854890e311e3280b767f80797180d",
    ],
    arbitrum: [
      "5288c571fd7ad117bea99bf60fe0846c4e84f933",
      "0000000000000000000000000000000000000064",
      "09e9222e96e7b4ae2a407b98d48e330053351eee",
    ],
  }),
  bridge("Optimism", null, {
    ethereum: ["99c9fc46f92e8a1c0dec1b1747d010903e884be1", "beb5fc579115071764c7423a4f12edde41f106ed"],
    optimism: ["4200000000000000000000000000000000000010", "4200000000000000000000000000000000000016"],
  }),
  bridge("Base", null, {
    ethereum: ["3154cf16ccdb4c6d922629664174b904d80f2c35", "49048044d57e1c92a77f79988d21fa8faf74e97e"],
    base: ["4200000000000000000000000000000000000010", "4200000000000000000000000000000000000016"],
  }),
  bridge("Scroll", null, {
    ethereum: [
      "6774bcbd5cecef1336b5300fb5186a12ddd8b367",
      "d8a791fe2be73eb6e6cf1eb0cb3f36adc9b3f8f9",
      "7f2b8c31f88b6006c382775eea88297ec1e3e905",
    ],
    scroll: [
      "4c0926ff5252a435fd19e10ed15e5a249ba19d79",
      "781e90f1c8fc4611c9b7497c3b47f99ef6969cbc",
      "6ea73e05adc79974b931123675ea8f78ffdacdf0",
    ],
  }),
  bridge("zkSync", "Lite", {
    ethereum: ["abea9132b05a70803a4e85094fd0e1800777fbef", "0a14b696350546110a0d8acdb86226983af9d2a0"],
  }),
  bridge("zkSync", "Era", {
    ethereum: [
      "32400084c286cf3e17e7b677ea9583e60a000324",
      "303a465b659cbb0ab36ee643ea362c509eeb5213",
      "d7f9f54194c633f36ccd5f3da84ad4a1c38cb2cb",
    ],
  }),
  bridge("Linea", null, {
    ethereum: ["d19d4b5d358258f05d7b411e21a1460d11b0876f", "051f1d88f0af5763fb888ec4378b4d8b29ea3319"],
    linea: ["508ca82df566dcd1b0de8296e70a96332cd644ec", "353012dc4a9a6cf55c941badc267f82004a8ceb9"],
  }),
  bridge("Polygon zkEVM", null, { ethereum: ["2a3dd3eb832af982ec71669e178424b10dca2ede"] }),
  bridge("Gnosis", null, {
    ethereum: ["4aa42145aa6ebf72e164c9bbc74fbd3788045016", "88ad09518695c6c3712ac10a214be5109a655671"],
    gnosis: [
      "f6a78083ca3e2a662d6dd1703c939c8ace2e268d",
      "7301cfa0e1756b71869e93d4e4dca5c7d0eb0aa6",
      "75df5af045d91108662d8080fd1fefad6aa0bb59",
    ],
  }),
  bridge("Circle CCTP", null, {
    ethereum: ["bd3fa81b58ba92a82136038b25adec7066af3155"],
    arbitrum: ["19330d10d9cc8751218eaf51e8885d058642e08a"],
    optimism: ["2b4069517957735be00cee0fadae88a26365528f"],
    base: ["1682ae6375c4e4a97e4b583bc394c861a46d8962"],
    polygon: ["9daf8c91aefae50b9c0e69629d3f6ca40ca3b3fe"],
    evm: ["28b5a0e9c621a5badaa536219b3a228c8168cf5d"],
  }),
  bridge("CrossCurve", null, { arbitrum: ["ece9cf6a8f2768a3b8b65060925b646afeaa5167"] }),
  bridge("Wormhole", null, { ethereum: ["3ee18b2214aff97000d974cf647e7c347e8fa585"] }),
  bridge("deBridge", null, {
    evm: [
      "ef4fb24ad0916217251f553c0596f8edc630eb66",
      "e7351fd770a37282b91d153ee690b63579d6dd7f",
      "663dc15d3c1ac63ff12e45ab68fea3f0a883c251",
    ],
  }),
  bridge("Orbiter", null, {
    evm: ["80c67432656d59144ceff962e8faf8926599bcf8", "e4edb277e41dc89ab076a1f049f4a3efa700bce8"],
  }),
  {
    name: "Optimism",
    version: null,
    role: "messenger",
    at: {
      ethereum: ["25ace71c97b33cc4729cf772ae268934f7ab5fa1"],
      optimism: ["4200000000000000000000000000000000000007"],
    },
  },
  {
    name: "Base",
    version: null,
    role: "messenger",
    at: { ethereum: ["866e82a600a1414e583f7f13623f1ac5d58b0afa"], base: ["4200000000000000000000000000000000000007"] },
  },
];
