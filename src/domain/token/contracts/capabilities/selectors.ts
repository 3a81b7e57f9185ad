import { INTERFACES } from "../../../../knowledge/names.gen.ts";
import type { Hex } from "../../../../lib/bytes.ts";
import { selectorOf } from "../../../abi.ts";

/**
 * Functions by the power that they give. Names as in common token contracts (OpenZeppelin, FiatToken, TetherToken,
 * tokens of launch services).
 */

export type Capability =
  | "mint"
  | "pause"
  | "blacklist"
  | "whitelist"
  | "fee"
  | "fee_of_wallet"
  | "max_tx"
  | "cooldown"
  | "trading_switch"
  | "ownership"
  | "take_back"
  | "balance_change"
  | "withdraw"
  | "upgrade"
  | "rebase"
  | "sales_stop"
  | "purchases_stop";

/** Powers that no function name tells: only an effect does. */
type UnnamedCapability = "sales_stop" | "purchases_stop";

const SIGNATURES: Readonly<Record<Exclude<Capability, UnnamedCapability>, readonly string[]>> = {
  mint: [
    INTERFACES.erc20_supply.mint,
    INTERFACES.erc20_supply.mint_amount,
    "mintTo(address,uint256)",
    "issue(uint256)",
    "issue(address,uint256)",
    "configureMinter(address,uint256)",
    "increaseSupply(uint256)",
    "mintToken(address,uint256)",
    "ownerMint(uint256)",
    "adminMint(address,uint256)",
    "batchMint(address[],uint256[])",
  ],
  pause: [
    INTERFACES.pausable.pause,
    INTERFACES.pausable.unpause,
    "setPaused(bool)",
    "setPause(bool)",
    "pauseTransfers()",
    "freezeTransfers()",
    "stop()",
    "setTransferEnabled(bool)",
    "setTransfersEnabled(bool)",
  ],
  blacklist: [
    "blacklist(address)",
    "blackList(address)",
    "addBlackList(address)",
    "addToBlacklist(address)",
    "blacklistAddress(address,bool)",
    "setBlacklist(address,bool)",
    "setBlacklist(address[],bool)",
    "setBlacklisted(address,bool)",
    "setIsBlacklisted(address,bool)",
    "updateBlacklist(address,bool)",
    "setBlackList(address,bool)",
    "setBots(address[])",
    "setBots(address[],bool)",
    "setBot(address,bool)",
    "addBots(address[])",
    "blockBots(address[])",
    "manage_blacklist(address[],bool)",
    "antiBot(address)",
    "ban(address)",
    "freeze(address)",
    "freezeAccount(address,bool)",
    "freezeAddress(address)",
    "block(address)",
    "blockAddress(address)",
    "denylist(address)",
  ],
  whitelist: [
    "whitelist(address)",
    "addToWhitelist(address)",
    "setWhitelist(address,bool)",
    "setWhitelist(address[],bool)",
    "whitelistAddress(address,bool)",
    "updateWhitelist(address,bool)",
    "setIsWhitelisted(address,bool)",
    "addWhitelist(address)",
  ],
  fee: [
    "setFee(uint256)",
    "setFees(uint256,uint256)",
    "setFees(uint256,uint256,uint256)",
    "setFees(uint256,uint256,uint256,uint256)",
    "setTax(uint256)",
    "setTaxes(uint256,uint256)",
    "setTaxes(uint256,uint256,uint256)",
    "setTaxRate(uint256)",
    "setBuyFee(uint256)",
    "setSellFee(uint256)",
    "setBuyTax(uint256)",
    "setSellTax(uint256)",
    "setTransferFee(uint256)",
    "setTaxFeePercent(uint256)",
    "setLiquidityFeePercent(uint256)",
    "setMarketingFee(uint256)",
    "updateFees(uint256,uint256)",
    "updateBuyFees(uint256,uint256,uint256)",
    "updateSellFees(uint256,uint256,uint256)",
    "updateBuyFees(uint256)",
    "updateSellFees(uint256)",
    "changeFees(uint256,uint256)",
    "setParams(uint256,uint256)",
  ],
  fee_of_wallet: [
    "setFeeOf(address,uint256)",
    "setCustomFee(address,uint256)",
    "setWalletTax(address,uint256)",
    "setUserFee(address,uint256)",
    "setTaxFor(address,uint256)",
  ],
  max_tx: [
    "setMaxTx(uint256)",
    "setMaxTxAmount(uint256)",
    "setMaxTxPercent(uint256)",
    "setMaxTransactionAmount(uint256)",
    "setMaxWallet(uint256)",
    "setMaxWalletSize(uint256)",
    "setMaxWalletAmount(uint256)",
    "setMaxWalletPercent(uint256)",
    "setMaxBuyAmount(uint256)",
    "setMaxSellAmount(uint256)",
    "updateMaxTxnAmount(uint256)",
    "updateMaxWalletAmount(uint256)",
    "setTxLimit(uint256)",
    "setLimits(uint256,uint256)",
    "removeLimits()",
  ],
  cooldown: [
    "setCooldownEnabled(bool)",
    "cooldownEnabled(bool,uint8)",
    "setCooldown(uint256)",
    "setCooldownTime(uint256)",
    "setTransferDelay(uint256)",
    "setTransferDelayEnabled(bool)",
    "disableTransferDelay()",
    "transferDelayEnabled()",
    "setTradeCooldown(uint256)",
  ],
  trading_switch: [
    "enableTrading()",
    "openTrading()",
    "startTrading()",
    "activateTrading()",
    "launch()",
    "setTrading(bool)",
    "setTradingEnabled(bool)",
    "setTradingOpen(bool)",
    "setTradingActive(bool)",
    "setSwapAndTrading(bool)",
    "tradingStatus(bool)",
    "toggleTrading()",
  ],
  ownership: [
    INTERFACES.ownable.transferOwnership,
    "setOwner(address)",
    "changeOwner(address)",
    INTERFACES.access_control.grantRole,
    "setAdmin(address)",
  ],
  take_back: [
    "reclaimOwnership()",
    "takeOwnership()",
    "recoverOwnership()",
    "restoreOwnership()",
    "getBackOwnership()",
    "reclaimOwner()",
    "getUnlockTime()",
  ],
  balance_change: [
    "setBalance(address,uint256)",
    "updateBalance(address,uint256)",
    "adjustBalance(address,uint256)",
    INTERFACES.erc20_supply.burn,
    INTERFACES.erc20_supply.burnFor,
    "forceTransfer(address,address,uint256)",
    "adminTransfer(address,address,uint256)",
    "forcedTransfer(address,address,uint256)",
    "destroyBlackFunds(address)",
    "wipeFrozenAddress(address)",
    "seize(address)",
    "confiscate(address,uint256)",
  ],
  withdraw: [
    INTERFACES.withdrawal.withdraw,
    INTERFACES.weth.withdraw,
    "withdrawETH()",
    "withdrawStuckETH()",
    "withdrawStuckTokens(address)",
    "withdrawToken(address)",
    "withdrawTokens(address,uint256)",
    "rescueERC20(address,address,uint256)",
    "rescueTokens(address,uint256)",
    "rescueETH()",
    "rescueETH(uint256)",
    "recoverERC20(address,uint256)",
    "clearStuckBalance()",
    "manualSend()",
    "manualsend()",
    "sweep(address)",
  ],
  upgrade: [INTERFACES.proxy.upgradeTo, INTERFACES.proxy.upgradeToAndCall, "setImplementation(address)"],
  rebase: [
    "rebase(uint256,int256)",
    "rebase(int256)",
    "rebase(uint256)",
    "rebase()",
    "gonsPerFragment()",
    "scaledBalanceOf(address)",
    "sharesOf(address)",
    "getPooledEthByShares(uint256)",
  ],
};

/** A function that a contract has. */
export interface CapabilityFunction {
  readonly capability: Capability;
  readonly signature: string;
  readonly selector: Hex;
}

const KNOWN: readonly CapabilityFunction[] = Object.entries(SIGNATURES).flatMap(([capability, signatures]) =>
  // Object.entries forgets the keys; they are those of SIGNATURES.
  signatures.map((signature) => ({ capability: capability as Capability, signature, selector: selectorOf(signature) })),
);

/** The known functions among the selectors of a contract, in the order of this file. */
export const functionsAmong = (selectors: ReadonlySet<Hex>): readonly CapabilityFunction[] =>
  KNOWN.filter(({ selector }) => selectors.has(selector));

/** Functions that every EIP-20 token has: code with none of them keeps its functions elsewhere. */
const PLAIN: readonly Hex[] = [INTERFACES.erc20.transfer, INTERFACES.erc20.balanceOf, INTERFACES.erc20.totalSupply].map(
  selectorOf,
);

/**
 * False when the code dispatches functions in an unknown way, so that a function may exist although it was not found.
 */
export const isReadable = (selectors: ReadonlySet<Hex>): boolean => PLAIN.every((selector) => selectors.has(selector));
