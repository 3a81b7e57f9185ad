// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./Token20.sol";

interface ISolidlyToken {
    function balanceOf(address holder) external view returns (uint256);
    function decimals() external view returns (uint8);
    function transfer(address to, uint256 value) external returns (bool);
}

/// A pool as Aerodrome and Velodrome have it (aerodrome-finance/contracts Pool.sol), without votes, gauges and oracle:
/// volatile pools keep x*y, stable ones x^3*y + y^3*x. The fee is taken from what is paid and leaves the reserves.
/// Shares are given and taken as there: the first 1,000 go to the address one, where nobody can use them.
contract SolidlyPool is Token20 {
    event Swap(
        address indexed sender,
        address indexed to,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out
    );
    event Sync(uint256 reserve0, uint256 reserve1);
    event Mint(address indexed sender, uint256 amount0, uint256 amount1);

    error InsufficientLiquidity();
    error InsufficientLiquidityMinted();
    error InsufficientInputAmount();
    error K();

    uint256 internal constant MINIMUM_LIQUIDITY = 10 ** 3;

    address public immutable token0;
    address public immutable token1;
    bool public immutable stable;
    address public immutable factory;
    /// Where fees go.
    address public immutable poolFees;
    uint256 private immutable _unit0;
    uint256 private immutable _unit1;

    uint256 public reserve0;
    uint256 public reserve1;

    constructor(address tokenA, address tokenB, bool isStable, address feeTaker) {
        (token0, token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        stable = isStable;
        factory = msg.sender;
        poolFees = feeTaker;
        _unit0 = 10 ** ISolidlyToken(token0).decimals();
        _unit1 = 10 ** ISolidlyToken(token1).decimals();
        _describe("Solidly shares", isStable ? "sAMM" : "vAMM", 18);
    }

    function getReserves() external view returns (uint256, uint256, uint256) {
        return (reserve0, reserve1, 0);
    }

    /// Parts of ten thousand: 0.3 % of a volatile pool, 0.05 % of a stable one.
    function fee() public view returns (uint256) {
        return stable ? 5 : 30;
    }

    /// Shares for what lies here beyond the reserves.
    function mint(address to) external returns (uint256 liquidity) {
        (uint256 held0, uint256 held1) = (_held(token0), _held(token1));
        (uint256 amount0, uint256 amount1) = (held0 - reserve0, held1 - reserve1);
        if (totalSupply == 0) {
            liquidity = _root(amount0 * amount1) - MINIMUM_LIQUIDITY;
            _mint(address(1), MINIMUM_LIQUIDITY);
        } else {
            uint256 by0 = (amount0 * totalSupply) / reserve0;
            uint256 by1 = (amount1 * totalSupply) / reserve1;
            liquidity = by0 < by1 ? by0 : by1;
        }
        if (liquidity == 0) revert InsufficientLiquidityMinted();
        _mint(to, liquidity);
        _update(held0, held1);
        emit Mint(msg.sender, amount0, amount1);
    }

    /// Takes what lies here as reserves.
    function sync() external {
        _update(_held(token0), _held(token1));
    }

    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256) {
        amountIn -= (amountIn * fee()) / 10_000;
        (uint256 x, uint256 y) = (reserve0, reserve1);
        bool isFirst = tokenIn == token0;
        if (!stable) {
            (uint256 reserveIn, uint256 reserveOut) = isFirst ? (x, y) : (y, x);
            return (amountIn * reserveOut) / (reserveIn + amountIn);
        }
        uint256 kept = _k(x, y);
        (x, y) = ((x * 1e18) / _unit0, (y * 1e18) / _unit1);
        (uint256 into, uint256 out) = isFirst ? (x, y) : (y, x);
        amountIn = (amountIn * 1e18) / (isFirst ? _unit0 : _unit1);
        uint256 given = out - _yOf(into + amountIn, kept, out);
        return (given * (isFirst ? _unit1 : _unit0)) / 1e18;
    }

    /// What lies here beyond the reserves was paid.
    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        (uint256 before0, uint256 before1) = (reserve0, reserve1);
        if (out0 >= before0 || out1 >= before1) revert InsufficientLiquidity();
        if (out0 > 0) _send(token0, to, out0);
        if (out1 > 0) _send(token1, to, out1);
        uint256 in0 = _paid(token0, before0 - out0);
        uint256 in1 = _paid(token1, before1 - out1);
        if (in0 == 0 && in1 == 0) revert InsufficientInputAmount();
        if (in0 > 0) _send(token0, poolFees, (in0 * fee()) / 10_000);
        if (in1 > 0) _send(token1, poolFees, (in1 * fee()) / 10_000);
        if (_k(_held(token0), _held(token1)) < _k(before0, before1)) revert K();
        _update(_held(token0), _held(token1));
        emit Swap(msg.sender, to, in0, in1, out0, out1);
    }

    function _paid(address token, uint256 left) private view returns (uint256) {
        uint256 held = _held(token);
        return held > left ? held - left : 0;
    }

    function _update(uint256 held0, uint256 held1) private {
        (reserve0, reserve1) = (held0, held1);
        emit Sync(held0, held1);
    }

    function _k(uint256 x, uint256 y) private view returns (uint256) {
        if (!stable) return x * y;
        return _f((x * 1e18) / _unit0, (y * 1e18) / _unit1);
    }

    /// x^3*y + y^3*x with 18 decimals.
    function _f(uint256 x, uint256 y) private pure returns (uint256) {
        return (((x * y) / 1e18) * ((x * x) / 1e18 + (y * y) / 1e18)) / 1e18;
    }

    function _slope(uint256 x, uint256 y) private pure returns (uint256) {
        return (3 * x * ((y * y) / 1e18)) / 1e18 + (((x * x) / 1e18) * x) / 1e18;
    }

    /// The y that keeps the curve at x, by Newton's method.
    function _yOf(uint256 x, uint256 kept, uint256 y) private pure returns (uint256) {
        for (uint256 i = 0; i < 255; i++) {
            uint256 k = _f(x, y);
            uint256 step = ((k < kept ? kept - k : k - kept) * 1e18) / _slope(x, y);
            if (step == 0) return k < kept ? y + 1 : y;
            y = k < kept ? y + step : y - step;
        }
        revert K();
    }

    /// The integer square root, by Newton's method.
    function _root(uint256 value) private pure returns (uint256 root) {
        if (value == 0) return 0;
        root = value;
        for (uint256 next = value / 2 + 1; next < root; next = (value / next + next) / 2) root = next;
    }

    function _held(address token) private view returns (uint256) {
        return ISolidlyToken(token).balanceOf(address(this));
    }

    function _send(address token, address to, uint256 amount) private {
        if (amount > 0) require(ISolidlyToken(token).transfer(to, amount), "SolidlyPool: the token refused");
    }
}
