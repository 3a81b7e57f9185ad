// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Hooks of a Uniswap v4 pool: asked before each swap, they can refuse swaps of one direction. Their address must have the
/// bit of `beforeSwap` and no other of the lowest fourteen (v4-core Hooks.sol).
contract GateHooks {
    struct Key {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    /// No swap may pay this coin, unless it is the native one.
    address public refused;

    function refuse(address coin) external {
        refused = coin;
    }

    function beforeSwap(address, Key calldata key, SwapParams calldata params, bytes calldata)
        external
        view
        returns (bytes4, int256, uint24)
    {
        address paid = params.zeroForOne ? key.currency0 : key.currency1;
        require(paid != refused || paid == address(0), "GateHooks: closed");
        return (this.beforeSwap.selector, 0, 0);
    }
}
