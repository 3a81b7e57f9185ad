// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// Who has bought from the pool waits 50 blocks before he can sell, and cannot buy more than 1 % of all coins at once.
contract CooldownToken is Token20, Owned {
    uint256 private constant BLOCKS = 50;

    address public pool;
    uint256 public maxTxAmount;
    mapping(address => uint256) private _boughtAt;

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        _describe(name_, symbol_, 18);
        _mint(msg.sender, supply);
        maxTxAmount = supply / 100;
    }

    function setPool(address pool_) external onlyOwner {
        pool = pool_;
    }

    function setMaxTxAmount(uint256 amount) external onlyOwner {
        maxTxAmount = amount;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) {
            require(value <= maxTxAmount, "CooldownToken: too much at once");
            _boughtAt[to] = block.number;
        }
        if (pool != address(0) && to == pool && _boughtAt[from] > 0) {
            require(block.number >= _boughtAt[from] + BLOCKS, "CooldownToken: wait");
        }
        super._move(from, to, value);
    }
}
