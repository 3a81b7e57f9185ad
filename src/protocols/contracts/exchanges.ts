import type { WrittenGroup } from "./contract.ts";

const router = (name: string, version: string | null, at: WrittenGroup["at"]): WrittenGroup => ({
  ...{ name, version, role: "router", at },
});

/** Routers, aggregators and pool managers. Sources: each protocol's documentation and deployment lists. */
export const EXCHANGES: readonly WrittenGroup[] = [
  router("Uniswap", "v2", {
    ethereum: ["7a250d5630b4cf539739df2c5dacb4c659f2488d", "f164fc0ec4e93095b804a4795bbe1e041497b92a"],
    base: ["4752ba5dbc23f44d87826276bf6fd6b1c372ad24"],
    arbitrum: ["4752ba5dbc23f44d87826276bf6fd6b1c372ad24"],
    optimism: ["4a7b5da61326a6379179b40d00f57e5bbdc962c2"],
    polygon: ["edf6066a2b290c185783862c7f4776a2c8077ad1"],
    bsc: ["4752ba5dbc23f44d87826276bf6fd6b1c372ad24"],
  }),
  router("Uniswap", "v3", {
    ethereum: [
      "e592427a0aece92de3edee1f18e0157c05861564",
      "68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
      "c36442b4a4522e871399cd717abdd847ab11fe88",
    ],
    arbitrum: [
      "e592427a0aece92de3edee1f18e0157c05861564",
      "68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
      "c36442b4a4522e871399cd717abdd847ab11fe88",
    ],
    optimism: [
      "e592427a0aece92de3edee1f18e0157c05861564",
      "68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
      "c36442b4a4522e871399cd717abdd847ab11fe88",
    ],
    polygon: [
      "e592427a0aece92de3edee1f18e0157c05861564",
      "68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
      "c36442b4a4522e871399cd717abdd847ab11fe88",
    ],
    base: ["2626664c2603336e57b271c5c0b26f421741e481", "03a520b32c04bf3beef7beb72e919cf822ed34f1"],
    bsc: ["b971ef87ede563556b2ed4b1c0b0019111dd85d2", "7b8a01b39d58278b5de7e48c8449c9f4f5170613"],
  }),
  router("Uniswap", "v4", {
    arbitrum: [
      "a51afafe0263b40edaef0df8781ea9aa03e381a3",
      "d88f38f930b7952f2db2432cb002e7abbf3dd869",
      "360e68faccca8ca495c1b759fd9eee466db9fb32",
    ],
    ethereum: [
      "66a9893cc07d91d95644aedd05d03f95e1dba8af",
      "bd216513d74c8cf14cf4747e6aaa6420ff64ee9e",
      "000000000004444c5dc75cb358380d2e3de08a90",
    ],
    optimism: [
      "851116d9223fabed8e56c0e6b8ad0c31d98b3507",
      "3c3ea4b57a46241e54610e5f022e5c45859a1017",
      "9a13f98cb987694c9f086b1f5eb990eea8264ec3",
    ],
    base: [
      "6ff5693b99212da76ad316178a184ab56d299b43",
      "7c5f5a4bbd8fd63184577525326123b519429bdc",
      "498581ff718922c3f8e6a244956af099b2652b2b",
    ],
    polygon: [
      "1095692a6237d83c6a72f3f5efedb9a670c49223",
      "1ec2ebf4f37e7363fdfe3551602425af0b3ceef9",
      "67366782805870060151383f4bbff9dab53e5cd6",
    ],
    bsc: ["1906c1d672b88cd1b9ac7593301ca990f94eae07"],
    unichain: ["ef740bf23acae26f6492b10de645d6b98dc8eaf3", "1f98400000000000000000000000000000000004"],
  }),
  router("Uniswap", null, {
    ethereum: ["ef1c6e67703c7bd7107eed8303fbe6ec2554bf6b", "3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad"],
    arbitrum: [
      "4c60051384bd2d3c01bfc845cf5f4b44bcbe9de5",
      "5e325eda8064b456f4781070c0738d849c824258",
      "3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad",
    ],
    optimism: [
      "b555edf5dcf85f42ceef1f3630a52a108e55a654",
      "cb1355ff08ab38bbce60111f1bb2b784be25d7e8",
      "3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad",
    ],
    polygon: [
      "4c60051384bd2d3c01bfc845cf5f4b44bcbe9de5",
      "ec7be89e9d109e7e3fec59c222cf297125fefda2",
      "643770e279d5d0733f21d6dc03a8efbabf3255b4",
    ],
    base: [
      "198ef79f1f515f02dfe9e3115ed9fc07183f02fc",
      "ec8b0f7ffe3ae75d7ffab09429e3675bb63503e4",
      "3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad",
    ],
    bsc: ["5dc88340e1c5c6366864ee415d6034cadd1a9897", "4dae2f939acf50408e13d58534ff8c2776d45265"],
  }),
  router("UniswapX", null, {
    ethereum: [
      "6000da47483062a0d734ba3dc7576ce6a0b645c4",
      "e80bf394d190851e215d5f67b67f8f5a52783f1e",
      "00000011f84b9aa48e5f8aa8b9897600006289be",
    ],
  }),
  router("SushiSwap", "v2", {
    ethereum: ["d9e1ce17f2641f24ae83637ab66a2cca9c378b9f"],
    arbitrum: ["1b02da8cb0d097eb8d57a175b88c7d8b47997506"],
    polygon: ["1b02da8cb0d097eb8d57a175b88c7d8b47997506"],
    gnosis: ["1b02da8cb0d097eb8d57a175b88c7d8b47997506"],
    bsc: ["1b02da8cb0d097eb8d57a175b88c7d8b47997506"],
    avalanche: ["1b02da8cb0d097eb8d57a175b88c7d8b47997506"],
    base: ["6bded42c6da8fbf0d2ba55b2fa120c5e0c8d7891"],
  }),
  router("SushiSwap", null, {
    base: ["83ec81ae54dd8dca17c3dd4703141599090751d1"],
    evm: [
      "46b3fdf7b5cde91ac049936bf0bdb12c5d22202e",
      "f2614a233c7c3e7f08b1f887ba133a13f1eb2c55",
      "ac4c6e212a361c968f1725b4d055b47e63f80b75",
      "85cd07ea01423b1e937929b44e4ad8c40bbb5e71",
    ],
  }),
  router("PancakeSwap", "v2", { bsc: ["10ed43c718714eb63d5aa57b78b54704e256024e"] }),
  router("PancakeSwap", "v3", {
    bsc: [
      "13f4ea83d0bd40e75c8222255bc855a974568dd4",
      "1b81d678ffb9c0263b24a97847620c99d213eb14",
      "46a15b0b27311cedf172ab29e4f4766fbe7f4364",
    ],
  }),
  router("PancakeSwap", null, {
    bsc: ["1a0a18ac4becddbd6389559687d1a73d8927e416", "d9c500dff816a1da21a48a732d3498bf09dc9aeb"],
  }),
  router("QuickSwap", "v2", { polygon: ["a5e0829caced8ffdd4de3c43696c57f7d7a678ff"] }),
  router("QuickSwap", "v3", {
    polygon: ["f5b509bb0909a69b1c207e495f687a596c168e12", "8ef88e4c7cfbbac1c163f7eddd4b578792201de6"],
  }),
  router("1inch", "v3", { evm: ["11111112542d85b3ef69ae05771c2dccff4faa26"] }),
  router("1inch", "v4", { evm: ["1111111254fb6c44bac0bed2854e76f90643097d"] }),
  router("1inch", "v5", { evm: ["1111111254eeb25477b68fb85ed929f73a960582"] }),
  router("1inch", "v6", { evm: ["111111125421ca6dc452d289314280a0f8842a65"] }),
  router("1inch", "v2", { ethereum: ["111111125434b319222cdbf8c261674adb56f3ae"] }),
  router("1inch", null, { ethereum: ["a88800cd213da5ae406ce248380802bd53b47647"] }),
  router("0x", null, {
    evm: ["def1c0ded9bec7f1a1670819833240f027b25eff", "0000000000001ff3684f28c67538d4d072c22734"],
    optimism: ["def1abe32c034e558cdd535791643c58a13acc10"],
  }),
];
