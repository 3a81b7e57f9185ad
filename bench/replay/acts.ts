/**
 * The transactions of a generated mainnet, each with its logs and its call frames. Their shares of 10,000 transactions
 * are those of nine recorded Ethereum blocks (../results.md has the counts); kinds that are rarer than one in those
 * 1,168 transactions are as frequent as needed for a few hundred blocks to have some.
 */
import { frameOf, type ReplayAct, type ReplayActor, type ReplayFrame } from "./act.ts";
import { type Draws, hex } from "./draws.ts";
import {
  digitsOf,
  type LoggedTransfer,
  logOf,
  type MadeLog,
  selectorOf,
  transferLog,
  ZERO_ADDRESS,
} from "./made_log.ts";
import { rawOf, type Token, USDC, USDT, WETH } from "./market.ts";
import { changeLiquidity, launchPool, tradeV2, tradeV3 } from "./pool_acts.ts";

const WEI = 10n ** 18n;
const NFTS = 300;
const MASS = 120;

/** An amount of the native coin, most below a tenth. */
const etherOf = (draws: Draws): bigint => (BigInt(Math.floor(draws.size(0.02) * 1e9)) * WEI) / 10n ** 9n;

const payment = ({ draws }: ReplayActor): ReplayAct => ({
  ...{ to: draws.account(), value: etherOf(draws), input: "", logs: [], frames: [] },
});

const failure = ({ draws, market }: ReplayActor): ReplayAct => ({
  ...{
    to: market.drawToken(draws).address,
    value: 0n,
    input: draws.bytes(356),
    logs: [],
    frames: [],
    succeeded: false,
  },
});

const callOf = (signature: string, words: readonly (string | bigint)[]): string =>
  `${selectorOf(signature)}${words.map(digitsOf).join("")}`;

const amountOf = (draws: Draws, token: Token): bigint => rawOf(token, Math.min(draws.size(40), 5e6));

const tokenTransfer = ({ draws, market, sender }: ReplayActor): ReplayAct => {
  // One transfer in three is of a dollar.
  const token = draws.random() < 0.33 ? (draws.random() < 0.6 ? USDT : USDC) : market.drawToken(draws);
  const moved = { from: sender, to: draws.account(), amount: amountOf(draws, token) };
  const input = callOf("transfer(address,uint256)", [moved.to, moved.amount]);
  // Circle's dollars are behind a proxy.
  const frames = token === USDC ? [frameOf("DELEGATECALL", token.address, ZERO_ADDRESS, draws)] : [];
  return { to: token.address, value: 0n, input, logs: [transferLog(token.address, moved)], frames };
};

const approval = ({ draws, market, sender }: ReplayActor): ReplayAct => {
  const token = market.drawToken(draws);
  const [spender, amount] = [
    draws.named("router", 40),
    draws.random() < 0.6 ? 2n ** 256n - 1n : amountOf(draws, token),
  ];
  const said = { indexed: [sender, spender], data: [amount] };
  const logs = [logOf(token.address, "Approval(address,address,uint256)", said)];
  const input = callOf("approve(address,uint256)", [spender, amount]);
  return { to: token.address, value: 0n, input, logs, frames: [] };
};

const approvalOfAll = ({ draws, sender }: ReplayActor): ReplayAct => {
  const [nft, operator] = [draws.named("nft", NFTS), draws.named("market", 5)];
  const logs = [logOf(nft, "ApprovalForAll(address,address,bool)", { indexed: [sender, operator], data: [1n] })];
  return { to: nft, value: 0n, input: callOf("setApprovalForAll(address,bool)", [operator, 1n]), logs, frames: [] };
};

