import type { WrittenGroup } from "./contract.ts";

const market = (name: string, version: string | null, at: WrittenGroup["at"]): WrittenGroup => ({
  ...{ name, version, role: "market", at },
});

/** More parts of protocols, and tokens that projects gave away. Sources: each protocol's documentation and deployment lists. */
export const PARTS: readonly WrittenGroup[] = [
  market("CoW Protocol", null, {
    ethereum: ["d057b63f5e69cf1b929b356b579cba08d7688048", "def1ca1fb7fbcdc777520aa7f396b4e015f497ab"],
    gnosis: ["c20c9c13e853fc64d054b73ff21d3636b2d97eab"],
    evm: ["40a50cf069e992aa4536211b23f286ef88752187", "ba3cb449bd2b4adddbc894d8697f5170800eadec"],
  }),
  market("Gitcoin", null, {
    ethereum: ["de3e5a990bce7fc60a6f017e7c4a95fc4939299e", "0e3efd5be54cc0f4c64e0d186b0af4b7f2a0e95f"],
    optimism: ["a8ed4d2c3f6f98a55cdded97c5ae9b932b0633a4"],
  }),
  market("ENS", null, {
    ethereum: [
      "daaf96c344f63131acadd0ea35170e7892d3dfba",
      "226159d592e2b063810a10ebf6dcbada94ed68b8",
      "5ffc014343cd971b7eb70732021e26c35b744cc4",
      "6090a6e47849629b7245dfa1ca21d94cd15878ef",
      "59e16fccd424cc24e280be16e11bcd56fb0ce547",
      "f29100983e058b709f3d539b0c765937b804ac15",
    ],
  }),
  market("Basenames", null, {
    base: [
      "d3e6775ed9b7dc12b205c8e608dc3767b9e5efda",
      "a7d2607c6bd39ae9521e514026cbb078405ab322",
      "79ea96012eea67a83431f1701b3dff7e37f9e282",
      "426fa03fb86e510d0dd9f70335cf102a98b10875",
    ],
  }),
  market("Morpho", null, {
    ethereum: ["330eefa8a787552dc5cad3c3ca644844b1e61ddb"],
    base: ["5400dbb270c956e8985184335a1c62aca6ce1333"],
  }),
  market("Safe", null, {
    ethereum: ["5afe3855358e112b5647b952709e6165e1c1eeee", "a0b937d5c8e32a80e3a8ed4227cd020221544ee6"],
  }),
  market("QuickSwap", null, {
    polygon: ["f28164a485b0b2c90639e47b0f377b4a438a16b1", "958d208cdf087843e9ad98d23823d32e17d723a1"],
  }),
  market("Spark", null, {
    ethereum: ["bc65ad17c5c0a2a4d159fa5a503f4992c7b545fe"],
    base: ["3128a0f7f0ea68e7b7c9b00afa7e41045828e858"],
    arbitrum: ["940098b108fb7d0a7e374f6eded7760787464609"],
  }),
  market("SushiSwap", null, {
    ethereum: [
      "8798249c2e607446efb7ad49ec89dd1865ff4272",
      "c2edad668740f1aa35e4d8f227fb8e17dca888cd",
      "ef0881ec094552b2e128cf945ef17a6752b4ec5d",
    ],
  }),
  market("GMX", "v1", {
    arbitrum: [
      "a906f338cb21815cbc4bc87ace9e68c87ef8d8f1",
      "b95db5b167d75e6d04227cfffa61069348d271f5",
      "3963ffc9dff443c2a94f21b129d429891e32ec18",
    ],
  }),
  market("Polygon", null, {
    ethereum: ["29e7df7b6a1b2b07b731457f499e1696c60e2c4e", "5e3ef299fddf15eaa0432e6e66473ace8c13d908"],
  }),
  market("DIVA", null, { ethereum: ["777e2b2cc7980a6bac92910b95269895eef0d2e8"] }),
  market("Mint Club", null, { evm: ["c5a076cad94176c2996b32d8466be1ce757faa27"] }),
  market("Farcaster", null, { optimism: ["00000000fc56947c7e7183f8ca4b62398caadf0b"] }),
  market("Summer.fi", null, { ethereum: ["6e87a7a0a03e51a741075fdf4d1fcce39a4df01b"] }),
  market("Pendle", null, { ethereum: ["44087e105137a5095c008aab6a6530182821f2f0"] }),
  market("CrossCurve", null, { arbitrum: ["ac8f44ceca92b2a4b30360e5bd3043850a0ffcbe"] }),
  market("zkSync", null, {
    zksync: ["66fd4fc8fa52c9bec2aba368047a0b27e24ecfe4", "5a7d6b2f92c77fad6ccabd7ee0624e64907eaf3e"],
  }),
  market("Puffer", null, { ethereum: ["4d1c297d39c5c1277964d0e3f8aa901493664530"] }),
  market("Shutter", null, { ethereum: ["e485e2f1bab389c08721b291f6b59780fec83fd7"] }),
  market("Fluence", null, { ethereum: ["236501327e701692a281934230af0b6be8df3353"] }),
  market("1inch", null, { ethereum: ["111111111117dc0aa78b770fa6a738034120c302"] }),
  market("Ethena", null, { ethereum: ["57e114b691db790c35207b2e685d4a43181e6061"] }),
  market("Starknet", null, { ethereum: ["ca14007eff0db1f8135f4c25b34de49ab0d42766"] }),
  market("LayerZero", null, { evm: ["6985884c4392d348587b19cb9eaaf157f13271cd"] }),
  market("Wormhole", null, { evm: ["b0ffa8000886e57f86dd5264b9582b2ad87b2b91"] }),
  market("ShapeShift", null, { ethereum: ["c770eefad204b5180df6a14ee197d99d808ee52d"] }),
  market("Badger DAO", null, { ethereum: ["3472a5a71965499acd81997a54bba8d852c6e53d"] }),
  market("Tornado Cash", null, { ethereum: ["77777feddddffc19ff86db637967013e6c6a116c"] }),
];
