import { KNOWN_CONTRACTS } from "../../knowledge/protocols.gen.ts";
import type { WrittenGroup } from "./contract.ts";

const market = (name: string, version: string | null, at: WrittenGroup["at"]): WrittenGroup => ({
  ...{ name, version, role: "market", at },
});

/** Money markets, vaults, stakes, names, gifts and whatever else people use. Sources: each protocol's documentation and deployment lists. */
export const MARKETS: readonly WrittenGroup[] = [
  ...KNOWN_CONTRACTS,
  market("Compound", "v2", {
    ethereum: [
      "3d9819210a31b4961b30ef54be2aed79b9c9cd3b",
      "f859a1ad94bcf445a406b892ef0d3082f4174088",
      "4ddc2d193948926d02f9b1fe9e1daa0718270ed5",
      "39aa39c021dfbae8fac545936693ac917d5e7563",
      "5d3a536e4d6dbd6114cc1ead35777bab948e3643",
      "f650c3d88d12db855b8bf7d11be6c55a4e07dcc9",
      "6c8c6b02e7b2be14d4fa6022dfd6d75921d90e4e",
      "ccf4429db6322d5c611ee964527d42e5d685dd6a",
      "70e36f6bf80a52b3b46b3af8e106cc0ed743e8e4",
      "35a18000230da775cac24873d00ff85bccded550",
    ],
  }),
  market("Compound", "v3", {
    ethereum: [
      "c3d688b66703497daa19211eedff47f25384cdc3",
      "a17581a9e3356d9a858b789d68b4d866e593ae94",
      "3afdc9bca9213a35503b077a6072f3d0d5ab0840",
      "a397a8c2086c554b531c02e29f3291c9704b00c7",
      "1b0e765f6224c21223aea2af16c1c46e38885a40",
    ],
    arbitrum: [
      "9c4ec768c28520b50860ea7a15bd7213a9ff58bf",
      "a5edbdd9646f8dff606d7448e414884c7d905dca",
      "d98be00b5d27fc98112bde293e487f8d4ca57d07",
      "6f7d514bbd4aff3bcd1140b7344b32f063dee486",
    ],
    optimism: [
      "2e44e174f7d53f0212823acc11c01a11d58c5bcb",
      "995e394b8b2437ac8ce61ee0bc610d617962b214",
      "e36a30d249f7761327fd973001a32010b521b6fd",
      "cb3643cc8294b23171272845473dec49739d4ba3",
    ],
    polygon: ["f25212e676d1f7f89cd72ffee66158f541246445", "aeb318360f27748acb200ce616e389a6c9409a07"],
    base: [
      "9c4ec768c28520b50860ea7a15bd7213a9ff58bf",
      "b125e6687d4313864e53df431d5425969c15eb2f",
      "46e6b214b524310239732d51387075e0e70970bf",
      "78d0677032a35c63d142a48a2037048871212a8c",
    ],
    scroll: ["b2f97c1bd3bf02f5e74d13f02e3e26f93d77ce44"],
  }),
  market("Morpho", null, {
    evm: ["bbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb"],
    ethereum: [
      "4095f064b8d3c3548a3bebfd0bbfd04750e30077",
      "6566194141eefa99af43bb5aa71460ca2dc90245",
      "777777c9898d384f785ee44acfe945efdff5f3e0",
      "33333aea097c193e66081e930c33020272b33333",
    ],
    base: ["23055618898e202386e6c13955a58d3c68200bfb", "6bfd8137e702540e7a42b74178a4a49ba43920c4"],
    arbitrum: ["1fa4431bc113d308bee1d46b0e98cb805fb48c13", "6c247b1f6182318877311737bac0844baa518f5e"],
  }),
  market("Spark", null, {
    ethereum: ["c13e21b648a5ee794902342038ff3adab66be987", "1601843c5e9bc251a3272907010afa41fa18347e"],
    base: ["1601843c5e9bc251a3272907010afa41fa18347e"],
    gnosis: [
      "2dae5307c5e3fd1cf5a72cb6f698f915860607e0",
      "d499b51fcfc66bd31248ef4b28d656d67e591a94",
      "af204776c7245bf4147c2612bf6e5972ee483701",
    ],
    arbitrum: ["2b05f8e1cacc6974fd79a673a341fe1f58d27266"],
    optimism: ["e0f9978b907853f354d79188a3defbd41978af62"],
  }),
  market("Maker", null, {
    ethereum: [
      "448a5065aebb8e423f0896e6c5d525c040f59af3",
      "c73e0383f3aff3215e6f04b0331d58cecf0ab849",
      "35d1b3f3d7966a1dfe207aa4514c12a259a0492b",
      "9759a6ac90977b93b58547b4a71c78317f391a28",
      "5ef30b9986345249bc32d8928b7ee64de9435e39",
      "197e90f9fad81970ba7976f33cbd77088e5d7cf7",
      "373238337bfe1146fb49989fc222523f83081ddb",
      "82ecd135dce65fbc6dbdd0e4237e0af93ffd5038",
    ],
  }),
  market("Spark", null, { ethereum: ["83f20f44975d03b1b09e64809b757c47f942beea"] }),
  market("Liquity", null, {
    ethereum: [
      "24179cd81c9e782a4096035f7ec97fb8b783e007",
      "a39739ef8b0231dbfa0dcda07d7e29faabcf4bb2",
      "66017d22b0f8556afdd19fc67041899eb65a21bb",
      "4f9fbb3f1e99b56e0fe2892e623ed36a76fc605d",
    ],
  }),
  market("Curve", null, {
    ethereum: [
      "4e59541306910ad6dc1dac0ac9dfb29bd9f15c67",
      "a920de414ea4ab66b97da1bfe9e6eca7d4219635",
      "8472a9a7632b173c8cf3a86d3afec50c35548e76",
      "100daa78fc509db39ef7d04de0c1abd299f4c6ce",
      "5f3b5dfeb7b28cdbd7faba78963ee202a494e2a2",
      "d061d61a4d941c39e5453435b6345dc261c2fce0",
    ],
    arbitrum: ["37c5ab57af7100bdc9b668d766e193ccbf6614fd"],
  }),
  market("Lido", null, {
    ethereum: [
      "ae7ab96520de3a18e5e111b5eaab095312d7fe84",
      "889edc2edab5f40e902b864ad4d7ade8e412f9b1",
      "7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0",
    ],
  }),
  market("Rocket Pool", null, {
    ethereum: [
      "dd3f50f8a6cafbe9b31a427582963f465e745af8",
      "2cac916b2a963bf162f076c0a8a4a8200bcfbfb4",
      "ae78736cd615f374d3085123a210448e74fc6393",
      "ce15294273cfb9d9b628f4d61636623decdf4fdc",
    ],
  }),
  market("EtherFi", null, {
    ethereum: [
      "308861a430be4cce5502d0a12724771fc6daf216",
      "cd5fe23c85820f7b72d0926fc9b05b43e359b7ee",
      "7d5706f6ef3f89b3951e23e557cdfbc3239d4e2c",
      "35fa164735182de50811e8e2e824cfb9b6118ac2",
    ],
  }),
  market("EigenLayer", null, {
    ethereum: [
      "858646372cc42e1a627fce94aa7a7033e7cf075a",
      "39053d51b77dc0d36036fc1fcc8cb819df8ef37a",
      "91e677b07f7af907ec9a428aafa9fc14a0d3a338",
      "7750d328b314effa365a0402ccfd489b80b0adda",
    ],
  }),
  market("Ethereum", null, {
    ethereum: [
      "00000000219ab540356cbb839cbe05303d7705fa",
      "00000961ef480eb55e80d19ad83579a64c007002",
      "0000bbddc7ce488642fb579f8b00f3a590007251",
    ],
  }),
  market("Renzo", null, { ethereum: ["74a09653a083691711cf8215a6ab074bb4e99ef5"] }),
  market("Kelp", null, { ethereum: ["036676389e48133b63a802f8635ad39e752d375d"] }),
  market("Swell", null, { ethereum: ["f951e335afb289353dc249e82926178eac7ded78"] }),
  market("Puffer", null, {
    ethereum: ["d9a442856c234a39a81a089c06451ebaa4306a72", "5ae97e4770b7034c7ca99ab7edc26a18a23cb412"],
  }),
  market("Ethena", null, {
    ethereum: ["9d39a5de30e57443bff2a8307a4256c8797a3497", "8707f238936c12c309bfc2b9959c35828acfc512"],
  }),
  market("Frax", null, {
    ethereum: ["bafa44efe7901e04e39dad13167d089c559c1138", "ac3e018457b222d93114458476f3e3416abbe38f"],
  }),
  market("Stader", null, { ethereum: ["cf5ea1b38380f6af39068375516daf40ed70d299"] }),
  market("Across", null, {
    ethereum: ["9040e41ef5e8b281535a96d9a48acb8cfabd9a48", "c186fa914353c44b2e33ebe05f21846f1048beda"],
  }),
  market("The Graph", null, {
    ethereum: ["f55041e37e12cd407ad00ce2910b8269b01263b9"],
    arbitrum: ["00669a4cf01450b64e8a2a20e9b1fcb71e61ef03"],
  }),
  market("WalletConnect", null, {
    optimism: [
      "521b4c065bbdbe3e20b3727340730936912dfa46",
      "f368f535e329c6d08dff0d4b2da961c4e7f3fcaf",
      "4ee97a759aaca2eddc1ae94cdd7d2e30aaed64e6",
    ],
  }),
];