/** Sold on a market for the native coin: the seller and the collection's artist are paid by inner calls. */
const collectible = ({ draws, sender }: ReplayActor): ReplayAct => {
  const [nft, venue, seller, price] = [
    draws.named("nft", NFTS),
    draws.named("market", 5),
    draws.account(),
    etherOf(draws),
  ];
  const count = 1 + draws.below(3);
  const logs: MadeLog[] = [];
  for (let i = 0; i < count; i += 1) {
    const id = BigInt(draws.below(10_000));
    if (i === 0 && draws.random() < 0.3)
      logs.push(logOf(nft, "Approval(address,address,uint256)", { indexed: [seller, ZERO_ADDRESS, id], data: [] }));
    logs.push(logOf(nft, "Transfer(address,address,uint256)", { indexed: [seller, sender, id], data: [] }));
  }
  const paid = { ...frameOf("CALL", venue, seller, draws), value: (price * 95n) / 100n, input: "0x" };
  const fee = { ...frameOf("CALL", venue, draws.account(), draws), value: price / 20n, input: "0x" };
  const frames = [paid, fee, frameOf("STATICCALL", venue, nft, draws), frameOf("CALL", venue, nft, draws)];
  return { to: venue, value: price, input: draws.bytes(600), logs, frames };
};

const manyOfOne = ({ draws, sender }: ReplayActor): ReplayAct => {
  const token = draws.named("multi", 50);
  const said = {
    indexed: [sender, sender, draws.account()],
    data: [BigInt(draws.below(500)), BigInt(1 + draws.below(9))],
  };
  const logs = [logOf(token, "TransferSingle(address,address,address,uint256,uint256)", said)];
  return { to: token, value: 0n, input: draws.bytes(196), logs, frames: [] };
};

/** An unknown contract: its own events, and tokens that pass through it. */
const unknown = ({ draws, market, sender }: ReplayActor): ReplayAct => {
  const [venue, token] = [draws.named("contract", 400), market.drawToken(draws)];
  const through = amountOf(draws, token);
  const own = Array.from({ length: 6 }, () =>
    logOf(venue, `Event${draws.below(60)}(address,uint256,uint256)`, { indexed: [sender], data: [through, 7n] }),
  );
  const moves: LoggedTransfer[] = [
    { from: sender, to: venue, amount: through },
    { from: venue, to: draws.account(), amount: (through * 99n) / 100n },
    { from: venue, to: draws.account(), amount: through / 100n },
  ];
  const logs = [...moves.map((move) => transferLog(token.address, move)), ...own];
  const kinds = [
    "CALL",
    "STATICCALL",
    "DELEGATECALL",
    "STATICCALL",
    "CALL",
    "STATICCALL",
    "CALL",
    "STATICCALL",
  ] as const;
  const frames = kinds.map((type) => frameOf(type, venue, token.address, draws));
  return { to: venue, value: 0n, input: draws.bytes(900), logs, frames };
};

const creation = ({ draws, sender, made }: ReplayActor): ReplayAct => {
  const logs = [
    logOf(made, "OwnershipTransferred(address,address)", { indexed: [ZERO_ADDRESS, sender], data: [] }),
    transferLog(made, { from: ZERO_ADDRESS, to: sender, amount: 10n ** 27n }),
  ];
  return { to: null, value: 0n, input: draws.bytes(6_000), logs, frames: [] };
};

/** A factory of wallets and proxies. */
const cloning = ({ draws, sender, made }: ReplayActor): ReplayAct => {
  const factory = draws.named("factory", 12);
  const clone = {
    ...frameOf("CREATE2", factory, made, draws),
    input: `0x${draws.bytes(55)}`,
    output: `0x${draws.bytes(45)}`,
  };
  const logs = [logOf(made, "Upgraded(address)", { indexed: [sender], data: [] })];
  return {
    to: factory,
    value: 0n,
    input: draws.bytes(68),
    logs,
    frames: [clone, frameOf("CALL", factory, made, draws)],
  };
};

/** Aave v3's pool of Ethereum (aave-address-book). */
const LENDER = "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2";

