import { selectorOf } from "../../analysis/abi.ts";
import type { Hex } from "../../lib/bytes.ts";

/** Functions that wallets call most. The name shown is the word before the bracket. */
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
] as const;

const NAMES: ReadonlyMap<Hex, string> = new Map(
  SIGNATURES.map((signature) => [selectorOf(signature), signature.slice(0, signature.indexOf("("))]),
);

/** The function's name, `0x` and its selector when it is not in the list, null without call data. */
export const methodOf = (selector: Hex): string | null =>
  selector === "" ? null : (NAMES.get(selector) ?? `0x${selector}`);

/** Calls that grant a right and move nothing. */
export const isApproval = (selector: Hex): boolean =>
  ["approve", "increaseAllowance", "decreaseAllowance", "setApprovalForAll", "permit"].includes(
    NAMES.get(selector) ?? "",
  );
