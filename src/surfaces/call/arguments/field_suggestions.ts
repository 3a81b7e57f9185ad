import { nearest } from "../../../lib/nearest.ts";

/** Names that callers use instead of ours, where no field of the tool has the name itself. */
const SYNONYMS: Readonly<Record<string, string>> = {
  addr: "address",
  account: "address",
  wallet: "address",
  contract: "address",
  token: "token_address",
  mint: "token_address",
  chain: "network",
  chains: "network",
  chainid: "network",
  blockchain: "network",
  start: "from",
  since: "from",
  end: "to",
  until: "to",
  hash: "tx_hash",
  txid: "tx_hash",
  txhash: "tx_hash",
  transaction: "tx",
  limit: "records_per_page",
  size: "records_per_page",
  per_page: "records_per_page",
  page_size: "records_per_page",
  ens: "ens_name",
  domain: "ens_name",
  block: "as_of_block",
};

/** The field of `known` that was probably meant by `text` (`wallet_address` for `address`, `chain` for `network`), or null. */
export const suggestField = (text: string, known: readonly string[]): string | null => {
  const snake = text
    .slice(0, 64)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();
  if (known.includes(snake)) return snake;
  const used = new Set(known.flatMap((name) => name.split("_")));
  const whole = SYNONYMS[snake];
  if (whole !== undefined && known.includes(whole)) return whole;
  const words = snake.split("_").map((word) => (used.has(word) ? word : (SYNONYMS[word] ?? word)));
  const ours = words.join("_");
  return known.includes(ours) ? ours : (nearest(ours, known) ?? nearest(snake, known));
};
