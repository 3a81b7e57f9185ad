/**
 * State of a Tron network outside its machine: TRC-10 tokens, stakes and rewards, kept here and shown as transactions.
 */
import { bare, type ShapedTransaction, sun, type TronJson, transactionOf, tronHex } from "./shapes.ts";

/** One transaction of a system contract, with its changes of balances. */
export interface SystemTransaction {
  readonly type: string;
  /** `0x…` */
  readonly owner: string;
  readonly value: TronJson;
  /** Fields for the transaction's info. */
  readonly info: TronJson;
  readonly fee: bigint;
  /** Change of TRX, without the fee. */
  readonly trx: bigint;
  readonly assets: readonly { readonly holder: string; readonly id: string; readonly amount: bigint }[];
}

const hexText = (text: string): string => Buffer.from(text).toString("hex");

export const ASSET_ID = "1000001";
export const ASSET = { name: "Lantern Oil", abbr: "OIL", precision: 3, total_supply: 9_000_000_000_000_000_000n };
/** This much OIL is locked for its issuer, and is on no balance. */
const LOCKED = 1_000_000_000_000_000_000n;

const plain = (type: string, owner: string, value: TronJson): SystemTransaction => ({
  type,
  owner,
  value: { owner_address: tronHex(owner), ...value },
  info: {},
  fee: 0n,
  trx: 0n,
  assets: [],
});

export const issue = (owner: string): SystemTransaction => ({
  ...plain("AssetIssueContract", owner, {
    name: hexText(ASSET.name),
    abbr: hexText(ASSET.abbr),
    total_supply: sun(ASSET.total_supply),
    frozen_supply: [{ frozen_amount: sun(LOCKED), frozen_days: 30 }],
    trx_num: 1,
    num: 1,
    precision: ASSET.precision,
  }),
  info: { assetIssueID: ASSET_ID },
  fee: 1_024_000_000n,
  assets: [{ holder: owner, id: ASSET_ID, amount: ASSET.total_supply - LOCKED }],
});

export const sendAsset = (owner: string, to: string, amount: bigint): SystemTransaction => ({
  ...plain("TransferAssetContract", owner, {
    asset_name: hexText(ASSET_ID),
    to_address: tronHex(to),
    amount: sun(amount),
  }),
  assets: [
    { holder: owner, id: ASSET_ID, amount: -amount },
    { holder: to, id: ASSET_ID, amount },
  ],
});

export const stake = (owner: string, amount: bigint): SystemTransaction => ({
  ...plain("FreezeBalanceV2Contract", owner, { frozen_balance: sun(amount), resource: "ENERGY" }),
  trx: -amount,
});

/** Ends a stake, without a payout yet. */
export const unstake = (owner: string, amount: bigint): SystemTransaction =>
  plain("UnfreezeBalanceV2Contract", owner, { unfreeze_balance: sun(amount), resource: "ENERGY" });

export const withdrawStake = (owner: string, amount: bigint): SystemTransaction => ({
  ...plain("WithdrawExpireUnfreezeContract", owner, {}),
  info: { withdraw_expire_amount: sun(amount) },
  trx: amount,
});

export const claimReward = (owner: string, amount: bigint): SystemTransaction => ({
  ...plain("WithdrawBalanceContract", owner, {}),
  info: { withdraw_amount: sun(amount) },
  fee: 268_000n,
  trx: amount,
});

export const vote = (owner: string): SystemTransaction => ({
  ...plain("VoteWitnessContract", owner, { votes: [{ vote_address: tronHex(owner), vote_count: 7 }] }),
  fee: 100_000n,
});

/** The owner's transactions need `threshold` of these keys from now on, each of weight one. */
export const setOwners = (owner: string, keys: readonly string[], threshold: number): SystemTransaction => {
  const permission = {
    permission_name: "owner",
    threshold,
    keys: keys.map((key) => ({ address: tronHex(key), weight: 1 })),
  };
  const active = { type: "Active", id: 2, ...permission, permission_name: "active", operations: OPERATIONS };
  return {
    ...plain("AccountPermissionUpdateContract", owner, { owner: permission, actives: [active] }),
    fee: 100_000_000n,
  };
};

/** `getassetissuebyid`: empty for an unknown token. */
export const assetOf = (id: unknown): TronJson =>
  id === ASSET_ID
    ? {
        ...ASSET,
        id: ASSET_ID,
        name: hexText(ASSET.name),
        abbr: hexText(ASSET.abbr),
        total_supply: sun(ASSET.total_supply),
      }
    : {};

