import type { Hex } from "../../lib/bytes.ts";
import { selectorOf } from "./abi.ts";

/** Functions that wallets call most and that contracts of known kinds have. The name shown is the word before the bracket. */
const SIGNATURES = [
  "transfer(address,uint256)",
  "transferFrom(address,address,uint256)",
  "safeTransferFrom(address,address,uint256)",
  "safeTransferFrom(address,address,uint256,bytes)",
  "safeTransferFrom(address,address,uint256,uint256,bytes)",
  "approve(address,uint256)",
  "increaseAllowance(address,uint256)",
  "decreaseAllowance(address,uint256)",
  "setApprovalForAll(address,bool)",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "deposit()",
  "deposit(uint256,address)",
  "withdraw(uint256)",
  "withdraw(uint256,address,address)",
  "redeem(uint256,address,address)",
  "mint(address,uint256)",
  "burn(uint256)",
  "claim()",
  "stake(uint256)",
  "multicall(bytes[])",
  "multicall(uint256,bytes[])",
  "execute(bytes,bytes[],uint256)",
  "execute(bytes,bytes[])",
  "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)",
  "swapTokensForExactTokens(uint256,uint256,address[],address,uint256)",
  "swapExactETHForTokens(uint256,address[],address,uint256)",
  "swapTokensForExactETH(uint256,uint256,address[],address,uint256)",
  "swapExactTokensForETH(uint256,uint256,address[],address,uint256)",
  "swapETHForExactTokens(uint256,address[],address,uint256)",
  "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
  "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)",
  "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
  "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)",
  "addLiquidityETH(address,uint256,uint256,uint256,address,uint256)",
  "removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)",
  "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)",
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
  "exactInput((bytes,address,uint256,uint256,uint256))",
  "exactInput((bytes,address,uint256,uint256))",
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))",
  "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)",
  "handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)",
  "name()",
  "symbol()",
  "decimals()",
  "totalSupply()",
  "balanceOf(address)",
  "balanceOf(address,uint256)",
  "allowance(address,address)",
  "nonces(address)",
  "DOMAIN_SEPARATOR()",
  "ownerOf(uint256)",
  "tokenURI(uint256)",
  "uri(uint256)",
  "getApproved(uint256)",
  "isApprovedForAll(address,address)",
  "supportsInterface(bytes4)",
  "owner()",
  "getOwner()",
  "renounceOwnership()",
  "transferOwnership(address)",
  "acceptOwnership()",
  "pendingOwner()",
  "hasRole(bytes32,address)",
  "grantRole(bytes32,address)",
  "revokeRole(bytes32,address)",
  "paused()",
  "pause()",
  "unpause()",
  "mint(uint256)",
  "burnFrom(address,uint256)",
  "implementation()",
  "admin()",
  "upgradeTo(address)",
  "upgradeToAndCall(address,bytes)",
  "changeAdmin(address)",
  "proxiableUUID()",
  "initialize()",
  "token0()",
  "token1()",
  "factory()",
  "getReserves()",
  "skim(address)",
  "sync()",
  "swap(uint256,uint256,address,bytes)",
  "slot0()",
  "liquidity()",
  "asset()",
  "totalAssets()",
  "convertToShares(uint256)",
  "convertToAssets(uint256)",
  "onERC721Received(address,address,uint256,bytes)",
  "isValidSignature(bytes32,bytes)",
  // Markets, votes, positions and what their contracts ask each other.
  "approve(address,address,uint160,uint48)",
  "lockdown((address,address)[])",
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
  "deposit(address,uint256,address,uint16)",
  "supply(address,uint256,address,uint16)",
  "borrow(address,uint256,uint256,uint16,address)",
  "repay(address,uint256,uint256,address)",
  "withdraw(address,uint256,address)",
  "liquidationCall(address,address,address,uint256,bool)",
  "castVote(uint256,uint8)",
  "delegate(address)",
  "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))",
  "increaseLiquidity((uint256,uint256,uint256,uint256,uint256,uint256))",
  "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))",
  "collect((uint256,address,uint128,uint128))",
  "safeMint(address)",
  "mint(address)",
  "exit()",
  "getReward()",
  "swap(address,bool,int256,uint160,bytes)",
  "aggregate3((address,bool,bytes)[])",
  "handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)",
] as const;

const BY_SELECTOR: ReadonlyMap<Hex, string> = new Map(
  SIGNATURES.map((signature) => [selectorOf(signature), signature]),
);

/** The signature that the table knows for a selector, null when it is not in it. Others may share the selector. */
export const signatureOf = (selector: Hex): string | null => BY_SELECTOR.get(selector) ?? null;

/** The word before the bracket; null when the selector is not in the table. */
export const nameOf = (selector: Hex): string | null => {
  const signature = signatureOf(selector);
  return signature === null ? null : signature.slice(0, signature.indexOf("("));
};

/** The function's name, `0x` and its selector when it is not in the list, null without call data. */
export const methodOf = (selector: Hex): string | null =>
  selector === "" ? null : (nameOf(selector) ?? `0x${selector}`);

/** Names of calls that grant or take a right and move nothing. */
export const namesApproval = (name: string): boolean =>
  /^(?:approve|approveChecked|increaseAllowance|decreaseAllowance|setApprovalForAll|permit|lockdown|revoke)$/.test(
    name,
  );

/** The same of a selector that the table knows. */
export const isApproval = (selector: Hex): boolean => namesApproval(nameOf(selector) ?? "");
