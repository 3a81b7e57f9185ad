// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

// What the simulator asks of coins and of pools, kind by kind.

interface IToken {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface IWrapped {
    function deposit() external payable;
}

interface IConstantPool {
    function token0() external view returns (address);
    function getReserves() external view returns (uint256, uint256, uint256);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

interface ISolidlyPool {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
}

interface IConcentratedPool {
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256, int256);
}

/// v4-core IPoolManager.sol: every pool lies in one contract, coins included. The native coin is the address of zeros.
interface IPoolManager {
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

    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(Key memory key, SwapParams memory params, bytes calldata hookData) external returns (int256 delta);
    function sync(address currency) external;
    function settle() external payable returns (uint256 paid);
    function take(address currency, address to, uint256 amount) external;
    function clear(address currency, uint256 amount) external;
}
