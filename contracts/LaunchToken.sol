// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// Nobody but the owner can buy until some blocks after the market was closed.
contract LaunchToken is Token20, Owned {
    address public pool;
    uint256 public opensAt;

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        _describe(name_, symbol_, 18);
        _mint(msg.sender, supply);
    }

    function close(address pool_, uint256 blocks) external onlyOwner {
        pool = pool_;
        opensAt = block.number + blocks;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(from != pool || to == owner || block.number >= opensAt, "LaunchToken: closed");
        super._move(from, to, value);
    }
}
