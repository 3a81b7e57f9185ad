import type { WrittenGroup } from "./contract.ts";

const router = (name: string, version: string | null, at: WrittenGroup["at"]): WrittenGroup => ({
  ...{ name, version, role: "router", at },
});

/** More routers, and where pieces are sold. Sources: each protocol's documentation and deployment lists. */
export const ROUTERS: readonly WrittenGroup[] = [
  router("CoW Protocol", null, { evm: ["9008d19f58aabd9ed0d60971565aa8510560ab41"] }),
  router("ParaSwap", "v5", {
    evm: ["def171fe48cf0115b1d80b88dc8eab59176fee57"],
    base: ["59c7c832e96d2568bea6db468c1aadcbbda08a52"],
  }),
  router("ParaSwap", "v6", { evm: ["6a000f20005980200259b80c5102003040001068"] }),
  router("KyberSwap", null, {
    evm: ["6131b5fae19ea4f9d964eac0408e4408b66337b5", "617dee16b86534a5d792a4d7a62fb491b544111e"],
  }),
  router("Odos", "v2", {
    ethereum: ["cf5540fffcdc3d510b18bfca6d2b9987b0772559"],
    arbitrum: ["a669e7a0d4b3e4fa48af2de86bd4cd7126be4e13"],
    optimism: ["ca423977156bb05b13a2ba3b76bc5419e2fe9680"],
    base: ["19ceead7105607cd444f5ad10dd51356436095a1"],
    polygon: ["4e3288c9ca110bcc82bf38f09a7b425c095d92bf"],
    bsc: ["89b8aa89fdd0507a99d334cbe3c808fafc7d850e"],
    scroll: ["bfe03c9e20a9fc0b37de01a172f207004935e0b1"],
  }),
  router("Odos", "v3", { evm: ["0d05a7d3448512b78fa8a9e46c4872c88c4a0d05"] }),
  router("MetaMask", null, {
    ethereum: ["881d40237659c251811cec9c364ef91dc08d300c"],
    arbitrum: ["9dda6ef3d919c9bc8885d5560999a3640431e8e6"],
    optimism: ["9dda6ef3d919c9bc8885d5560999a3640431e8e6"],
    base: ["9dda6ef3d919c9bc8885d5560999a3640431e8e6"],
    polygon: ["1a1ec25dc08e98e5e93f1104b5e5cdd298707d31"],
    bsc: ["1a1ec25dc08e98e5e93f1104b5e5cdd298707d31"],
  }),
  router("OpenOcean", null, { evm: ["6352a56caadc4f1e25cd6c75970fa768a3304e64"] }),
  router("Firebird", null, { bsc: ["92e4f29be975c1b1eb72e77de24dccf11432a5bd"] }),
  router("Magpie", null, {
    base: ["ef42f78d25f4c681dcad2597fa04877ff802ef4b"],
    polygon: ["a6e941eab67569ca4522f70d343714ff51d571c4"],
  }),
  router("LlamaZip", null, {
    arbitrum: ["973bf562407766e77f885c1cd1a8060e5303c745"],
    optimism: ["6f9d14cf4a06dd9c70766bd161cf8d4387683e1b"],
  }),
  router("DODO", null, { bsc: ["8f8dd7db1bda5ed3da8c9daf3bfa471c12d58486"] }),
  router("WOOFi", null, { evm: ["4c4af8dbc524681930a27b2f1af5bcc8062e6fb7"] }),
  router("Curve", null, {
    evm: ["16c6521dff6bab339122a0fe25a9116693265353"],
    ethereum: [
      "99a58482bd75cbab83b27ec03ca68ff489b5788f",
      "f0d4c12a5768d806021f80a262b4d39d26c58b8d",
      "45312ea0eff7e09c83cbe249fa1d7598c4c8cd4e",
    ],
    arbitrum: ["2191718cd32d02b8e60badffea33e4b5dd9a0a0d"],
    base: ["d6681e74eea20d196c15038c580f721ef2ab6320", "4f37a9d177470499a2dd084621020b023fcffc1f"],
    optimism: ["0dcded3545d565ba3b19e683431381007245d983"],
  }),
  router("Balancer", "v2", { evm: ["ba12222222228d8ba445958a75a0704d566bf2c8"] }),
  router("Balancer", "v3", {
    evm: ["ba1333333333a1ba1108e8412f11850a5c319ba9"],
    ethereum: ["ae563e3f8219521950555f5962419c8919758ea2"],
    arbitrum: ["eaedc32a51c510d35ebc11088fd5ff2b47aacf2e"],
  }),
  router("GMX", "v1", {
    arbitrum: [
      "abbc5f99639c9b6bcb58544ddf04efa6802f4064",
      "b87a436b93ffe9d75c5cfa7bacfff96430b09868",
      "489ee077994b6658eafa855c308275ead8097c4a",
    ],
  }),
  router("GMX", "v2", {
    arbitrum: [
      "7c68c7866a64fa2160f78eeae12217ffbf871fa8",
      "69c527fc77291722b52649e45c838e41be8bf5d5",
      "900173a66dbd345006c51fa35fa3ab760fcd843b",
    ],
  }),
  router("Pendle", null, {
    evm: [
      "888888888889758f76e7103c6cbf23abbf58f946",
      "00000000005bbb0ef59571e58418f9a4357b68a0",
      "0000000001e4ef00d069e71d6ba041b0a16f7ea0",
    ],
  }),
  router("Velodrome", "v1", { optimism: ["9c12939390052919af3155f41bf4160fd3666a6f"] }),
  router("Velodrome", null, {
    optimism: [
      "a062ae8a9c5e11aaa026fc2670b0d65ccc8b2858",
      "416b433906b1b72fa758e166e239c43d68dc6f29",
      "0792a633f0c19c351081cf4b211f68f79bcc9676",
      "faf8fd17d9840595845582fcb047df13f006787d",
      "41c914ee0c7e1a5edcd0295623e6dc557b5abf3c",
    ],
  }),
  router("Aerodrome", null, {
    base: [
      "cf77a3ba9a5ca399b7c97c74d54e5b1beb874e43",
      "ebf418fe2512e7e6bd9b87a8f0f294acdc67e6b4",
      "be6d8f0d05cc4be24d5167a3ef062215be6d18a5",
      "827922686190790b37229fd06084350e74485b72",
      "16613524e02ad97edfef371bc883f2f5d6c480a5",
    ],
  }),
  router("Camelot", "v2", { arbitrum: ["c873fecbd354f5a56e00e710b90ef4201db2448d"] }),
  router("Trader Joe", null, {
    avalanche: [
      "60ae616a2155ee3d9a68541ba4544862310933d4",
      "b4315e873dbcf96ffd0acd8ea43f689d8c20fb30",
      "18556da13313f3532c54711497a8fedac273220e",
    ],
  }),
  router("SyncSwap", null, {
    scroll: ["80e38291e06339d10aab483c65695d004dbd5c69"],
    zksync: ["2da10a1e27bf85cedd8ffb1abbe97e53391c0295"],
  }),
  router("Project X", null, { hyperevm: ["ead19ae861c29bbb2101e834922b2feee69b9091"] }),
  router("Bancor", null, {
    ethereum: ["2f9ec37d6ccfff1cab21733bdadede11c823ccb0", "eef417e1d5cc832e619ae18d2f140de2999dd4fb"],
  }),
  router("OpenSea", null, {
    evm: [
      "00000000000000adc04c56bf30ac9d3c0aaf14dc",
      "00000000000001ad428e4906ae43d8f9852d0dd6",
      "00000000006c3852cbef3e08e8df289169ede581",
      "0000000000000068f116a894984e2db1123eb395",
    ],
    ethereum: ["7be8076f4ea4a4ad08075c2508e481d6c946d12b", "7f268357a8c2552623316e2562d90e642bb538e5"],
  }),
  router("Blur", null, {
    ethereum: [
      "000000000000ad05ccc4f10045630fb830b95127",
      "b2ecfe4e4d61f8790bbb9de2d1259b9e2410cea5",
      "39da41747a83aee658334415666f3ef92dd0d541",
      "29469395eaf6f95920e59f858042f0e28d98a20b",
    ],
  }),
  router("KyberSwap", null, {
    ethereum: ["818e6fecd516ecc3849daf6845e3ec868087b755", "9aab3f75489902f3a48495025729a0af77d4b11e"],
    evm: ["00555513acf282b42882420e5e5ba87b44d8fa6e", "df1a1b60f2d438842916c0adc43748768353ec25"],
  }),
  router("Odos", "v2", {
    avalanche: ["88de50b233052e4fb783d4f6db78cc34fea3e9fc"],
    linea: ["2d8879046f1559e53eb052e949e9544bcb72f414"],
    zksync: ["4bba932e9792a2b917d47830c93a9bc79320e4f7"],
  }),
  router("ParaSwap", "v4", { ethereum: ["1bd435f3c054b6e901b7b108a0ab7617c808677b"] }),
  router("MetaMask", null, { linea: ["9dda6ef3d919c9bc8885d5560999a3640431e8e6"] }),
  router("Firebird", null, {
    polygon: ["b31d1b1ea48ce4bf10ed697d44b747287e785ad4"],
    arbitrum: ["0c6134abc08a1eafc3e2dc9a5ad023bb08da86c3"],
    optimism: ["0c6134abc08a1eafc3e2dc9a5ad023bb08da86c3"],
  }),
  router("Velodrome", null, { optimism: ["991d5546c4b442b4c5fdc4c8b8b8d131deb24702"] }),
  router("Aerodrome", null, { base: ["c741beb2156827704a1466575ccba1cbf726a178"] }),
];