const lending = ({ draws, sender }: ReplayActor): ReplayAct => {
  const [coin, share] = [draws.random() < 0.5 ? USDC : WETH, draws.named("lent", 4)];
  const amount = amountOf(draws, coin);
  const is_supply = draws.random() < 0.6;
  const event = is_supply
    ? logOf(LENDER, "Supply(address,address,address,uint256,uint16)", {
        ...{ indexed: [coin.address, sender, 0n], data: [sender, amount] },
      })
    : logOf(LENDER, "Borrow(address,address,address,uint256,uint8,uint256,uint16)", {
        ...{ indexed: [coin.address, sender, 0n], data: [sender, amount, 2n, 10n ** 25n] },
      });
  const coins = is_supply ? { from: sender, to: share, amount } : { from: share, to: sender, amount };
  const logs = [
    transferLog(coin.address, coins),
    transferLog(share, { from: ZERO_ADDRESS, to: sender, amount }),
    event,
  ];
  const frames = (["DELEGATECALL", "STATICCALL", "STATICCALL", "CALL", "CALL"] as const).map((type) =>
    frameOf(type, LENDER, coin.address, draws),
  );
  return { to: LENDER, value: 0n, input: draws.bytes(132), logs, frames };
};

const freeze = ({ draws }: ReplayActor): ReplayAct => {
  const account = draws.account();
  const is_circle = draws.random() < 0.5;
  const log = is_circle
    ? logOf(USDC.address, "Blacklisted(address)", { indexed: [account], data: [] })
    : logOf(USDT.address, "AddedBlackList(address)", { indexed: [], data: [account] });
  return { to: log.address, value: 0n, input: draws.bytes(36), logs: [log], frames: [] };
};

const airdrop = ({ draws, market }: ReplayActor): ReplayAct => {
  const [venue, token] = [draws.named("contract", 400), market.drawToken(draws)];
  const logs = Array.from({ length: MASS }, () =>
    transferLog(token.address, { from: venue, to: draws.account(), amount: 10n ** 6n }),
  );
  return { to: venue, value: 0n, input: draws.bytes(32 * MASS), logs, frames: [] };
};

type MakeAct = (actor: ReplayActor) => ReplayAct;

/** Of 10,000 transactions; the rest are payments. */
const SHARES: readonly (readonly [number, MakeAct])[] = [
  [2_600, tokenTransfer],
  [1_270, tradeV2],
  [450, tradeV3],
  [1_150, approval],
  [600, collectible],
  [310, approvalOfAll],
  [700, unknown],
  [210, failure],
  [95, changeLiquidity],
  [43, manyOfOne],
  [34, creation],
  [90, cloning],
  [50, lending],
  [20, launchPool],
  [6, freeze],
  [5, airdrop],
];
const TOTAL = 10_000;

export const drawAct = (actor: ReplayActor): ReplayAct => {
  let left = actor.draws.below(TOTAL);
  for (const [share, act] of SHARES) {
    if (left < share) return act(actor);
    left -= share;
  }
  return payment(actor);
};

/** In the format of the call tracer (geth, callTracer). */
export const traceOf = (act: ReplayAct, { from, made }: { readonly from: string; readonly made: string }) => {
  const shown = (frame: ReplayFrame) => ({
    ...{ type: frame.type, from: frame.from, to: frame.to, gas: "0x30d40", gasUsed: "0x5208" },
    ...{ input: frame.input, output: frame.output },
    ...(frame.type === "STATICCALL" || frame.type === "DELEGATECALL" ? {} : { value: hex(frame.value) }),
  });
  const root: ReplayFrame = {
    ...{ type: act.to === null ? "CREATE" : "CALL", from, to: act.to ?? made, value: act.value },
    ...{ input: `0x${act.input}`, output: act.to === null ? `0x${act.input.slice(0, 8_000)}` : "0x" },
  };
  const failed = act.succeeded === false ? { error: "execution reverted" } : {};
  return { ...shown(root), ...failed, ...(act.frames.length === 0 ? {} : { calls: act.frames.map(shown) }) };
};