/** Operations that an unchanged account may sign (java-tron, active_default_operations of 2024). */
const OPERATIONS = `7fff1fc0033efb0f${"0".repeat(48)}`;
/** Free bandwidth of each account per day. */
const FREE_BANDWIDTH = 600;
/** Energy of one staked TRX, a round number here: on the real chain all stakes share a fixed total. */
const ENERGY_PER_TRX = 10n;

const KEEPS: Readonly<Record<string, (value: TronJson) => bigint>> = {
  FreezeBalanceV2Contract: ({ frozen_balance }) => BigInt(Number(frozen_balance)),
  UnfreezeBalanceV2Contract: ({ unfreeze_balance }) => -BigInt(Number(unfreeze_balance)),
};

/** A transaction of the first block that allocates coins: it has no signature and no result. */
export const allocation = (to: string, amount: bigint): TronJson => {
  const value = {
    amount: sun(amount),
    owner_address: hexText("0x000000000000000000000"),
    to_address: tronHex(to),
  };
  const told = { type: "TransferContract", value, time_ms: 0, seed: bare(to).padEnd(64, "0") };
  const { signature: _, ret: __, ...given } = transactionOf(told, "SUCCESS");
  return given;
};

/** A system's transaction as a block lists it, and its info. */
export const systemOf = (
  made: SystemTransaction,
  at: { number: number; time_ms: number; index: number },
): ShapedTransaction => {
  const seed = `${at.number}:${at.index}`.padEnd(64, "0");
  const transaction = transactionOf({ type: made.type, value: made.value, time_ms: at.time_ms, seed }, "SUCCESS");
  const info = {
    id: transaction.txID,
    ...(made.fee === 0n ? {} : { fee: sun(made.fee) }),
    blockNumber: at.number,
    blockTimeStamp: at.time_ms,
    contractResult: [""],
    receipt: made.fee === 0n ? { net_usage: 268 } : { net_fee: sun(made.fee) },
    ...made.info,
  };
  return { transaction, info };
};

/** Changes of balances that the machine does not know. */
export class SideLedger {
  readonly #trx = new Map<string, bigint>();
  readonly #assets = new Map<string, bigint>();
  /** Staked for energy. */
  readonly #stakes = new Map<string, bigint>();
  readonly #permissions = new Map<string, TronJson>();

  apply(made: SystemTransaction): void {
    const owner = made.owner.toLowerCase();
    const kept = KEEPS[made.type]?.(made.value);
    if (kept !== undefined) this.#add(this.#stakes, owner, kept);
    const { owner: owner_permission, actives: active_permission } = made.value;
    if (active_permission !== undefined) this.#permissions.set(owner, { owner_permission, active_permission });
    this.#add(this.#trx, made.owner.toLowerCase(), made.trx - made.fee);
    for (const { holder, id, amount } of made.assets) this.#add(this.#assets, `${holder.toLowerCase()}:${id}`, amount);
  }

  trx(address: string): bigint {
    return this.#trx.get(address.toLowerCase()) ?? 0n;
  }

  /** Members of `getaccount`: stakes, each resource with an entry of its own, and permissions. */
  account(address: string): TronJson {
    const staked = this.#stakes.get(address.toLowerCase()) ?? 0n;
    const energy = staked === 0n ? { type: "ENERGY" } : { type: "ENERGY", amount: sun(staked) };
    return { frozenV2: [{}, energy, { type: "TRON_POWER" }], ...this.#permissions.get(address.toLowerCase()) };
  }

  /** `getaccountresource`, without zeros. */
  resources(address: string): TronJson {
    const staked = this.#stakes.get(address.toLowerCase()) ?? 0n;
    const energy = (staked / 1_000_000n) * ENERGY_PER_TRX;
    return {
      freeNetUsed: 268,
      freeNetLimit: FREE_BANDWIDTH,
      TotalNetLimit: 43_200_000_000,
      TotalNetWeight: 26_982_826_755,
      ...(energy === 0n ? {} : { EnergyLimit: Number(energy), EnergyUsed: 65 }),
      TotalEnergyLimit: 180_000_000_000,
      TotalEnergyWeight: 19_195_529_129,
    };
  }

  /** As `getaccount` lists them. */
  assets(address: string): readonly TronJson[] {
    const prefix = `${address.toLowerCase()}:`;
    return [...this.#assets].flatMap(([key, amount]) =>
      key.startsWith(prefix) ? [{ key: key.slice(prefix.length), value: sun(amount) }] : [],
    );
  }

  #add(map: Map<string, bigint>, key: string, amount: bigint): void {
    map.set(key, (map.get(key) ?? 0n) + amount);
  }
}
